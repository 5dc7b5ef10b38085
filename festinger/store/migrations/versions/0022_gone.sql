-- Whether a record's document does not say it any longer is a column of its own, so that it
-- is looked up for the records of a page only, and for all of them only where it is asked for.

create or replace view inbox_conflicts with (security_invoker = true) as
select tenant, cost, id as number, 0 as place, 'conflict' as kind, deferred_at, project,
       'moderator' as answerer, rule, source, collision_type as type,
       case when priority > 0 then array['contradicts', 'urgent'] else array['contradicts']
           end as marks,
       created_at as waits_since, '' as said, false as gone
from resolution_queue where status = 'pending';
create or replace view inbox_candidates with (security_invoker = true) as
select tenant, cost, id as number, 1 as place,
       case when status <> 'pending_validation' then 'flagged'
            -- with a deadline it is asked in chats, too
            when expires_at is null then 'statement' else 'question' end as kind,
       deferred_at, '' as project,
       case when flagged then 'moderator'
            when lane = 'author' and author <> '' then '@' || author else lane end
           as answerer,
       rule, coalesce(nullif(extractor_version, ''), proposer) as source,
       coalesce(nullif(predicate, ''), dimension) as type,
       array_remove(array[
           case when contradicts <> '' then 'contradicts' end,
           case when flagged then 'flagged' end,
           case when sensitive then 'sensitive' end,
           case when priority in ('critical', 'high') then 'urgent' end,
           case when confidence >= 0.7 then 'likely' when confidence < 0.5 then 'unlikely'
               end], null) as marks,
       created_at as waits_since, sentence as said, false as gone
from candidates where status = 'pending_validation' or flagged;
create or replace view inbox_records with (security_invoker = true) as
select tenant, cost, id as number, 2 as place, kind, deferred_at, project,
       'moderator' as answerer, rule, coalesce(nullif(extractor, ''), proposer) as source,
       type,
       array_remove(array[
           case when contradicts <> '{}' then 'contradicts' end,
           case when confidence >= 0.7 then 'likely' when confidence < 0.5 then 'unlikely'
               end], null) as marks,
       pending_since as waits_since, concat_ws(' ', content, subject) as said,
       exists (
           select from chunks c
           where c.tenant = memory_records.tenant and c.id = memory_records.chunk_id
             and not c.current
             and not exists (  -- said elsewhere in it, or among other words
                 select from chunks n
                 where n.tenant = c.tenant and n.document_id = c.document_id
                   and n.current
                   and strpos(n.text, substr(c.text, span_start + 1,
                                             span_end - span_start)) > 0)) as gone
from memory_records where status = 'candidate';
create or replace view inbox_settled with (security_invoker = true) as
select t.tenant, t.cost, t.again_assertion_id as number, 3 as place, 'settled' as kind,
       t.deferred_at, coalesce(o.project, '') as project, 'moderator' as answerer, a.rule,
       a.source, a.dimension as type, array[]::text[] as marks,
       a.created_at as waits_since, a.sentence as said, false as gone
from tombstones t
join assertions a on a.tenant = t.tenant and a.id = t.again_assertion_id
left join statement_origins o
    on o.tenant = t.tenant and o.assertion_id = t.again_assertion_id
where t.again_assertion_id is not null;
create or replace view inbox_feedback with (security_invoker = true) as
select tenant, 4::double precision as cost, id as number, 4 as place, 'feedback' as kind,
       deferred_at, project, 'moderator' as answerer, '' as rule, principal as source,
       split_part(line, '-', 1) as type, array['urgent'] as marks,
       created_at as waits_since, concat_ws(' ', text, quote) as said, false as gone
from line_feedback where state = 'open';
create or replace view inbox with (security_invoker = true) as
select * from inbox_conflicts union all select * from inbox_candidates
union all select * from inbox_records union all select * from inbox_settled
union all select * from inbox_feedback;

-- conflicts are listed the most urgent first, page by page
create index resolution_queue_by_priority on resolution_queue (tenant, priority desc, id);
