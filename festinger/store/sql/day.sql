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
