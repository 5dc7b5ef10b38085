-- Each project has its cycle of reviews, so that none waits for the people of another.

alter table review_cycles add column project text not null default '';
alter table review_cycles alter column project drop default;
alter table review_cycles drop constraint review_cycles_pkey;
alter table review_cycles add primary key (tenant, project);
insert into review_cycles (tenant, project, number, written)
select r.tenant, m.project, r.number, count(*)
from review_cycles r
join memory_records m on m.tenant = r.tenant and m.cycle = r.number
where m.project <> ''
group by r.tenant, m.project, r.number;
update review_cycles r
set written = (select count(*) from memory_records m
               where m.tenant = r.tenant and m.cycle = r.number and m.project = '')
where r.project = '';

-- Of records that are as doubtful, the inbox has first what says more. One that its
-- document does not say any longer is marked.
drop view inbox;
drop view inbox_records;
alter table memory_records drop column cost;
alter table memory_records
    add column cost double precision not null generated always as (
        (re_extraction_count + 1)::double precision
        * case when contradicts <> '{}' then 1::double precision
               else 4::double precision * confidence * (1::double precision - confidence)
          end
        * (1::double precision + 0.1::double precision * rank)) stored;
create index memory_records_inbox on memory_records (tenant, cost desc, id)
    where status = 'candidate';
create view inbox_records with (security_invoker = true) as
select tenant, cost, id as number, 2 as place, kind, deferred_at, project,
       'moderator' as answerer, rule, coalesce(nullif(extractor, ''), proposer) as source,
       type,
       array_remove(array[
           case when contradicts <> '{}' then 'contradicts' end,
           case when confidence >= 0.7 then 'likely' when confidence < 0.5 then 'unlikely'
               end,
           case when exists (
               select from chunks c
               where c.tenant = memory_records.tenant and c.id = memory_records.chunk_id
                 and not c.current
                 and not exists (  -- said elsewhere in it, or among other words
                     select from chunks n
                     where n.tenant = c.tenant and n.document_id = c.document_id
                       and n.current
                       and strpos(n.text, substr(c.text, span_start + 1,
                                                 span_end - span_start)) > 0))
               then 'gone' end], null) as marks,
       pending_since as waits_since, concat_ws(' ', content, subject) as said
from memory_records where status = 'candidate';
create view inbox with (security_invoker = true) as
select * from inbox_conflicts union all select * from inbox_candidates
union all select * from inbox_records union all select * from inbox_settled
union all select * from inbox_feedback;

-- What waits for the next cycle of a project, the best first.
drop index memory_records_by_rank;
create index memory_records_by_rank on memory_records (tenant, project, rank desc, id)
    where status = 'overflow';
