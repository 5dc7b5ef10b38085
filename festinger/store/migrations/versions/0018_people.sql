-- The inbox is the only list of what waits for people: it has what was decided and flagged
-- as well, and can be narrowed down by type, mark, age and words.

drop index candidates_inbox;
create index candidates_inbox on candidates (tenant, cost desc, id)
    where status = 'pending_validation' or flagged;

drop view inbox;
drop view inbox_conflicts;
drop view inbox_candidates;
drop view inbox_records;
drop view inbox_settled;

-- `place` and `number` name an item. `type` is the dimension or predicate of a statement, or
-- the type of a record; `said` the words in which it stands; `waits_since` its age.
create view inbox_conflicts with (security_invoker = true) as
select tenant, cost, id as number, 0 as place, 'conflict' as kind, deferred_at, project,
       'moderator' as answerer, rule, source, collision_type as type,
       case when priority > 0 then array['contradicts', 'urgent'] else array['contradicts']
           end as marks,
       created_at as waits_since, '' as said
from resolution_queue where status = 'pending';
create view inbox_candidates with (security_invoker = true) as
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
       created_at as waits_since, sentence as said
from candidates where status = 'pending_validation' or flagged;
create view inbox_records with (security_invoker = true) as
select tenant, cost, id as number, 2 as place, kind, deferred_at, project,
       'moderator' as answerer, rule, coalesce(nullif(extractor, ''), proposer) as source,
       type,
       array_remove(array[
           case when contradicts <> '{}' then 'contradicts' end,
           case when confidence >= 0.7 then 'likely' when confidence < 0.5 then 'unlikely'
               end], null) as marks,
       pending_since as waits_since, concat_ws(' ', content, subject) as said
from memory_records where status = 'candidate';
create view inbox_settled with (security_invoker = true) as
select t.tenant, t.cost, t.again_assertion_id as number, 3 as place, 'settled' as kind,
       t.deferred_at, coalesce(o.project, '') as project, 'moderator' as answerer, a.rule,
       a.source, a.dimension as type, array[]::text[] as marks,
       a.created_at as waits_since, a.sentence as said
from tombstones t
join assertions a on a.tenant = t.tenant and a.id = t.again_assertion_id
left join statement_origins o
    on o.tenant = t.tenant and o.assertion_id = t.again_assertion_id
where t.again_assertion_id is not null;

-- What people say of lines that prompts were told. It is kept when the line is forgotten.
create table line_feedback (
    tenant      text not null references tenants,
    id          bigint not null,
    -- names the line in the index
    line        text not null,
    -- the line as it is told, its quote, who said it, and in which project
    text        text not null,
    quote       text not null,
    speaker     text not null,
    project     text not null,
    verdict     text not null check (verdict in ('helped', 'wrong')),
    -- closed: it helped; open: it is wrong, and waits for a person; upheld: a person agreed;
    -- overruled: a person says that it is right
    state       text not null check (state in ('closed', 'open', 'upheld', 'overruled')),
    -- who said so, and of which prompt; empty if that is not known
    principal   text not null,
    prompt      text not null,
    -- the statements that were retracted with it, as `gutask iknowthat` takes them
    facts       text[] not null default '{}',
    deferred_at timestamptz,
    created_at  timestamptz not null,
    primary key (tenant, id)
);
-- somebody's praise of a line counts once
create unique index line_feedback_once on line_feedback (tenant, line, principal)
    where verdict = 'helped';
create index line_feedback_open on line_feedback (tenant, id) where state = 'open';
alter table line_feedback enable row level security;
create policy one_tenant on line_feedback using (coalesce(
    tenant = (select current_setting('festinger.tenant', true)), false));
create policy every_tenant_is_read on line_feedback for select
    using ((select current_setting('festinger.every_tenant', true)) = 'on');
create view inbox_feedback with (security_invoker = true) as
select tenant, 4::double precision as cost, id as number, 4 as place, 'feedback' as kind,
       deferred_at, project, 'moderator' as answerer, '' as rule, principal as source,
       split_part(line, '-', 1) as type, array['urgent'] as marks,
       created_at as waits_since, concat_ws(' ', text, quote) as said
from line_feedback where state = 'open';
create view inbox with (security_invoker = true) as
select * from inbox_conflicts union all select * from inbox_candidates
union all select * from inbox_records union all select * from inbox_settled
union all select * from inbox_feedback;
