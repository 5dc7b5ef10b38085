-- The turns of which sentences are kept.

-- name: keep_turns
-- Adds turns; one that is kept already is as if said now, if it is the newest of its
-- request, and stays as it is if not. Answers the numbers of those that were written.
insert into turns (
    tenant, id, speaker, principal, project, session, said_at, digest, sentences,
    headings, marks, answers, audience)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
on conflict (tenant, digest, speaker, project) do update
set said_at = excluded.said_at, session = excluded.session,
    principal = excluded.principal, sentences = excluded.sentences,
    headings = excluded.headings, marks = excluded.marks, answers = excluded.answers,
    audience = excluded.audience
where $14
returning id;

-- name: turns
-- Every turn that is kept, the oldest first.
select * from turns where tenant = $1 order by said_at, id;

-- name: turns_of
select * from turns where tenant = $1 and id = any($2::bigint[]) order by said_at, id;

-- name: remove_turns
delete from turns where tenant = $1 and id = any($2::bigint[]);

-- name: reword_turn
-- Leaves sentences out of a turn; their places stay empty.
update turns set sentences = $3, headings = $4, marks = $5, answers = $6
where tenant = $1 and id = $2;

-- name: confirm_turn
update turns set confirmed = $3 where tenant = $1 and id = $2;

-- name: old_turns
-- Turns that were said before a moment, some of them.
select id from turns where tenant = $1 and said_at < $2 order by said_at limit $3;

-- name: forget_evidence
-- Takes from the ledger what people said in prompts before a moment. What was stated
-- stays, and when, and by whom.
update assertions set sentence = ''
where tenant = $1 and created_at < $2 and sentence <> ''
  and source = 'inferred';

-- name: forget_candidates_evidence
-- The same of candidates that nobody is asked about any more.
update factoids set sentence = ''
where tenant = $1 and created_at < $2 and sentence <> '' and source = 'inferred'
  and status <> 'pending_validation';

-- name: with_old_words
-- The tenants that keep something of it.
select tenant from tenants t
where exists (select from turns w where w.tenant = t.tenant and w.said_at < $1)
   or exists (select from assertions a
              where a.tenant = t.tenant and a.created_at < $1 and a.sentence <> ''
                and a.source = 'inferred')
order by tenant;
