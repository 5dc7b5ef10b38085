-- The turns of which sentences are kept.

-- name: keep_turns
-- Adds turns; one that is kept already is as if said now, if it is the newest of its
-- request, and stays as it is if not. What stands in an older history is nobody's new
-- words: where several people talk to one agent, each sends what the others said. What is
-- imported ($15) is its speaker's own. Answers the numbers of those that were written.
insert into turns (
    tenant, id, speaker, principal, project, session, said_at, digest, sentences,
    headings, marks, answers, audience)
select $1, $2, $3, $4, $5, $6, $7, $8::bytea, $9, $10, $11, $12, $13::jsonb
where $14 or $15 or not exists (
    select from turns where tenant = $1 and digest = $8::bytea)
on conflict (tenant, digest, speaker, project) do update
set said_at = excluded.said_at, session = excluded.session,
    principal = excluded.principal, sentences = excluded.sentences,
    headings = excluded.headings, marks = excluded.marks, answers = excluded.answers,
    audience = excluded.audience
where $14
returning id;

-- name: spellings
-- How speakers and projects of turns with these words are spelt, behind their digests.
select array[encode(digest, 'hex'), speaker, project] from turns
where tenant = $1 and digest = any($2::bytea[]) order by id desc;

-- name: turns
-- Every turn that is kept, the oldest first.
select * from turns where tenant = $1 order by said_at, id;

-- name: turns_of
select * from turns where tenant = $1 and id = any($2::bigint[]) order by said_at, id;

-- name: remove_turns
delete from turns where tenant = $1 and id = any($2::bigint[]);

-- name: reword_turn
-- Writes the sentences of a turn anew: some may be left out, their places stay empty.
update turns set sentences = $3, headings = $4, marks = $5, answers = $6
where tenant = $1 and id = $2;

-- name: confirm_turn
update turns set confirmed = $3 where tenant = $1 and id = $2;

-- name: old_turns
-- Turns that were said before a moment, some of them.
select id from turns where tenant = $1 and said_at < $2 order by said_at limit $3;

-- name: erase_ledger
-- Leaves no copy of some sentences in the ledger; what was stated stays.
update assertions set sentence = ''
where tenant = $1 and sentence <> '' and exists (
    select from unnest($2::text[], $3::text[]) as said (text, speaker)
    where coalesce(nullif(subject, ''), principal) = speaker
      and (strpos(sentence, text) > 0 or strpos(text, sentence) > 0));

-- name: erase_candidates
update candidates set sentence = ''
where tenant = $1 and sentence <> '' and exists (
    select from unnest($2::text[], $3::text[]) as said (text, speaker)
    where coalesce(nullif(subject, ''), author) = speaker
      and (strpos(sentence, text) > 0 or strpos(text, sentence) > 0));

-- name: erase_messages
-- Of the trail: an object is called by the hash of its content, so it goes as a whole.
delete from objects
where tenant = $1 and kind = 'message' and exists (
    select from unnest($2::text[]) as said
    where position(convert_to(said, 'UTF8') in data) > 0);

-- name: erase_conversations
-- Of conversations that memories are extracted from.
update interactions i set turns = (
    select coalesce(jsonb_agg(turn), '[]') from jsonb_array_elements(i.turns) turn
    where not exists (
        select from unnest($2::text[]) as said where strpos(turn ->> 'text', said) > 0))
where i.tenant = $1 and exists (
    select from jsonb_array_elements(i.turns) turn, unnest($2::text[]) as said
    where strpos(turn ->> 'text', said) > 0);

-- name: turns_with
select * from turns where tenant = $1 and digest = any($2::bytea[]) order by id;

-- name: stated_by
-- The statements that are held for the sake of some sentences alone.
with made as (
    select a.concept, a.parent, a.dimension, a.is_isa, a.negated, a.sentence <> '' and exists (
        select from unnest($2::text[], $3::text[]) as said (text, speaker)
        where coalesce(nullif(a.subject, ''), a.principal) = speaker
          and (strpos(a.sentence, text) > 0 or strpos(text, a.sentence) > 0)) as is_gone
    from assertions a
    where a.tenant = $1 and a.outcome in ('held', 'corroborated')
)
select concept, parent, dimension, is_isa, negated from made
group by concept, parent, dimension, is_isa, negated
having bool_and(is_gone);

-- name: export_turns
select * from turns where tenant = $1 and id > $2 order by id limit $3;

-- name: export_statements
-- What is held, with where it comes from, behind a concept, a dimension and a parent.
-- Names are found one by one, by the key: a young table has no statistics, and joined
-- four times it would be multiplied with itself.
select u.id, u.dim_id, u.parent_id, u.confidence, u.last_confirmed, u.is_isa,
       u.slot <> 0 as many, u.modality = 'belief' as belief, false as negated,
       (select token from soas where tenant = $1 and soas.id = u.id) as concept,
       (select token from soas where tenant = $1 and soas.id = u.parent_id) as parent,
       (select token from soas where tenant = $1 and soas.id = u.dim_id) as dimension,
       coalesce(o.quote, a.sentence, '') as quote, '' as principal,
       coalesce(o.speaker, nullif(a.subject, ''), a.principal, '') as speaker,
       coalesce(o.subject, '') as subject, coalesce(o.value, '') as value,
       coalesce(o.project, '') as project, coalesce(o.session, '') as session,
       o.said_at, o.turn_digest, o.reader, o.kind, o.topics
from (select * from urd
      where tenant = $1 and (id, dim_id, parent_id) > ($2, $3, $5)
        and not (id = parent_id and id = dim_id)
        and ($6::timestamptz is null or coalesce(restored_at, (
            select created_at from assertions
            where tenant = $1 and assertions.id = urd.assertion_id)) <= $6)
      order by id, dim_id, parent_id limit $4) as u
left join lateral (
    select * from assertions a where a.tenant = $1 and a.id = u.assertion_id
    limit 1) as a on true
left join lateral (
    select * from statement_origins o
    where o.tenant = $1 and o.assertion_id = u.assertion_id
    limit 1) as o on true
order by u.id, u.dim_id, u.parent_id;

-- name: export_closed
-- What is held no more, a page of it; as `export_statements`. What was held at a moment,
-- if there is one ($4).
select h.valid_from, h.valid_to, h.last_confirmed, h.confidence, h.is_isa, h.negated,
       h.slot <> 0 as many, h.modality = 'belief' as belief,
       (select token from soas where tenant = $1 and soas.id = h.id) as concept,
       (select token from soas where tenant = $1 and soas.id = h.parent_id) as parent,
       (select token from soas where tenant = $1 and soas.id = h.dim_id) as dimension,
       coalesce(o.quote, a.sentence, '') as quote, '' as principal,
       coalesce(o.speaker, nullif(a.subject, ''), a.principal, '') as speaker,
       coalesce(o.subject, '') as subject, coalesce(o.value, '') as value,
       coalesce(o.project, '') as project, coalesce(o.session, '') as session,
       o.said_at, o.turn_digest, o.reader, o.kind, o.topics
from (select * from urd_history where tenant = $1
        and ($4::timestamptz is null or (valid_from <= $4 and valid_to > $4))
      order by valid_to, id, dim_id, parent_id limit $3 offset $2) as h
left join lateral (
    select * from assertions a where a.tenant = $1 and a.id = h.assertion_id
    limit 1) as a on true
left join lateral (
    select * from statement_origins o
    where o.tenant = $1 and o.assertion_id = h.assertion_id
    limit 1) as o on true
order by h.valid_to, h.id, h.dim_id, h.parent_id;

-- name: export_denials
-- What is held not to be so, behind a concept, a dimension and a parent.
select t.id, t.dim_id, t.parent_id, 1.0::double precision as confidence,
       coalesce(o.said_at, t.created_at) as last_confirmed, true as negated,
       coalesce(m.is_isa, true) as is_isa, false as many, false as belief,
       (select token from soas where tenant = $1 and soas.id = t.id) as concept,
       (select token from soas where tenant = $1 and soas.id = t.parent_id) as parent,
       (select token from soas where tenant = $1 and soas.id = t.dim_id) as dimension,
       coalesce(o.quote, a.sentence, '') as quote, '' as principal,
       coalesce(o.speaker, nullif(a.subject, ''), a.principal, '') as speaker,
       coalesce(o.subject, '') as subject, coalesce(o.value, '') as value,
       coalesce(o.project, '') as project, coalesce(o.session, '') as session,
       o.said_at, o.turn_digest, o.reader, o.kind, o.topics
from (select * from denials
      where tenant = $1 and (id, dim_id, parent_id) > ($2, $3, $5)
        and ($6::timestamptz is null or created_at <= $6)
      order by id, dim_id, parent_id limit $4) as t
left join dimensions m on m.tenant = $1 and m.dim_id = t.dim_id
left join assertions a on a.tenant = $1 and a.id = t.assertion_id
left join statement_origins o on o.tenant = $1 and o.assertion_id = t.assertion_id
order by t.id, t.dim_id, t.parent_id;

-- name: forget_evidence
-- Takes from the ledger what people said in prompts before a moment. What was stated
-- stays, and when, and by whom.
update assertions set sentence = ''
where tenant = $1 and created_at < $2 and sentence <> ''
  and source = 'inferred';

-- name: forget_candidates_evidence
-- The same of candidates that nobody is asked about any more.
update candidates set sentence = ''
where tenant = $1 and created_at < $2 and sentence <> '' and source = 'inferred'
  and status <> 'pending_validation';

-- name: with_old_words
-- The tenants that keep something of it.
select tenant from tenants t
where exists (select from turns w where w.tenant = t.tenant and w.said_at < $1)
   or exists (select from unread_turns u where u.tenant = t.tenant and u.said_at < $1)
   or exists (select from assertions a
              where a.tenant = t.tenant and a.created_at < $1 and a.sentence <> ''
                and a.source = 'inferred')
order by tenant;
