-- How large the tables are, and how fast those grow to which rows are added for ever.

-- name: table_sizes
select c.relname::text as name, pg_total_relation_size(c.oid) as bytes,
       greatest(c.reltuples, 0)::bigint as rows
from pg_class c
where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
  and c.relname = any($1::text[])
order by bytes desc, name;

-- name: table_growth
-- Rows of the last seven days by table, and for how many days there is a memory.
with week as (select now() - interval '7 days' as since)
select added.name, added.rows,
       (select least(7, greatest(1, extract(epoch from now() - min(created_at)) / 86400))
        from tenants)::float8 as days
from week cross join lateral (
    select 'assertions' as name, count(*) as rows from assertions
    where created_at > since
    union all select 'requests', count(*) from requests where created_at > since
    union all select 'urd_history', count(*) from urd_history where valid_to > since
    union all select 'turns', count(*) from turns where said_at > since
    union all select 'rejections', count(*) from rejections where created_at > since
    union all select 'interactions', count(*) from interactions where created_at > since
    union all select 'candidates', count(*) from candidates where created_at > since
    union all select 'resolution_queue', count(*) from resolution_queue
    where created_at > since
    union all select 'validation_events', count(*) from validation_events
    where created_at > since
    union all select 'objects', count(*) from objects where created_at > since
    union all select 'meta_triples', count(*) from meta_triples where created_at > since
) as added;
