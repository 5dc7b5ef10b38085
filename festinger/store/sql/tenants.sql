-- The tenants, and what a transaction runs as.

-- name: role_of_transactions
-- Row-level security does not hold for superusers, nor for roles with BYPASSRLS.
select case when rolsuper or rolbypassrls then 'festinger_runtime' else 'none' end
from pg_roles where rolname = session_user;

-- A new memory: its numbers, its settings and the six dimensions it starts with.

-- name: add_tenant
insert into tenants (tenant) values ($1) on conflict do nothing returning tenant;

-- name: add_head
insert into heads (tenant) values ($1) on conflict do nothing;

-- name: add_id_blocks
insert into id_blocks (tenant, kind)
select $1, kind from unnest(array[
    'concept', 'assertion', 'conflict', 'candidate', 'model', 'run',
    'document', 'wave', 'interaction', 'record', 'edit', 'rejection',
    'question', 'digest', 'backlog', 'dream', 'calibration', 'turn']) as kind
on conflict do nothing;

-- name: seed_config
insert into config (tenant, key, value)
select $1, key, value from unnest($2::text[], $3::text[]) as new (key, value)
on conflict do nothing;

-- name: seed_model
-- The one model that needs no key.
insert into models (tenant, id, provider, model_name) values ($1, $2, 'ollama', $3);

-- name: seed_dimensions
insert into dimensions (tenant, dim_id, question, is_isa)
select $1, dim_id, question, is_isa
from unnest($2::bigint[], $3::text[], $4::boolean[]) as new (dim_id, question, is_isa)
returning 1;

-- name: list_tenants
select tenant from tenants order by tenant;

-- The directory: which server serves a tenant.

-- name: directory
select tenant, server from heads order by tenant;

-- name: assign_tenant
-- Waits for the batch that is being written.
update heads set server = $2 where tenant = $1 returning tenant;
