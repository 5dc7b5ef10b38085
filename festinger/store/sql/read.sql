-- What is read back.

-- name: tenant_exists
select version from heads where tenant = $1;

-- name: copy_words
-- The vocabulary without its counters, which follow.
select id, token, novelty, is_dictionary from soas where tenant = $1;

-- name: copy_encounters
select id, encounter_count, last_seen from soas where tenant = $1 and encounter_count <> 0;

-- name: copy_edges
-- Times as they are stored, since an epoch costs as much as the rest of the row.
select id, parent_id, dim_id, is_isa, confidence, last_confirmed,
       case source
           when 'gutask' then 1::smallint when 'inferred' then 2 when 'cloud_llm' then 3
           when 'festinger' then 4 when 'extracted' then 5 when 'promoted' then 6
           when 'validated' then 7 when 'dreaming' then 8
       end::smallint,
       case modality when 'asserted' then 1::smallint when 'belief' then 2 end::smallint,
       coalesce(assertion_id, 0),
       slot <> 0
from urd
where tenant = $1;

-- name: denials
select id, parent_id, dim_id, assertion_id from denials where tenant = $1;

-- name: pending
select id, concept_id, dim_id, incoming_parent_id, incoming_negated,
       incoming_assertion_id
from resolution_queue
where tenant = $1 and status = 'pending';

-- name: unsettled_changes
-- Statements of change that no decision followed, with the words.
select q.id, q.changed_by, a.sentence
from resolution_queue q
join assertions a on a.tenant = q.tenant and a.id = q.incoming_assertion_id
where q.tenant = $1 and q.changed_by <> '' and q.status = 'pending'
  and q.created_at <= $2
order by q.id;

-- name: with_unsettled_changes
select distinct tenant from resolution_queue
where changed_by <> '' and status = 'pending' and created_at <= $1
order by tenant;

-- name: tombstones
select id, dim_id, parent_id, negated, ending, coalesce(conflict_id, 0) as conflict_id
from tombstones where tenant = $1;

-- name: redirects
select id, dim_id, parent_id, negated, to_dim_id from redirects where tenant = $1;

-- name: tenant_heads
select tenant, version, server from heads where tenant = any($1::text[]);

-- name: news
-- What changed since a version, and what is held of the changed concepts and of others,
-- each kind of row as JSON. It is read in one statement, since whoever asks may hold the
-- tenant's write lock; and one by one by the key, since a young table has no statistics,
-- and would be read as a whole.
with log as (
    select version, concept_ids, batch, subjects, turns, notes
    from change_log where tenant = $1 and version > $2
), places as (
    select unnest(concept_ids) as id from log union select unnest($3::bigint[])
), edges as (
    select it.* from places cross join lateral (
        select id, parent_id, dim_id, is_isa, confidence,
               extract(epoch from last_confirmed)::double precision as last_confirmed,
               source, modality, coalesce(assertion_id, 0) as assertion_id, slot
        from urd where tenant = $1 and id = places.id offset 0) as it
), denied as (
    select it.* from places cross join lateral (
        select id, parent_id, dim_id, assertion_id
        from denials where tenant = $1 and id = places.id offset 0) as it
), waiting as (
    select it.* from places cross join lateral (
        select id, concept_id, dim_id, incoming_parent_id, incoming_negated,
               incoming_assertion_id
        from resolution_queue
        where tenant = $1 and concept_id = places.id and status = 'pending'
        offset 0) as it
), tombs as (
    select it.* from places cross join lateral (
        select id, dim_id, parent_id, negated, ending,
               coalesce(conflict_id, 0) as conflict_id
        from tombstones where tenant = $1 and id = places.id offset 0) as it
), moved as (
    select it.* from places cross join lateral (
        select id, dim_id, parent_id, negated, to_dim_id
        from redirects where tenant = $1 and id = places.id offset 0) as it
), named as (
    select id from places
    union select unnest(array[parent_id, dim_id]) from edges
    union select unnest(array[parent_id, dim_id]) from denied
    union select unnest(array[incoming_parent_id, dim_id]) from waiting
    union select unnest(array[parent_id, dim_id]) from tombs
    union select unnest(array[parent_id, dim_id, to_dim_id]) from moved
), names as (
    select it.* from named cross join lateral (
        select id, token, novelty, is_dictionary
        from soas where tenant = $1 and id = named.id offset 0) as it
), quoted as (
    select assertion_id from statement_origins
    where tenant = $1 and assertion_id = any (array(
        select assertion_id from edges
        union select incoming_assertion_id from waiting))
)
select version as head,
       (select json_agg(it) from log it) as log,
       array(select id from places) as places,
       (select json_agg(it) from edges it) as edges,
       (select json_agg(it) from denied it) as denials,
       (select json_agg(it) from waiting it) as pending,
       (select json_agg(it) from tombs it) as tombstones,
       (select json_agg(it) from moved it) as redirects,
       (select json_agg(it) from names it) as names,
       array(select assertion_id from quoted) as quoted
from heads where tenant = $1;

-- name: config
select key, value from config where tenant = $1;

-- name: witnesses
-- Which principals stated these triples before.
select distinct a.concept, a.parent, a.dimension, a.is_isa, a.negated, a.principal
from assertions a
join unnest($2::text[], $3::text[], $4::text[], $5::text[])
    as asked (concept, parent, dimension, principal)
  using (concept, parent, dimension, principal)
where a.tenant = $1 and a.outcome in ('held', 'corroborated');

-- name: judged
select asked.segment, asked.ordinal
from unnest($2::bytea[], $3::integer[]) as asked (segment, ordinal)
cross join lateral (
    select from assertions a
    where a.tenant = $1 and a.segment = asked.segment and a.ordinal = asked.ordinal
    limit 1) as found;

-- name: answered
-- One by one by the key, however few or many there seem to be.
select found.* from unnest($2::text[], $3::text[]) as asked (principal, request_id)
cross join lateral (
    select principal, request_id, method, payload_hash, response from requests r
    where r.tenant = $1 and r.principal = asked.principal
      and r.request_id = asked.request_id
    limit 1) as found;

-- name: assertion
select * from assertions where tenant = $1 and id = $2;

-- name: conflict_numbers
-- The most urgent first, and of these the oldest, behind ($2, $3).
select q.id from resolution_queue q
where q.tenant = $1
  and q.priority <= $2::bigint and (q.priority < $2 or q.id > $3)
  and (cardinality($4::text[]) = 0 or q.status = any($4))
  and ($5 = '' or q.concept_id = (
      select id from soas c where c.tenant = $1 and c.token = $5))
  -- in whose place nothing is held, or that belong elsewhere by now
  and (not $6 or not q.incoming_negated and (
      not exists (
          select from urd
          where urd.tenant = q.tenant and urd.id = q.concept_id and urd.dim_id = q.dim_id
            and (urd.parent_id = q.incoming_parent_id or urd.slot = 0))
      or exists (
          select from redirects r
          where r.tenant = q.tenant and r.id = q.concept_id and r.dim_id = q.dim_id
            and r.parent_id = q.incoming_parent_id and not r.negated)))
order by q.priority desc, q.id
limit $7;

-- name: conflicts
-- Beside the statement that was refused the edge that is held now, or that a decision
-- ended.
select q.*, c.token as concept, d.token as dimension, i.token as incoming_parent,
       a.confidence as incoming_confidence, a.source as incoming_source,
       a.principal as incoming_principal, a.subject as incoming_subject, a.sentence,
       -- what people confirmed names its candidate as its rule
       exists (select from candidates f
               where f.tenant = a.tenant and f.sensitive
                 and f.id = substring(a.rule from '^candidate ([0-9]{1,18})$')::bigint)
           as private,
       met.parent_id as held_parent_id, p.token as held_parent,
       met.is_isa as held_is_isa, met.confidence as held_confidence,
       met.last_confirmed as held_last_confirmed, met.source as held_source,
       met.modality as held_modality, met.assertion_id as held_assertion_id,
       mo.quote as held_quote, mo.value as held_value, mo.speaker as held_speaker,
       mo.project as held_project, mo.said_at as held_said_at, mo.reader as held_reader,
       io.quote as incoming_quote, io.value as incoming_value,
       io.speaker as incoming_speaker, io.project as incoming_project,
       io.said_at as incoming_said_at, io.reader as incoming_reader
from resolution_queue q
join soas c on c.tenant = q.tenant and c.id = q.concept_id
join soas d on d.tenant = q.tenant and d.id = q.dim_id
join soas i on i.tenant = q.tenant and i.id = q.incoming_parent_id
join assertions a on a.tenant = q.tenant and a.id = q.incoming_assertion_id
-- what it meets: the same value, or the only one
left join lateral (
    select * from urd
    where urd.tenant = q.tenant and urd.id = q.concept_id and urd.dim_id = q.dim_id
      and (urd.parent_id = q.incoming_parent_id or urd.slot = 0)
    order by urd.parent_id = q.incoming_parent_id desc limit 1) as u on true
left join lateral (
    select h.parent_id, h.is_isa, h.confidence, h.last_confirmed, h.source, h.modality,
           h.assertion_id
    from urd_history h
    where q.status = 'resolved' and h.tenant = q.tenant and h.id = q.concept_id
      and h.dim_id = q.dim_id and not h.negated
      and h.closed_by = 'conflict ' || q.id::text
    union all
    select u.parent_id, u.is_isa, u.confidence, u.last_confirmed, u.source, u.modality,
           u.assertion_id
    where u.id is not null
    limit 1) as met on true
left join lateral (
    select * from statement_origins o
    where o.tenant = q.tenant and o.assertion_id = met.assertion_id limit 1) as mo on true
left join lateral (
    select * from statement_origins o
    where o.tenant = q.tenant and o.assertion_id = q.incoming_assertion_id
    limit 1) as io on true
left join soas p on p.tenant = q.tenant and p.id = met.parent_id
where q.tenant = $1 and q.id = any($2::bigint[])
order by q.id;

-- name: effects
select effects from resolution_queue where tenant = $1 and id = $2;

-- name: candidates
select * from candidates
where tenant = $1 and id > $2 and (cardinality($3::text[]) = 0 or status = any($3))
  and (flagged or not $5)
order by id
limit $4;

-- name: candidates_by_id
select * from candidates where tenant = $1 and id = any($2::bigint[]);

-- name: newest_candidates
-- As `candidates`, the other way round; $2 is 0 for the newest.
select * from candidates
where tenant = $1 and (id < $2 or $2 = 0)
  and (cardinality($3::text[]) = 0 or status = any($3))
  and (flagged or not $5)
order by id desc
limit $4;

-- name: list_concepts
select token from soas s
where tenant = $1
  and token collate "C" > $2
  and starts_with(token, $3)
  and (not $4 or exists (
      select from urd u
      where u.tenant = s.tenant and u.id = s.id and u.id <> u.parent_id))
order by token collate "C"
limit $5;

-- name: list_children
-- As `list_concepts`, of the concepts that a fact places in $4: those are placed.
select token from soas s
where tenant = $1
  and token collate "C" > $2
  and starts_with(token, $3)
  and id in (
      select u.id from urd u join soas p on p.tenant = u.tenant and p.id = u.parent_id
      where u.tenant = $1 and p.token = $4 and u.id <> u.parent_id)
order by token collate "C"
limit $5;

-- name: history
-- What happened to a concept, oldest first: of one moment in the order in which it did.
-- Without $9, candidates are left out that hold what is private, and the sentences of
-- those that were confirmed.
with event as (
    select a.created_at as at,
           case when a.outcome = 'retracted' then 1 else 5 end as kind, a.id as number,
           a.concept, a.parent, a.dimension, a.is_isa, a.negated, a.outcome, a.reason,
           case when $9 or f.sensitive is not true then a.sentence else '' end as text,
           a.principal, a.source, a.confidence,
           a.id as assertion_id, a.conflict_id, a.candidate_id, '' as closed_by,
           null::timestamptz as valid_from, null as decision
    from assertions a
    left join candidates f on f.tenant = a.tenant and f.id = coalesce(
        a.candidate_id, substring(a.rule from '^candidate ([0-9]{1,18})$')::bigint)
    where a.tenant = $1 and a.concept = $2
      and ($9 or f.sensitive is not true or a.outcome <> 'candidate')
    union all
    select h.valid_to, 4, coalesce(h.assertion_id, 0), $2, p.token, d.token, h.is_isa,
           h.negated, '', '', '', '', h.source, h.confidence, h.assertion_id, null,
           null, h.closed_by, h.valid_from, null
    from urd_history h
    join soas p on p.tenant = h.tenant and p.id = h.parent_id
    join soas d on d.tenant = h.tenant and d.id = h.dim_id
    where h.tenant = $1 and h.id = $3
    union all
    select (made.decision ->> 'resolved_at')::timestamptz, 2, q.id, $2, p.token, d.token,
           q.incoming_is_isa, q.incoming_negated, '', '',
           made.decision ->> 'reasoning', made.decision ->> 'principal', null, 0, null,
           q.id, null, '', null, made.decision ->> 'decision'
    from resolution_queue q
    join soas p on p.tenant = q.tenant and p.id = q.incoming_parent_id
    join soas d on d.tenant = q.tenant and d.id = q.dim_id
    cross join lateral jsonb_array_elements(
        case when q.resolution is null then q.earlier
             else q.earlier || jsonb_build_array(q.resolution
                    || jsonb_build_object('resolved_at', q.resolved_at))
        end) as made (decision)
    where q.tenant = $1 and q.concept_id = $3
    union all
    select f.decided_at, 3, f.id, f.concept, f.parent, f.dimension, f.is_isa, f.negated,
           '', f.status, '', f.decided_by, f.source, f.confidence, null, null, f.id, '',
           null, null
    from candidates f
    where f.tenant = $1 and f.concept = $2 and f.decided_at is not null
      and ($9 or not f.sensitive)
)
select event.*, mark.at as microseconds from event
cross join lateral (
    select (extract(epoch from event.at) * 1000000)::bigint as at) as mark
where ($4 = '' or dimension = $4) and (mark.at, kind, number) > ($5, $6, $7)
order by mark.at, kind, number
limit $8;

-- name: held_at
-- What placed a concept at a moment, each with the confidence that it had then.
with held as (
    select u.id, u.parent_id, u.dim_id, u.is_isa, u.confidence, u.last_confirmed,
           u.source, u.modality, u.assertion_id
    from urd u
    join assertions a on a.tenant = u.tenant and a.id = u.assertion_id
    where u.tenant = $1 and u.id = $2 and coalesce(u.restored_at, a.created_at) <= $3
    union all
    select h.id, h.parent_id, h.dim_id, h.is_isa, h.confidence, h.last_confirmed,
           h.source, h.modality, h.assertion_id
    from urd_history h
    where h.tenant = $1 and h.id = $2 and not h.negated and h.valid_from <= $3 and h.valid_to > $3
)
select c.token as concept, p.token as parent, d.token as dimension, held.is_isa,
       coalesce((then_.fact ->> 'confidence')::double precision, held.confidence)
           as confidence,
       coalesce((then_.fact ->> 'last_confirmed')::double precision,
                extract(epoch from held.last_confirmed)::double precision)
           as last_confirmed,
       coalesce((then_.fact ->> 'belief')::boolean, held.modality = 'belief') as belief,
       held.source, held.assertion_id
from held
join soas c on c.tenant = $1 and c.id = held.id
join soas p on p.tenant = $1 and p.id = held.parent_id
join soas d on d.tenant = $1 and d.id = held.dim_id
left join lateral (
    select a.fact from assertions a
    where a.tenant = $1 and a.concept = c.token and a.parent = p.token
      and a.dimension = d.token and a.outcome in ('held', 'corroborated')
      and a.created_at <= $3
    order by a.created_at desc, a.id desc
    limit 1) as then_ on true
order by d.token collate "C";

-- name: denied_at
-- What was denied of a concept at a moment; a denial has its dimension's flavour.
with denied as (
    select t.id, t.parent_id, t.dim_id from denials t
    where t.tenant = $1 and t.id = $2 and t.created_at <= $3
    union all
    select h.id, h.parent_id, h.dim_id from urd_history h
    where h.tenant = $1 and h.id = $2 and h.negated
      and h.valid_from <= $3 and h.valid_to > $3
)
select c.token as concept, p.token as parent, d.token as dimension,
       coalesce(m.is_isa, true) as is_isa, true as negated
from denied
join soas c on c.tenant = $1 and c.id = denied.id
join soas p on p.tenant = $1 and p.id = denied.parent_id
join soas d on d.tenant = $1 and d.id = denied.dim_id
left join dimensions m on m.tenant = $1 and m.dim_id = denied.dim_id
order by d.token collate "C", p.token collate "C";

-- name: waited_at
-- Which conflicts about a concept waited at a moment, and in which dimensions.
select q.id, d.token as dimension
from resolution_queue q
join soas d on d.tenant = q.tenant and d.id = q.dim_id
where q.tenant = $1 and q.concept_id = $2 and q.created_at <= $3
  and (q.resolved_at is null or q.resolved_at > $3)
  -- one that was settled did not wait until it was reopened
  and not exists (
      select from jsonb_array_elements(q.earlier) as made (decision)
      where (made.decision ->> 'resolved_at')::timestamptz <= $3
        and (made.decision ->> 'reopened_at')::timestamptz > $3)
order by q.id;

-- name: count_dimensions
select count(*) from dimensions where tenant = $1;

-- name: list_dimensions
-- Those of the seed first: they answer a question.
select s.token, d.question from dimensions d
join soas s on s.tenant = d.tenant and s.id = d.dim_id
where d.tenant = $1
order by d.dim_id
limit $2;
