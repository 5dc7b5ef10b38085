-- The runs of the resolver, and who may run.

-- name: take_lease
-- By the database's clock: those of its servers may differ.
insert into leases (tenant, name, holder, expires_at)
values ($1, $2, $3, now() + make_interval(secs => $4))
on conflict (tenant, name) do update
set holder = excluded.holder, expires_at = excluded.expires_at
where leases.holder = excluded.holder or leases.expires_at < now()
returning holder;

-- name: drop_lease
delete from leases where tenant = $1 and name = $2 and holder = $3;

-- name: scheduled
-- Memories for which a model is chosen, and what their schedule needs to know.
select t.tenant,
       max(c.value) filter (where c.key = 'resolution_schedule') as resolution_schedule,
       max(c.value) filter (where c.key = 'resolution_timezone') as resolution_timezone,
       -- what was missed before anybody chose a model, or this schedule, is not missed
       extract(epoch from greatest(t.created_at, max(c.updated_at), (
           select max(r.due_at) from runs r where r.tenant = t.tenant
       )))::double precision as since,
       exists (
           select from runs r where r.tenant = t.tenant and r.state = 'running'
       ) as unfinished
from tenants t
join config c on c.tenant = t.tenant
where c.key in ('resolve_model_id', 'resolution_schedule', 'resolution_timezone')
group by t.tenant, t.created_at
having max(c.value) filter (where c.key = 'resolve_model_id') <> '0';

-- name: running
select * from runs where tenant = $1 and state = 'running';

-- name: add_run
-- None if a run for the same moment of the schedule was there before.
insert into runs (tenant, id, principal, due_at, conflict_ids, started_at)
values ($1, $2, $3, $4, $5, $6)
on conflict do nothing
returning id;

-- name: save_run
update runs
set state = $3, total = $4, resolved = $5, dismissed = $6, failed = $7, skipped = $8,
    ended_at = $9, error = $10
where tenant = $1 and id = $2;

-- name: run
select * from runs where tenant = $1 and id = $2;

-- name: last_runs
select * from runs where tenant = $1 order by id desc limit $2;

-- name: for_models
-- What a model may settle, the most urgent first (C8).
select id from resolution_queue
where tenant = $1 and status = 'pending'
  and case when cardinality($2::bigint[]) > 0 then id = any($2)
           else not for_people and attempts < $3 end
order by priority desc, id;

-- name: standing
select count(*) as pending,
       count(*) filter (where for_people or attempts >= $2) as for_people,
       extract(epoch from min(created_at))::double precision as oldest
from resolution_queue
where tenant = $1 and status = 'pending';

-- name: fail_conflict
update resolution_queue set attempts = attempts + 1, last_error = $3
where tenant = $1 and id = $2 and status = 'pending';
