-- What people rejected or left, who looks into it, and the nights in which a model does.

-- name: backlog
select b.*, f.cid as candidate_cid from backlog b
join candidates f on f.tenant = b.tenant and f.id = b.candidate_id
where b.tenant = $1 and (cardinality($2::text[]) = 0 or b.state = any($2)) and b.id > $3
order by b.id
limit $4;

-- name: backlog_item
select b.*, f.cid as candidate_cid from backlog b
join candidates f on f.tenant = b.tenant and f.id = b.candidate_id
where b.tenant = $1 and b.id = $2;

-- name: backlog_of_dream
-- What a night looked into.
select b.*, f.cid as candidate_cid from backlog b
join candidates f on f.tenant = b.tenant and f.id = b.candidate_id
where b.tenant = $1 and b.dream_id = $2
order by b.id;

-- name: events_of_candidates
-- What was answered about candidates, those of each together and the oldest first.
select e.*, f.cid as candidate_cid from validation_events e
join candidates f on f.tenant = e.tenant and f.id = e.candidate_id
where e.tenant = $1 and e.candidate_id = any($2)
order by e.candidate_id, e.created_at, e.cid;

-- name: fail_abandoned
-- Whoever had it never came back, and that too often: it may be what ends them. By the
-- database's clock, as all that leases do: those of its servers may differ.
update backlog
set state = 'failed', attempts = attempts + 1, done_at = now(), leased_by = null,
    leased_until = null,
    last_error = 'whoever looked into it never came back: ' || lessee
where tenant = $1 and state = 'leased' and leased_until < now() and attempts + 1 >= $2;

-- name: backlog_due
-- What nobody looks into, the most urgent first, then the oldest.
select id from backlog
where tenant = $1 and ($2::timestamptz is null or due_at <= $2)
  and (state = 'waiting' or (state = 'leased' and leased_until < now()))
order by array_position(array['critical', 'high', 'normal', 'low'], priority), id
limit $3;

-- name: lease_backlog
-- Those of these that still nobody looks into. A lease that ran out is a failure.
with free as materialized (
    select id from backlog
    where tenant = $1 and id = any($2)
      and (state = 'waiting' or (state = 'leased' and leased_until < now()))
    order by id
    for update skip locked
)
update backlog b
set attempts = b.attempts + (b.state = 'leased')::int, state = 'leased',
    leased_by = gen_random_uuid(), lessee = $3,
    leased_until = now() + make_interval(secs => $4)
from free, candidates f
where b.tenant = $1 and b.id = free.id and f.tenant = $1 and f.id = b.candidate_id
returning b.*, f.cid as candidate_cid;

-- name: extend_backlog
update backlog set leased_until = now() + make_interval(secs => $4)
where tenant = $1 and id = $2 and leased_by = $3 and state = 'leased'
returning id;

-- name: is_dreaming
-- Nobody else leases it until the transaction ends.
select id from backlog
where tenant = $1 and id = $2 and leased_by = $3 and state = 'leased'
for update;

-- name: give_back_backlog
update backlog
set state = $4, attempts = $5, last_error = $6, due_at = $7, done_at = $8,
    dream_id = coalesce($9, dream_id), leased_by = null, leased_until = null
where tenant = $1 and id = $2 and leased_by = $3 and state = 'leased'
returning id;

-- name: end_backlog
update backlog
set state = 'done', findings = $4::jsonb, last_error = '', done_at = $5,
    dream_id = coalesce($6, dream_id), leased_by = null, leased_until = null
where tenant = $1 and id = $2 and leased_by = $3;

-- name: remarks_of_turn
-- What else was found in the turn that a candidate stood in.
select distinct on (said.ordinal) said.sentence, said.reason
from candidates f
join assertions own on own.tenant = f.tenant and own.id = f.assertion_id
join assertions said on said.tenant = own.tenant and said.segment = own.segment
where f.tenant = $1 and f.id = $2 and said.sentence <> ''
order by said.ordinal
limit 20;

-- name: remarks_of_interaction
-- The conversation of the same person that holds a sentence, and the turn that does.
select i.turns, turn.at
from interactions i
cross join lateral jsonb_array_elements(i.turns) with ordinality as turn (said, at)
where i.tenant = $1 and i.subject = $2 and i.principal = $3 and i.state <> 'forgotten'
  and strpos(turn.said ->> 'text', $4) > 0
order by i.id desc, turn.at
limit 1;

-- name: remarks_of_document
-- The part of a document that a candidate stood in, and those beside it.
select n.id, n.text
from chunks c
join chunks n on n.tenant = c.tenant and n.document_id = c.document_id
where c.tenant = $1 and c.id = $2 and n.ordinal between c.ordinal - 1 and c.ordinal + 1
  and (n.id = c.id or (n.current and c.current))
order by n.ordinal;

-- name: dreaming_scheduled
-- Memories for which a model is chosen, and what their schedule needs to know.
select t.tenant,
       max(c.value) filter (where c.key = 'dream_schedule') as dream_schedule,
       max(c.value) filter (where c.key = 'resolution_timezone') as resolution_timezone,
       -- what was missed before anybody chose a model, or this schedule, is not missed
       extract(epoch from greatest(t.created_at, max(c.updated_at), (
           select max(d.due_at) from dreams d where d.tenant = t.tenant
       )))::double precision as since,
       exists (
           select from dreams d where d.tenant = t.tenant and d.state = 'running'
       ) as unfinished
from tenants t
join config c on c.tenant = t.tenant
where c.key in ('dream_model_id', 'dream_schedule', 'resolution_timezone')
group by t.tenant, t.created_at
having max(c.value) filter (where c.key = 'dream_model_id') <> '0';

-- name: dreaming
select * from dreams where tenant = $1 and state = 'running';

-- name: add_dream
-- None if a night for the same moment of the schedule was there before.
insert into dreams (tenant, id, principal, due_at, items_max, started_at)
values ($1, $2, $3, $4, $5, $6)
on conflict do nothing
returning id;

-- name: save_dream
update dreams
set state = $3, total = $4, items = $5, asserted = $6, failed = $7, report = $8::jsonb,
    ended_at = $9, error = $10
where tenant = $1 and id = $2;

-- name: dream
select * from dreams where tenant = $1 and id = $2;

-- name: last_dreams
select * from dreams where tenant = $1 order by id desc limit $2;
