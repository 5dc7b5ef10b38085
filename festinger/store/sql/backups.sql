-- What a backup has to know of the schema.

-- name: columns_of_tables
-- The columns of those tables that are there, but for computed ones.
select c.relname::text as name,
       array_agg(a.attname::text order by a.attnum) as columns
from pg_class c join pg_attribute a on a.attrelid = c.oid
where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
  and c.relname = any($1::text[])
  and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
group by c.relname order by c.relname;

-- name: references
select conrelid::regclass::text as table, conname::text as name,
       pg_get_constraintdef(oid) as definition
from pg_constraint
where contype = 'f' and connamespace = 'public'::regnamespace
order by conrelid::regclass::text, conname;

-- name: sequences
-- Those that gave out a number.
select sequencename::text as name, last_value from pg_sequences
where schemaname = 'public' and last_value is not null;

-- name: servers_of_database
-- How many connections memory servers have.
select count(*) from pg_stat_activity
where datname = current_database() and application_name = 'festinger';
