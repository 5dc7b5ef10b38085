-- Everything that waits for people, and what they decided.

-- name: inbox_page
-- Behind ($12, $13, $14), the costliest mistakes first. It is asked of each table's view.
select cost, number, place, kind, deferred_at, project, answerer, rule, source, gone
from inbox
where tenant = $1 and (deferred_at is not null) = $2
  and (cardinality($3::text[]) = 0 or kind = any($3))
  and ($4 = '' or project = $4) and ($5 = '' or answerer = $5)
  and ($6 = '' or rule = $6) and ($7 = '' or source = $7)
  and ($8 = '' or type = $8)
  and ($9 = '' or $9 = 'gone' and gone or $9 <> 'gone' and $9 = any(marks))
  and ($10::timestamptz is null or waits_since < $10)
  and ($11 = '' or strpos(lower(said), lower($11)) > 0)
  and cost <= $12 and (cost < $12 or number > $13 or number = $13 and place > $14)
order by cost desc, number, place
limit $15;

-- name: inbox_item
select * from inbox where tenant = $1 and place = $2 and number = $3;

-- name: inbox_counts
-- Table by table: few groups of few columns are counted faster than all of the view.
select 'conflict' as kind, project, 'moderator' as answerer,
       deferred_at is not null as deferred, count(*) as count
from resolution_queue where tenant = $1 and status = 'pending'
group by 2, 4
union all
select case when not pending then 'flagged' when asked then 'question' else 'statement' end,
       '',
       case when flagged then 'moderator'
            when lane = 'author' and author <> '' then '@' || author else lane end,
       deferred, count
from (
    select status = 'pending_validation' as pending, expires_at is not null as asked,
           flagged, lane, author, deferred_at is not null as deferred, count(*) as count
    from candidates where tenant = $1 and (status = 'pending_validation' or flagged)
    group by 1, 2, 3, 4, 5, 6
) as candidates
union all
select kind, project, case when subject <> '' then '@' || subject else 'moderator' end,
       deferred, count
from (
    select kind, project, subject, deferred_at is not null as deferred, count(*) as count
    from memory_records where tenant = $1 and status = 'candidate'
    group by 1, 2, 3, 4
) as records
union all
select kind, project, answerer, deferred_at is not null, count(*)
from inbox_settled where tenant = $1
group by 1, 2, 3, 4
union all
select kind, project, answerer, deferred_at is not null, count(*)
from inbox_feedback where tenant = $1
group by 1, 2, 3, 4;

-- name: inbox_size
-- How many wait, counted up to $2.
select count(*) from (
    select 1 from inbox where tenant = $1 and deferred_at is null limit $2
) as waiting;

-- name: settled_again
select a.*, t.ending, coalesce(t.conflict_id, 0) as closed_id,
       t.again_count, coalesce(o.quote, a.sentence) as evidence
from tombstones t
join assertions a on a.tenant = t.tenant and a.id = t.again_assertion_id
left join statement_origins o
    on o.tenant = t.tenant and o.assertion_id = t.again_assertion_id
where t.tenant = $1 and t.again_assertion_id = any($2::bigint[]);

-- name: stated_triples
-- What rows of the ledger state.
select * from assertions where tenant = $1 and id = any($2::bigint[]);

-- name: alike
-- Waiting items that make the same statement, or say the same.
select 0 as place, q.id as number
from resolution_queue q
join soas c on c.tenant = q.tenant and c.id = q.concept_id
join soas p on p.tenant = q.tenant and p.id = q.incoming_parent_id
join soas d on d.tenant = q.tenant and d.id = q.dim_id
where q.tenant = $1 and q.status = 'pending'
  and c.token = $2 and p.token = $3 and d.token = $4 and q.incoming_negated = $5
union all
select 1, id from candidates
where tenant = $1 and status = 'pending_validation'
  and concept = $2 and parent = $3 and dimension = $4 and negated = $5
union all
select 2, id from memory_records
where tenant = $1 and status = 'candidate'
  and (normalized_content = any($6::text[]) or lower(fact) = any($7::text[]))
order by 1, 2
limit $8;

-- name: defer_conflict
update resolution_queue set deferred_at = $3
where tenant = $1 and id = $2 and status = 'pending' returning id;

-- name: defer_candidate
update candidates set deferred_at = $3
where tenant = $1 and id = $2 and status = 'pending_validation' returning id;

-- name: defer_settled
update tombstones set deferred_at = $3
where tenant = $1 and again_assertion_id = $2 returning again_assertion_id;

-- name: keep_settled
-- It stays settled until it is stated again.
with old as (
    select id, dim_id, parent_id, negated, again_count from tombstones
    where tenant = $1 and again_assertion_id = $2
    for update
), kept as (
    update tombstones t set again_count = 0, again_assertion_id = null, deferred_at = null
    from old
    where t.tenant = $1 and t.id = old.id and t.dim_id = old.dim_id
      and t.parent_id = old.parent_id and t.negated = old.negated
)
select again_count from old;

-- name: unkeep_settled
-- What was stated since counts as well.
update tombstones t
set again_count = t.again_count + $3, again_assertion_id = $2
from assertions a
join soas c on c.tenant = a.tenant and c.token = a.concept
join soas p on p.tenant = a.tenant and p.token = a.parent
join soas d on d.tenant = a.tenant and d.token = a.dimension
where a.tenant = $1 and a.id = $2 and t.tenant = $1 and t.id = c.id
  and t.parent_id = p.id and t.dim_id = d.id and t.negated = a.negated
returning t.id;

-- name: add_inbox_decision
-- Each item is added by the transaction that decides it.
insert into inbox_decisions as d (tenant, id, principal, action, items, created_at)
values ($1, $2, $3, $4, $5, $6)
on conflict (tenant, id) do update set items = d.items || excluded.items;

-- name: inbox_decision
select * from inbox_decisions where tenant = $1 and id = $2;

-- name: last_inbox_decision
select * from inbox_decisions
where tenant = $1 and principal = $2 and undone_by is null
order by created_at desc limit 1;

-- name: inbox_decisions
select * from inbox_decisions
where tenant = $1 and ($2::timestamptz is null or (created_at, id) < ($2, $3::uuid))
order by created_at desc, id desc
limit $4;

-- name: inbox_decision_about
-- The latest of those that decided an item.
select * from inbox_decisions
where tenant = $1 and undone_by is null and items @> $2::jsonb
    and not items @> jsonb_set($2::jsonb, '{0,undone}', 'true')
order by created_at desc limit 1;

-- name: undo_inbox_item
-- The decision is undone together with the last of its items.
update inbox_decisions as d set (items, undone_by, undone_at) = (
    select
        jsonb_agg(item order by place),
        case when bool_and(item ? 'undone') then $4 end,
        case when bool_and(item ? 'undone') then $5::timestamptz end
    from (
        select place, case
            when item ->> 'item' = $3 then item || '{"undone": true}' else item
        end as item
        from jsonb_array_elements(d.items) with ordinality as listed (item, place)
    ) as marked
)
where tenant = $1 and id = $2 and undone_by is null;

-- name: undo_inbox_decision
update inbox_decisions set undone_by = $3, undone_at = $4
where tenant = $1 and id = $2 and undone_by is null returning id;
