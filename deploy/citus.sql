-- Distributes the tables of a database by tenant, over the nodes of a Citus cluster. An
-- experiment, not for use: see docs/scaling.md.
--
-- 1. On every node: create role festinger login; create database festinger owner festinger;
-- 2. Start a server with the DSN of the coordinator as festinger, which is no superuser, and
--    stop it: it makes the schema.
-- 3. On every node, as a superuser: create extension citus; then citus_add_node() for each.
-- 4. On the coordinator, as festinger:
--      psql "$FESTINGER_DSN" -v ON_ERROR_STOP=1 -f deploy/citus.sql
-- 5. On the coordinator, as a superuser. Transactions say on each node whose rows they see;
--    the driver's look at the catalog is not slowed by hiding shards, which it is until a
--    time-out:
--      alter database festinger set citus.propagate_set_commands = 'local';
--      alter database festinger set citus.show_shards_for_app_name_prefixes = '*';

set citus.multi_shard_modify_mode to 'sequential';

-- Citus knows no subqueries in policies.
do $$
declare name text;
begin
    for name in select relname from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r' and relrowsecurity
    loop
        execute format('drop policy one_tenant on %I', name);
        execute format('drop policy every_tenant_is_read on %I', name);
        execute format(
            'create policy one_tenant on %I using (coalesce(
                tenant = current_setting(''festinger.tenant'', true), false))', name);
        execute format(
            'create policy every_tenant_is_read on %I for select
                using (current_setting(''festinger.every_tenant'', true) = ''on'')', name);
    end loop;
end $$;

-- References are put back once both sides are distributed.
create temporary table reference as
    select conrelid::regclass as name, conname, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace;
do $$
declare each record;
begin
    for each in select * from reference loop
        execute format('alter table %s drop constraint %I', each.name, each.conname);
    end loop;
end $$;

select create_reference_table('tenants');
select create_distributed_table(c.oid::regclass, 'tenant', colocate_with => 'none')
from pg_class c where oid = 'heads'::regclass;
select create_distributed_table(c.oid::regclass, 'tenant', colocate_with => 'heads')
from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant'
where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not a.attisdropped
    and c.relname not in ('tenants', 'heads')
order by c.relname;

do $$
declare each record;
begin
    for each in select * from reference loop
        execute format('alter table %s add constraint %I %s',
                       each.name, each.conname, each.definition);
    end loop;
end $$;

-- Without a key; their shards could not be moved while they are written to.
alter table quarantine replica identity full;
alter table urd_history replica identity full;
