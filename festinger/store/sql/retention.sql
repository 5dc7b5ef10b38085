-- Deletes what nobody needs after some time, a batch of it: the oldest rows lie in front.
-- Each answers how many rows went. The time is the database's: a server whose clock is
-- wrong deletes nothing too early.

-- name: prune_requests
-- Whoever repeats a call after that makes a new one.
with old as (
    select ctid from requests where tenant = $1 and created_at < now() - make_interval(days => $2) limit $3
), gone as (
    delete from requests where ctid = any(array(select ctid from old)) returning 1
)
select count(*) from gone;

-- name: prune_rejections
with old as (
    select ctid from rejections where tenant = $1 and created_at < now() - make_interval(days => $2) limit $3
), gone as (
    delete from rejections where ctid = any(array(select ctid from old)) returning 1
)
select count(*) from gone;

-- name: prune_usage
with old as (
    select ctid from model_usage where tenant = $1 and day < (now() - make_interval(days => $2))::date limit $3
), gone as (
    delete from model_usage where ctid = any(array(select ctid from old)) returning 1
)
select count(*) from gone;

-- name: prune_history
-- What was held, and is not any more. No world remembers it.
with old as (
    select ctid from urd_history where tenant = $1 and valid_to < now() - make_interval(days => $2) limit $3
), gone as (
    delete from urd_history where ctid = any(array(select ctid from old)) returning 1
)
select count(*) from gone;
