-- What happened in a memory lately.

-- name: day_counts
-- How much was learnt, contradicted, settled, forgotten and rated since $2, and by whom.
select what, principal, count(*) as count from (
    select case outcome when 'held' then 'learnt' when 'conflicted' then 'contradicted'
               else 'forgotten' end as what, principal
    from assertions where tenant = $1 and created_at >= $2
      and outcome in ('held', 'conflicted', 'retracted')
    union all
    select 'settled', coalesce(resolution ->> 'principal', '')
    from resolution_queue
    where tenant = $1 and status <> 'pending' and resolved_at >= $2
    union all
    select verdict, principal from line_feedback where tenant = $1 and created_at >= $2
) as happened
group by 1, 2
order by 1, 3 desc, 2;

-- name: day_events
-- The newest $3 of each.
(select case a.outcome when 'held' then 'learnt' when 'conflicted' then 'contradicted'
            else 'forgotten' end as what,
        a.concept, a.dimension, a.parent, a.negated, a.principal,
        coalesce(o.quote, a.sentence) as quote, coalesce(a.conflict_id, 0) as conflict_id,
        a.created_at as happened
from unnest(array['held', 'conflicted', 'retracted']) as wanted (outcome)
cross join lateral (
    select * from assertions
    where tenant = $1 and created_at >= $2 and assertions.outcome = wanted.outcome
    order by created_at desc limit $3
) as a
left join statement_origins o on o.tenant = a.tenant and o.assertion_id = a.id)
union all
(select 'settled', c.token, d.token, p.token, q.incoming_negated,
        coalesce(q.resolution ->> 'principal', ''),
        coalesce(q.resolution ->> 'reasoning', ''), q.id, q.resolved_at
from resolution_queue q
join soas c on c.tenant = q.tenant and c.id = q.concept_id
join soas d on d.tenant = q.tenant and d.id = q.dim_id
join soas p on p.tenant = q.tenant and p.id = q.incoming_parent_id
where q.tenant = $1 and q.status <> 'pending' and q.resolved_at >= $2
order by q.resolved_at desc limit $3)
union all
(select verdict, '', '', text, false, principal, quote, 0, created_at
from line_feedback where tenant = $1 and created_at >= $2
order by created_at desc limit $3)
order by 9 desc;

-- name: trends
-- What happened on each day from $2 until $3, oldest first, and how much there was at its
-- end: all that came before the first day counts for it.
with happened as (
    select date_bin('1 day', created_at, $2) as day, outcome as what, count(*) as count
    from assertions where tenant = $1 and created_at >= $2
      and outcome in ('held', 'conflicted', 'retracted')
    group by 1, 2
    union all
    select date_bin('1 day', created_at, $2), verdict, count(*)
    from line_feedback where tenant = $1 and created_at >= $2
    group by 1, 2
    union all
    select date_bin('1 day', e.created_at, $2),
           case when e.response = f.status then 'agreed' else 'differed' end, count(*)
    from validation_events e
    join candidates f on f.tenant = e.tenant and f.id = e.candidate_id
    where e.tenant = $1 and e.created_at >= $2
      and e.response in ('confirmed', 'rejected')
      and f.status in ('confirmed', 'rejected')
    group by 1, 2
    union all
    select date_bin('1 day', greatest(a.created_at, $2), $2), 'facts', count(*)
    from urd u
    join assertions a on a.tenant = u.tenant and a.id = u.assertion_id
    where u.tenant = $1
    group by 1
    union all
    select date_bin('1 day', greatest(at, $2), $2), 'facts', sum(change)
    from urd_history
    cross join lateral (values (valid_from, 1), (valid_to, -1)) as turned (at, change)
    where tenant = $1 and assertion_id is not null
    group by 1
    union all
    select date_bin('1 day', greatest(said_at, $2), $2), 'sentences',
           sum(cardinality(array_remove(string_to_array(sentences, e'\n'), '')))
    from turns where tenant = $1
    group by 1
)
select extract(epoch from day)::double precision as began,
       coalesce(sum(count) filter (where what = 'held'), 0)::bigint as learnt,
       coalesce(sum(count) filter (where what = 'conflicted'), 0)::bigint as contradicted,
       coalesce(sum(count) filter (where what = 'retracted'), 0)::bigint as forgotten,
       coalesce(sum(count) filter (where what = 'helped'), 0)::bigint as helped,
       coalesce(sum(count) filter (where what = 'wrong'), 0)::bigint as wrong,
       coalesce(sum(count) filter (where what = 'agreed'), 0)::bigint as agreed,
       coalesce(sum(count) filter (where what = 'differed'), 0)::bigint as differed,
       coalesce(sum(sum(count) filter (where what = 'facts')) over by_day, 0)::bigint
           as facts,
       coalesce(sum(sum(count) filter (where what = 'sentences')) over by_day, 0)::bigint
           as sentences
from generate_series($2::timestamptz, $3::timestamptz, interval '1 day') as days (day)
left join happened using (day)
group by day
window by_day as (order by day)
order by day;
