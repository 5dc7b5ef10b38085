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

-- What waits for the next cycle of a project, the best first.
drop index memory_records_by_rank;
create index memory_records_by_rank on memory_records (tenant, project, rank desc, id)
    where status = 'overflow';
