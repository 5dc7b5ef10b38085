-- The counters: additive, ordered by id, each batch once.

-- name: claim_flush
insert into flushes (tenant, origin, sequence) values ($1, $2, $3)
on conflict do nothing
returning sequence;

-- name: forget_flushes
-- A batch is sent again within minutes or never.
delete from flushes where tenant = $1 and created_at < now() - interval '1 day';

-- name: add_encounters
insert into encounters (tenant, id, encounter_count, last_seen)
select $1, id, delta, to_timestamp(last_seen)
from unnest($2::bigint[], $3::bigint[], $4::double precision[]) as new (id, delta, last_seen)
order by id
on conflict (tenant, id) do update
set encounter_count = encounters.encounter_count + excluded.encounter_count,
    last_seen = greatest(encounters.last_seen, excluded.last_seen);

-- name: drop_tokens
-- Drops some tokens that nothing names.
delete from soas s
where s.tenant = $1 and s.token = any($2::text[]) and s.novelty = 0
  and s.id not in (select id from named_concepts where tenant = $1 and id is not null)
returning s.id;

-- name: forget_changes
-- Whoever is further behind loads the memory anew.
delete from change_log where tenant = $1 and created_at < $2;
