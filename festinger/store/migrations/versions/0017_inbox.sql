-- One list of everything that waits for people, the costliest mistakes first.
--
-- The cost of a mistake is how often something was stated, times the doubt about it, times
-- its urgency: `cost` in festinger/core/review/inbox.py, which a test compares.

alter table resolution_queue
    -- since when it is put aside; null if it is not
    add column deferred_at timestamptz,
    -- how the first such statement came: the rule that found it, its source, and in which
    -- project it was said; empty for none
    add column rule text not null default '',
    add column source text not null default '',
    add column project text not null default '',
    add column cost double precision not null generated always as (
        statement_count::double precision
        * case when priority > 0 then 4 else 1 end::double precision) stored;
update resolution_queue q set rule = a.rule, source = a.source
from assertions a
where a.tenant = q.tenant and a.id = q.incoming_assertion_id and q.status = 'pending';
update resolution_queue q set project = o.project
from statement_origins o
where o.tenant = q.tenant and o.assertion_id = q.incoming_assertion_id
  and q.status = 'pending' and o.project <> '';
create index resolution_queue_inbox on resolution_queue (tenant, cost desc, id)
    where status = 'pending';

alter table candidates
    add column deferred_at timestamptz,
    add column cost double precision not null generated always as (
        statement_count::double precision
        * case when contradicts <> '' then 1::double precision
               else 4::double precision * confidence * (1::double precision - confidence)
          end
        * case priority when 'critical' then 8 when 'high' then 4 when 'low' then 0.5
               else 1 end::double precision) stored;
create index candidates_inbox on candidates (tenant, cost desc, id)
    where status = 'pending_validation';

alter table memory_records
    add column cost double precision not null generated always as (
        (re_extraction_count + 1)::double precision
        * case when contradicts <> '{}' then 1::double precision
               else 4::double precision * confidence * (1::double precision - confidence)
          end) stored;
create index memory_records_inbox on memory_records (tenant, cost desc, id)
    where status = 'candidate';

-- What was settled and is stated again, until a person looks at it.
alter table tombstones
    add column deferred_at timestamptz,
    -- how often since a person decided, and the ledger row of the first; null for never
    add column again_count bigint not null default 0,
    add column again_assertion_id bigint,
    add column cost double precision not null generated always as (
        again_count::double precision * 0.5::double precision) stored,
    add foreign key (tenant, again_assertion_id) references assertions
        deferrable initially deferred;
create index tombstones_inbox on tombstones (tenant, cost desc, again_assertion_id)
    where again_assertion_id is not null;

-- What was decided in the inbox, as one person did it: taken back together.
create table inbox_decisions (
    tenant      text not null references tenants,
    id          uuid not null,
    principal   text not null,
    -- accept | reject | defer | resume
    action      text not null check (action in ('accept', 'reject', 'defer', 'resume')),
    -- a list of {item, was, edit}: what was decided, its likes too, the first one first
    items       jsonb not null check (jsonb_typeof(items) = 'array'),
    undone_by   text,
    undone_at   timestamptz,
    created_at  timestamptz not null,
    primary key (tenant, id),
    check ((undone_by is null) = (undone_at is null))
);
create index inbox_decisions_of_principal
    on inbox_decisions (tenant, principal, created_at desc);
alter table inbox_decisions enable row level security;
create policy one_tenant on inbox_decisions using (coalesce(
    tenant = (select current_setting('festinger.tenant', true)), false));
create policy every_tenant_is_read on inbox_decisions for select
    using ((select current_setting('festinger.every_tenant', true)) = 'on');

-- What waits for people, whether it is put aside or not. `place` and `number` name an item.
-- Each view reads an index in the order of the costs, which the union of them cannot.
create view inbox_conflicts with (security_invoker = true) as
select tenant, cost, id as number, 0 as place, 'conflict' as kind, deferred_at, project,
       'moderator' as answerer, rule, source
from resolution_queue where status = 'pending';
create view inbox_candidates with (security_invoker = true) as
select tenant, cost, id as number, 1 as place,
       -- with a deadline it is asked in chats, too
       case when expires_at is null then 'statement' else 'question' end as kind,
       deferred_at, '' as project,
       case when lane = 'author' and author <> '' then '@' || author else lane end
           as answerer,
       rule, coalesce(nullif(extractor_version, ''), proposer) as source
from candidates where status = 'pending_validation';
create view inbox_records with (security_invoker = true) as
select tenant, cost, id as number, 2 as place, kind, deferred_at, project,
       'moderator' as answerer, rule, coalesce(nullif(extractor, ''), proposer) as source
from memory_records where status = 'candidate';
create view inbox_settled with (security_invoker = true) as
select t.tenant, t.cost, t.again_assertion_id as number, 3 as place, 'settled' as kind,
       t.deferred_at, coalesce(o.project, '') as project, 'moderator' as answerer, a.rule,
       a.source
from tombstones t
join assertions a on a.tenant = t.tenant and a.id = t.again_assertion_id
left join statement_origins o
    on o.tenant = t.tenant and o.assertion_id = t.again_assertion_id
where t.again_assertion_id is not null;
create view inbox with (security_invoker = true) as
select * from inbox_conflicts union all select * from inbox_candidates
union all select * from inbox_records union all select * from inbox_settled;
