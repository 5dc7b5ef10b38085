-- The counters: additive, ordered by id, each batch once.

-- name: claim_flush
insert into flushes (tenant, origin, sequence) values ($1, $2, $3)
on conflict do nothing
returning sequence;

-- name: forget_flushes
-- A batch is sent again within minutes or never.
delete from flushes where tenant = $1 and created_at < now() - interval '1 day';

-- name: add_encounters
-- Answers as many rows as it counted. Locked in the order of their ids first: whoever
-- counts the same words meanwhile waits, and not in a circle.
with counted as materialized (
    select s.id, new.delta, to_timestamp(new.last_seen) as last_seen
    from unnest($2::bigint[], $3::bigint[], $4::double precision[])
        as new (id, delta, last_seen)
    join soas s on s.tenant = $1 and s.id = new.id
    order by s.id
    for no key update of s
)
update soas s
set encounter_count = s.encounter_count + counted.delta,
    last_seen = greatest(s.last_seen, counted.last_seen)
from counted
where s.tenant = $1 and s.id = counted.id
returning s.id;

-- name: drop_tokens
-- Drops some tokens that nothing names.
delete from soas s
where s.tenant = $1 and s.token = any($2::text[]) and s.novelty = 0
  and s.id not in (select id from named_concepts where tenant = $1 and id is not null)
returning s.id;

-- name: forget_changes
-- Whoever is further behind loads the memory anew.
delete from change_log where tenant = $1 and created_at < $2;
