-- Deletes what nobody needs after some time, a batch of it: the oldest rows lie in front.
-- Each answers how many rows went. The time is the database's: a server whose clock is
-- wrong deletes nothing too early.

-- name: prune_requests
-- Whoever repeats a call after that makes a new one.
with old as (
    select principal, request_id from requests
    where tenant = $1 and created_at < now() - make_interval(days => $2) limit $3
), gone as (
    delete from requests using old
    where requests.tenant = $1 and requests.principal = old.principal
      and requests.request_id = old.request_id
    returning 1
)
select count(*) from gone;

-- name: prune_rejections
with old as (
    select id from rejections
    where tenant = $1 and created_at < now() - make_interval(days => $2) limit $3
), gone as (
    delete from rejections using old
    where rejections.tenant = $1 and rejections.id = old.id
    returning 1
)
select count(*) from gone;

-- name: prune_usage
with old as (
    select model_id, day, purpose from model_usage
    where tenant = $1 and day < (now() - make_interval(days => $2))::date limit $3
), gone as (
    delete from model_usage u using old
    where u.tenant = $1 and u.model_id = old.model_id and u.day = old.day
      and u.purpose = old.purpose
    returning 1
)
select count(*) from gone;

-- name: prune_history
-- What was held, and is not any more. No world remembers it. Rows without a key of their
-- own that ended together go together, so that it may be more than the limit.
with old as (
    select id, dim_id, valid_to from urd_history
    where tenant = $1 and valid_to < now() - make_interval(days => $2) limit $3
), gone as (
    delete from urd_history h using old
    where h.tenant = $1 and h.id = old.id and h.dim_id = old.dim_id
      and h.valid_to = old.valid_to
    returning 1
)
select count(*) from gone;
