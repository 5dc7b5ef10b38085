-- Concepts that a model is asked about: the queue, and who asks.

-- name: queue_inquiries
-- A concept is queued once, and again when its count has doubled since.
insert into write_queue
    (tenant, concept_id, sentences, encounter_count, due_at, created_at)
select $1, s.id, wanted.sentences::jsonb, wanted.encounter_count, $5, $5
from unnest($2::text[], $3::bigint[], $4::text[])
     as wanted (token, encounter_count, sentences)
join soas s on s.tenant = $1 and s.token = wanted.token
where (select count(*) from write_queue where tenant = $1 and status = 'waiting') < $6
order by s.id
on conflict (tenant, concept_id) do update
set status = 'waiting', sentences = excluded.sentences,
    encounter_count = excluded.encounter_count, attempts = 0, last_error = '',
    due_at = excluded.due_at, outcomes = '[]', created_at = excluded.created_at,
    ended_at = null
where write_queue.status <> 'waiting'
  and excluded.encounter_count >= 2 * write_queue.encounter_count;

-- name: queued_counts
-- The counts with which concepts were queued last.
select s.token, q.encounter_count from write_queue q
join soas s on s.tenant = q.tenant and s.id = q.concept_id
where q.tenant = $1 and s.token = any($2);

-- name: inquiring
-- Memories for which a model is chosen, and in which somebody is to be asked.
select q.tenant from write_queue q
join config c on c.tenant = q.tenant and c.key = 'write_model_id' and c.value <> '0'
where q.status = 'waiting' and q.due_at <= $1
  and (q.leased_until is null or q.leased_until < now())
group by q.tenant;

-- name: lease_inquiry
-- The next one that nobody asks about. By the database's clock: those of its servers
-- may differ. Chosen once: a join might choose another one for each row it looks at.
with next as materialized (
    select concept_id from write_queue
    where tenant = $1 and status = 'waiting' and due_at <= $2
      and (leased_until is null or leased_until < now())
    order by due_at, concept_id
    limit 1
    for update skip locked
)
update write_queue q
set leased_by = $3, leased_until = now() + make_interval(secs => $4)
from next, soas s
where q.tenant = $1 and q.concept_id = next.concept_id
  and s.tenant = $1 and s.id = next.concept_id
returning q.*, s.token;

-- name: extend_inquiry
update write_queue set leased_until = now() + make_interval(secs => $4)
where tenant = $1 and concept_id = $2 and leased_by = $3
returning concept_id;

-- name: is_leased
-- Nobody else leases it until the transaction ends.
select concept_id from write_queue
where tenant = $1 and concept_id = $2 and leased_by = $3
for update;

-- name: postpone_inquiry
update write_queue
set status = $4, attempts = $5, last_error = $6, due_at = $7, ended_at = $8,
    leased_by = null, leased_until = null
where tenant = $1 and concept_id = $2 and leased_by = $3;

-- name: end_inquiry
-- What people said is kept no longer than it is needed.
update write_queue
set status = 'done', sentences = '[]', outcomes = $4::jsonb, last_error = '',
    ended_at = $5, leased_by = null, leased_until = null
where tenant = $1 and concept_id = $2 and leased_by = $3;

-- name: inquiries
select q.*, s.token from write_queue q
join soas s on s.tenant = q.tenant and s.id = q.concept_id
where q.tenant = $1 and (cardinality($2::text[]) = 0 or q.status = any($2))
  and q.concept_id > $3
order by q.concept_id
limit $4;

-- name: retry_inquiry
update write_queue q
set status = 'waiting', attempts = 0, last_error = '', due_at = $3, ended_at = null
from soas s
where q.tenant = $1 and s.tenant = $1 and s.id = q.concept_id and s.token = $2
  and q.status <> 'done'
returning q.*, s.token;
