-- What an operator wants to know of a database.

-- name: database_condition
select extract(epoch from clock_timestamp())::float8 as clock,
       pg_is_in_recovery() as is_replica,
       current_setting('max_connections')::int as connections_max,
       (select count(*) from pg_stat_activity
        where backend_type = 'client backend')::int as connections,
       (select count(*) from pg_stat_replication)::int as replicas,
       (select max(extract(epoch from replay_lag))
        from pg_stat_replication)::float8 as lag_seconds,
       pg_database_size(current_database()) as bytes;

-- name: queue_ages
-- How much waits in each queue, and since when. What is due later does not wait.
select 'reader' as queue, count(*) as waiting, min(said_at) as oldest from unread_turns
union all
select 'conversations', count(*), min(due_at) from interactions
where extract and state in ('open', 'closed', 'summarised') and due_at < now()
union all
select 'conflicts', count(*), min(created_at) from resolution_queue
where status = 'pending'
union all
select 'candidates', count(*), min(created_at) from candidates
where status = 'pending_validation'
union all
select 'reviews', count(*), min(pending_since) from memory_records
where status = 'candidate';

-- name: sessions
-- Whether some sessions work on a statement, or wait for a lock, and since when.
select pid, state = 'active' as active, state_change as since
from pg_stat_activity where pid = any ($1::int[]);
