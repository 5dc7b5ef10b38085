-- A project's trusted state (L3): what people wrote down. No record is read here.

-- name: state
select s.*,
       (select coalesce(array_agg(h.value order by h.version), '{}')
        from (select value, version from project_state_history h
              where h.tenant = s.tenant and h.project = s.project and h.key = s.key
              order by h.version desc limit $6) h) as earlier
from project_state s
where s.tenant = $1 and ($2 = '' or s.project = $2)
  and (s.project collate "C", s.key collate "C") > ($3, $4)
  and ($7 or s.value <> '')
order by s.project collate "C", s.key collate "C"
limit $5;

-- name: noted_state
-- Every item that was not removed.
select s.*, '{}'::text[] as earlier from project_state s
where tenant = $1 and value <> ''
order by updated_at, project collate "C", key collate "C";

-- name: state_item
select s.*,
       (select coalesce(array_agg(h.value order by h.version), '{}')
        from (select value, version from project_state_history h
              where h.tenant = s.tenant and h.project = s.project and h.key = s.key
              order by h.version desc limit $4) h) as earlier
from project_state s
where s.tenant = $1 and s.project = $2 and s.key = $3;

-- name: set_state
-- Writes an item, and keeps what it was.
with earlier as (
    insert into project_state_history (
        tenant, project, key, version, value, principal, updated_at)
    select tenant, project, key, version, value, principal, updated_at
    from project_state where tenant = $1 and project = $2 and key = $3
)
insert into project_state (tenant, project, key, value, principal, version, updated_at)
values ($1, $2, $3, $4, $5, $6, $7)
on conflict (tenant, project, key) do update set
    value = excluded.value, principal = excluded.principal,
    version = excluded.version, updated_at = excluded.updated_at;
