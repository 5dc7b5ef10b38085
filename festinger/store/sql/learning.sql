-- What is learnt from people's answers, and how validation goes.

-- name: validating
-- The memories that have candidates at all.
select tenant from tenants t
where exists (select from candidates f where f.tenant = t.tenant)
order by tenant;

-- name: ratings
select * from ratings where tenant = $1;

-- name: add_ratings
-- A memory that nothing is learnt of yet has no row.
insert into ratings (tenant) values ($1) on conflict do nothing;

-- name: lock_ratings
-- Who learns at the same time waits here.
select tenant from ratings where tenant = $1 for update;

-- name: votes_cast
select candidate_id, responder, role, response, before_visible, created_at
from validation_events
where tenant = $1
order by candidate_id, created_at, cid;

-- name: audited
-- Answers to questions whose answer is known: what somebody disputes is not known until
-- an operator has settled it.
select q.candidate_id, q.gold_answer, a.responder, a.answer, a.created_at
from audits a
join questions q on q.tenant = a.tenant and q.id = a.question_id
where a.tenant = $1 and q.gold
  and not exists (
      select from audits d
      join questions dq on dq.tenant = d.tenant and dq.id = d.question_id
      where d.tenant = a.tenant and dq.candidate_id = q.candidate_id
        and d.disputed and d.settled_by = '')
order by q.candidate_id, a.responder, a.created_at;

-- name: verdicts
-- What was decided: whether it is true, and what it would have weighed.
select f.id, f.status = 'confirmed' as true, f.belief, f.confidence, f.proposer,
       f.extractor_version, f.model_version,
       exists (
           select from validation_events e
           where e.tenant = f.tenant and e.candidate_id = f.id) as voted,
       coalesce((
           select max(c.saliency) from concepts c
           where c.tenant = f.tenant and c.token in (f.concept, f.parent)), 0) as saliency
from candidates f
where f.tenant = $1 and f.status in ('confirmed', 'rejected')
order by f.id;

-- name: shadows
-- What rules held outright, and what was said of the same later: whatever came last.
with held as (
    select a.tenant, a.id, a.concept, a.parent, a.dimension, a.rule, a.created_at
    from assertions a
    where a.tenant = $1 and a.source = 'inferred' and a.outcome = 'held'
      and not a.negated and a.created_at > $2
), said as (
    select h.id, l.created_at as at,
           l.negated or l.outcome = 'retracted' as denied
    from held h
    join assertions l on l.tenant = h.tenant and l.concept = h.concept
        and l.parent = h.parent and l.dimension = h.dimension and l.id <> h.id
        and l.created_at >= h.created_at
    where l.outcome = 'retracted'
       or l.source in ('gutask', 'validated', 'dreaming')
          and l.outcome in ('held', 'corroborated', 'conflicted')
    union all
    select h.id, b.created_at, true
    from held h
    join soas c on c.tenant = h.tenant and c.token = h.concept
    join soas p on p.tenant = h.tenant and p.token = h.parent
    join soas d on d.tenant = h.tenant and d.token = h.dimension
    join tombstones b on b.tenant = h.tenant and b.id = c.id and b.parent_id = p.id
        and b.dim_id = d.id and not b.negated
    where b.ending in ('retracted', 'replaced') and b.created_at >= h.created_at
    union all
    select h.id, f.decided_at, f.negated <> (f.status = 'rejected')
    from held h
    join candidates f on f.tenant = h.tenant and f.concept = h.concept
        and f.parent = h.parent and f.dimension = h.dimension
    where f.status in ('confirmed', 'rejected') and not f.belief
      and f.decided_at >= h.created_at
), last as (
    select distinct on (id) id, denied from said order by id, at desc, denied desc
)
select h.rule, h.created_at > $3 as recent,
       count(*) filter (where not l.denied) as agreed,
       count(*) filter (where l.denied) as denied
from held h join last l on l.id = h.id
group by 1, 2
order by 1, 2;

-- name: forget_raters
delete from raters where tenant = $1 and rater <> all($2::text[]);

-- name: save_raters
insert into raters (tenant, rater, yes_skill, no_skill, of_true, of_false, bloc, karma)
select $1, * from unnest(
    $2::text[], $3::double precision[], $4::double precision[], $5::integer[],
    $6::integer[], $7::text[], $8::double precision[])
on conflict (tenant, rater) do update set
    yes_skill = excluded.yes_skill, no_skill = excluded.no_skill,
    of_true = excluded.of_true, of_false = excluded.of_false,
    bloc = excluded.bloc, karma = excluded.karma;

-- name: save_ratings
update ratings set prior = $2, votes = $3, fitted_at = $4, drift = $5
where tenant = $1;

-- name: revisable
-- What votes confirmed, or what an earlier revision made pending, a page at a time. The
-- newest confirmation is first: it may wait for the end of an older one to be held.
select * from candidates
where tenant = $1 and (coalesce(confirmed_as, 0), id) < ($2, $3)
  and (status = 'confirmed' and decision_rule in ('two_distinct', 'posterior')
       or status = 'pending_validation' and decision_rule = 'weighed_anew')
order by coalesce(confirmed_as, 0) desc, id desc
limit $4;

-- name: revised
-- Unless something was learnt since.
update ratings set revised_at = fitted_at where tenant = $1 and fitted_at = $2;

-- name: add_calibration
insert into calibrations (
    tenant, id, extractor, method, parameters, bins, labels, brier_before, brier_after,
    fitted_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);

-- name: calibrations
-- The last of each extractor.
select distinct on (extractor) *
from calibrations
where tenant = $1
order by extractor, id desc;

-- name: raters
select * from raters where tenant = $1 order by rater collate "C";

-- name: reversals
-- What people confirmed, and what of it did not last: retracted, replaced, rejected after
-- all, or disputed, of which nobody counts more than once.
with confirmed as (
    select f.id from candidates f
    where f.tenant = $1 and f.status = 'confirmed' and f.decided_at > $2
), undone as (
    select f.id
    from tombstones b
    join soas c on c.tenant = b.tenant and c.id = b.id
    join soas p on p.tenant = b.tenant and p.id = b.parent_id
    join soas d on d.tenant = b.tenant and d.id = b.dim_id
    join candidates f on f.tenant = b.tenant and f.concept = c.token
        and f.parent = p.token and f.dimension = d.token and f.negated = b.negated
    where b.tenant = $1 and b.ending in ('retracted', 'replaced')
      and b.created_at > $2
      and f.status = 'confirmed' and f.decided_at <= b.created_at
    union
    select f.id from candidates f
    where f.tenant = $1 and f.status = 'rejected' and f.decided_at > $2
      -- it went through the gate before, which has its name for a rule
      and exists (
          select from assertions a
          where a.tenant = f.tenant and a.concept = f.concept and a.parent = f.parent
            and a.dimension = f.dimension and a.rule = 'candidate ' || f.id
            and a.source = 'validated')
), disputed as (
    select q.candidate_id as id, a.responder
    from audits a
    join questions q on q.tenant = a.tenant and q.id = a.question_id
    join candidates f on f.tenant = q.tenant and f.id = q.candidate_id
    where a.tenant = $1 and a.disputed and a.settled_by = '' and a.created_at > $2
      and f.status = 'confirmed'
      and q.candidate_id not in (select id from undone)
), counted as (
    select least(count(distinct id), count(distinct responder)) as disputed from disputed
)
select (select count(*) from undone) + c.disputed as reversed,
       (select count(*) from confirmed where id not in (select id from undone))
       + (select count(*) from undone)
       + greatest(0, c.disputed - (
           select count(distinct id) from disputed
           where id in (select id from confirmed))) as at_stake
from counted c;

-- name: set_breaker
-- Unless another server did.
update ratings set open_until = $2, reason = $3
where tenant = $1 and open_until is not distinct from $4 and reason = $5;

-- name: decided_since
-- Decided candidates in the order of their decision, a page at a time.
select * from candidates
where tenant = $1 and status in ('confirmed', 'rejected')
  and decided_at >= $2 and (decided_at, id) > ($3, $4)
  and (not sensitive or $5)
order by decided_at, id
limit $6;

-- name: answers_to
select candidate_id, responder, role, response, before_visible, created_at
from validation_events
where tenant = $1 and candidate_id = any($2::bigint[])
order by candidate_id, created_at, cid;

-- name: validation_priorities
select f.priority,
       count(*) filter (where f.created_at > $2) as proposed,
       count(*) filter (where resolved) as resolved,
       coalesce(percentile_cont(0.5) within group (
           order by extract(epoch from f.decided_at - asked.first)
       ) filter (where resolved and asked.first is not null), 0) as resolution_seconds,
       count(*) filter (where
           f.status = 'expired' and f.decided_at > $2
           or f.status = 'pending_validation' and f.expires_at < $3) as breached,
       count(*) filter (where f.status = 'pending_validation') as pending
from candidates f
cross join lateral (
    select f.status in ('confirmed', 'rejected') and f.decided_at > $2) as of (resolved)
left join lateral (
    select min(q.posted_at) as first from questions q
    where resolved and q.tenant = f.tenant and q.candidate_id = f.id and not q.gold
      -- as the index has it; a failed one was never posted
      and q.status <> 'failed' and q.posted_at <= f.decided_at) as asked on true
where f.tenant = $1
  and (f.created_at > $2 or f.decided_at > $2 or f.status = 'pending_validation')
group by f.priority;

-- name: validation_hours
-- Questions posted and answers received from $2 until $3, by the hour, oldest first.
with happened as (
    select date_bin('1 hour', posted_at, $2) as hour, 1 as posted, 0 as answered
    from questions where tenant = $1 and posted_at >= $2
    union all
    select date_bin('1 hour', created_at, $2), 0, 1
    from validation_events where tenant = $1 and created_at >= $2
    union all
    select date_bin('1 hour', created_at, $2), 0, 1
    from audits where tenant = $1 and created_at >= $2
)
select extract(epoch from hours.began)::double precision as began,
       coalesce(sum(h.posted), 0) as posted, coalesce(sum(h.answered), 0) as answered
from generate_series($2::timestamptz, $3::timestamptz, interval '1 hour')
    as hours (began)
left join happened h on h.hour = hours.began
group by hours.began
order by hours.began;

-- name: validation_counts
select
    (select count(*) from questions
     where tenant = $1 and posted_at > $2) as posted,
    (select count(*) from questions
     where tenant = $1 and status in ('waiting', 'posting')) as waiting,
    (select count(*) from validation_events
     where tenant = $1 and created_at > $2)
    + (select count(*) from audits where tenant = $1 and created_at > $2) as answered,
    (select count(*) from opt_outs
     where tenant = $1 and created_at > $2) as opted_out,
    (select count(*) from backlog
     where tenant = $1 and state in ('waiting', 'leased')) as backlog,
    (select count(distinct segment) from assertions
     where tenant = $1 and created_at > $2 and segment is not null)
    + (select count(distinct f.message_cid)
       from candidates f
       join assertions a on a.tenant = f.tenant and a.id = f.assertion_id
       where f.tenant = $1 and f.created_at > $2 and f.message_cid <> ''
         and a.segment is null) as messages,
    d.*, p.*,
    (select count(*) from (
        select from questions
        where tenant = $1 and posted_at > $2 and lane <> 'moderator'
        group by recipient, channel, date_trunc('day', posted_at at time zone $3)
        having count(distinct coalesce(-digest_id, id))
               > case when recipient <> '' then $4::integer else $5::integer end
    ) as crowds) as crowded
from (
    select count(*) filter (where status = 'confirmed') as confirmed,
           count(*) filter (where status = 'rejected') as rejected,
           count(*) filter (where status = 'expired') as expired,
           count(*) filter (where status = 'confirmed' and belief) as beliefs
    from candidates where tenant = $1 and decided_at > $2
) as d
cross join (
    select count(distinct recipient) as asked,
           count(distinct (recipient, coalesce(-digest_id, id))) as asked_each
    from questions
    where tenant = $1 and posted_at > $2 and recipient <> ''
) as p;
