-- What people say of lines that prompts were told.

-- name: add_feedback
-- Batches of a tenant are written one after the other, so that numbers are not taken twice.
-- Somebody's complaint waits once, however often it is repeated.
insert into line_feedback (
    tenant, id, line, text, quote, speaker, project, verdict, state, principal, prompt,
    facts, created_at)
select $1, coalesce(max(id), 0) + 1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12
from line_feedback where tenant = $1
having $7 = 'helped'
    or count(*) filter (where line = $2 and principal = $9 and state = 'open') = 0
on conflict (tenant, line, principal) where verdict = 'helped' do nothing;

-- name: move_feedback
update line_feedback set state = $4, deferred_at = null
where tenant = $1 and id = $2 and state = any($3::text[]) returning id;

-- name: line_votes
select line, count(*) filter (where verdict = 'helped') as helped,
       bool_or(state in ('open', 'upheld')) as wrong
from line_feedback where tenant = $1
group by line;

-- name: feedback_by_id
select * from line_feedback where tenant = $1 and id = any($2::bigint[]);

-- name: feedback_on
select * from line_feedback
where tenant = $1 and line = $2 and principal = $3 and verdict = $4
order by id desc limit 1;

-- name: defer_feedback
update line_feedback set deferred_at = $3
where tenant = $1 and id = $2 and state = 'open' returning id;
