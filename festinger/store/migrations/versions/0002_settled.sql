-- What was settled stays settled, every decision can be told and undone, and servers on
-- one database follow each other.

-- Statements that were settled against: dismissed, retracted, replaced by an update, or
-- rejected as a candidate. A machine that makes one again is only counted here; a
-- person who does lifts it.
create table tombstones (
    tenant           text not null,
    id               bigint not null,
    parent_id        bigint not null,
    dim_id           bigint not null,
    negated          boolean not null,
    ending           text not null check (ending in (
                         'dismissed', 'retracted', 'replaced', 'rejected')),
    -- the closed queue item on which further statements count; null if there is none
    conflict_id      bigint,
    statement_count  bigint not null default 0,
    created_at       timestamptz not null,
    primary key (tenant, id, parent_id, dim_id, negated),
    foreign key (tenant, id) references soas,
    foreign key (tenant, parent_id) references soas,
    foreign key (tenant, dim_id) references soas,
    foreign key (tenant, conflict_id) references resolution_queue
);

-- Statements that belong to another dimension since a decision: whoever makes one in
-- the old dimension makes it in the new.
create table redirects (
    tenant       text not null,
    id           bigint not null,
    parent_id    bigint not null,
    dim_id       bigint not null,
    negated      boolean not null,
    to_dim_id    bigint not null,
    created_at   timestamptz not null,
    primary key (tenant, id, parent_id, dim_id, negated),
    foreign key (tenant, id) references soas,
    foreign key (tenant, parent_id) references soas,
    foreign key (tenant, dim_id) references soas,
    foreign key (tenant, to_dim_id) references soas,
    check (dim_id <> to_dim_id)
);

-- A retraction is a row of the ledger too.
alter table assertions drop constraint assertions_outcome_check;
alter table assertions add constraint assertions_outcome_check check (outcome in (
    'held', 'corroborated', 'conflicted', 'candidate', 'rejected', 'retracted'));

-- Denials leave their history as edges do.
alter table urd_history add column negated boolean not null default false;

-- What was decided about an item before it was reopened: a list of decisions, each with
-- its time, oldest first.
alter table resolution_queue add column earlier jsonb not null default '[]';
-- what was decided about a concept, and what waited at a moment
create index resolution_queue_by_concept on resolution_queue (tenant, concept_id);

-- Which batch a version was: a server whose COMMIT was never answered looks for its own.
alter table change_log add column batch uuid;

-- Rows that cannot be part of a memory, as they were, and why. What is here is nowhere
-- else any more.
create table quarantine (
    tenant      text not null references tenants,
    found_at    timestamptz not null default now(),
    table_name  text not null,
    reason      text not null,
    content     jsonb not null
);
create index quarantine_by_tenant on quarantine (tenant, found_at);

-- An edge's ledger row is written before it, in the same transaction, and never deleted.
-- Postgres checked the key with a plan from the time when the ledger was empty, which
-- reads all of the tenant's ledger for every edge.
alter table urd drop constraint urd_tenant_assertion_id_fkey;
