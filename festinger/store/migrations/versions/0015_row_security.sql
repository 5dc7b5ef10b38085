-- A second wall between tenants: a statement that forgets its tenant finds only the rows
-- of the tenant that its transaction runs for, and none if it runs for no tenant.
--
-- The settings are in subqueries, so that they are read once for each statement instead
-- of for each row. `coalesce` hides the comparison from the planner, which would count it
-- a second time beside the statement's own and expect almost no rows of many tenants.
do $$
declare
    name text;
begin
    for name in
        select c.relname from pg_class c
        join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant'
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
            and not a.attisdropped
    loop
        execute format(
            'alter table %1$I enable row level security;
            create policy one_tenant on %1$I using (coalesce(
                tenant = (select current_setting(''festinger.tenant'', true)), false));
            create policy every_tenant_is_read on %1$I for select
                using ((select current_setting(''festinger.every_tenant'', true)) = ''on'')',
            name);
    end loop;
    -- Else a view reads what its owner may, who may be a superuser.
    for name in select viewname from pg_views where schemaname = 'public' loop
        execute format('alter view %I set (security_invoker = true)', name);
    end loop;
end $$;
