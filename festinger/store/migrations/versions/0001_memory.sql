-- The memory: concepts, facts, what was refused, what waits, and the ledger of it all.
--
-- Every key begins with the tenant, every unique index too: it is the distribution
-- key once one machine is not enough. Numbers come from id_blocks, so that no
-- sequence has to be global.

create table tenants (
    tenant      text primary key check (tenant ~ '^[a-z0-9][a-z0-9_.-]{0,62}$'),
    created_at  timestamptz not null default now()
);

-- How many commits each tenant has seen. Bumped last in every transaction that
-- changes a fact, so that its row is locked for the shortest time.
create table heads (
    tenant   text primary key references tenants,
    version  bigint not null default 0
);

-- What each version changed: other servers take over the concepts named here.
create table change_log (
    tenant       text not null references tenants,
    version      bigint not null,
    concept_ids  bigint[] not null,
    created_at   timestamptz not null default now(),
    primary key (tenant, version)
);

-- The next unused number of each kind; a server takes a block of them at a time.
create table id_blocks (
    tenant   text not null references tenants,
    kind     text not null check (kind in ('concept', 'assertion', 'conflict', 'factoid')),
    next_id  bigint not null default 1,
    primary key (tenant, kind)
);

-- Settings that may change while the server runs. A row whose updated_at is null
-- still has the default that it was seeded with.
create table config (
    tenant      text not null references tenants,
    key         text not null,
    value       text not null,
    updated_at  timestamptz,
    primary key (tenant, key)
);

-- The vocabulary: a row for every token that was met and is worth one.
create table soas (
    tenant         text not null references tenants,
    id             bigint not null,
    token          text not null check (token <> '' and char_length(token) <= 64),
    -- 1 once a fact placed it
    novelty        double precision not null default 0 check (novelty between 0 and 1),
    is_dictionary  boolean not null default false,
    created_at     timestamptz not null default now(),
    primary key (tenant, id)
);
-- one number per token
create unique index soas_one_id on soas (tenant, token);

-- The counters of the vocabulary, apart and narrow: they change all the time, by
-- addition only.
create table encounters (
    tenant           text not null,
    id               bigint not null,
    encounter_count  bigint not null check (encounter_count >= 0),
    last_seen        timestamptz not null,
    primary key (tenant, id),
    foreign key (tenant, id) references soas on delete cascade
) with (fillfactor = 70);

-- The counter batches that were applied: one whose COMMIT was never answered is sent
-- again and counts once.
create table flushes (
    tenant      text not null references tenants,
    origin      uuid not null,
    sequence    bigint not null,
    created_at  timestamptz not null default now(),
    primary key (tenant, origin, sequence)
);

-- The vocabulary with its counters, as the specification draws it.
create view concepts as
select s.tenant,
       s.id,
       s.token,
       coalesce(e.encounter_count, 0) as encounter_count,
       e.last_seen,
       case when s.is_dictionary then 0
            else log(greatest(coalesce(e.encounter_count, 0), 1)::double precision)
       end as saliency,
       s.novelty,
       s.is_dictionary
from soas s
left join encounters e on e.tenant = s.tenant and e.id = s.id;

-- The dimensions, which are concepts too. Before a cycle check their rows are locked
-- in the order of their ids.
create table dimensions (
    tenant      text not null,
    dim_id      bigint not null,
    question    text not null default '',
    is_isa      boolean not null,
    created_at  timestamptz not null default now(),
    primary key (tenant, dim_id),
    foreign key (tenant, dim_id) references soas
);

-- The ledger: every statement that was judged, and what became of it. Append-only.
create table assertions (
    tenant       text not null references tenants,
    id           bigint not null,
    concept      text not null,
    parent       text not null,
    dimension    text not null,
    is_isa       boolean not null,
    negated      boolean not null,
    confidence   double precision not null check (confidence between 0 and 1),
    source       text not null check (source in (
                     'gutask', 'inferred', 'cloud_llm', 'festinger', 'extracted',
                     'promoted', 'validated', 'dreaming')),
    principal    text not null,
    proposer     text not null,
    subject      text not null default '',
    -- the sentence it stood in, and the rule that found it
    sentence     text not null default '' check (char_length(sentence) <= 400),
    rule         text not null default '',
    -- the turn it stood in, and which of its statements it is
    segment      bytea check (octet_length(segment) between 1 and 32),
    ordinal      integer not null default 0,
    outcome      text not null check (outcome in (
                     'held', 'corroborated', 'conflicted', 'candidate', 'rejected')),
    reason       text not null default '',
    message      text not null default '',
    -- what was held in its dimension then, with names: {parent, is_isa, confidence, …}
    fact         jsonb,
    conflict_id  bigint,
    factoid_id   bigint,
    created_at   timestamptz not null default now(),
    primary key (tenant, id)
);
-- a statement of a prompt is judged once, however often the prompt is sent
create unique index assertions_once on assertions (tenant, segment, ordinal)
    where segment is not null;
-- who stated this before: a principal corroborates a fact once
create index assertions_by_triple
    on assertions (tenant, concept, parent, dimension, principal);

-- The graph: a concept IN a parent, within a dimension. A row whose three ids are
-- equal is the root of a dimension, the one allowed self-reference.
create table urd (
    tenant          text not null,
    id              bigint not null,
    parent_id       bigint not null,
    dim_id          bigint not null,
    is_isa          boolean not null,
    confidence      double precision not null check (confidence between 0 and 1),
    last_confirmed  timestamptz not null,
    source          text not null check (source in (
                        'gutask', 'inferred', 'cloud_llm', 'festinger', 'extracted',
                        'promoted', 'validated', 'dreaming')),
    modality        text not null default 'asserted' check (modality in ('asserted', 'belief')),
    -- the ledger row that made it; null for a root
    assertion_id    bigint,
    primary key (tenant, id, parent_id, dim_id),
    foreign key (tenant, id) references soas,
    foreign key (tenant, parent_id) references soas,
    foreign key (tenant, dim_id) references dimensions,
    foreign key (tenant, assertion_id) references assertions,
    check (id <> parent_id or parent_id = dim_id)
);
-- one parent per concept per dimension: this is where a contradiction is refused
create unique index urd_one_parent on urd (tenant, id, dim_id);
-- what is placed in a concept
create index urd_by_parent on urd (tenant, parent_id);

-- Edges that are no longer held. Append-only.
create table urd_history (
    tenant          text not null,
    id              bigint not null,
    parent_id       bigint not null,
    dim_id          bigint not null,
    is_isa          boolean not null,
    confidence      double precision not null,
    last_confirmed  timestamptz not null,
    source          text not null,
    modality        text not null,
    assertion_id    bigint,
    valid_from      timestamptz not null,
    valid_to        timestamptz not null,
    -- what ended it. Example: conflict 7
    closed_by       text not null
);
create index urd_history_by_concept on urd_history (tenant, id, dim_id, valid_to);

-- Statements of what is not so.
create table denials (
    tenant        text not null,
    id            bigint not null,
    parent_id     bigint not null,
    dim_id        bigint not null,
    assertion_id  bigint not null,
    created_at    timestamptz not null default now(),
    primary key (tenant, id, parent_id, dim_id),
    foreign key (tenant, id) references soas,
    foreign key (tenant, parent_id) references soas,
    foreign key (tenant, dim_id) references soas,
    foreign key (tenant, assertion_id) references assertions
);

-- Contradictions that were refused, until somebody settles them.
create table resolution_queue (
    tenant                text not null,
    id                    bigint not null,
    concept_id            bigint not null,
    existing_parent_id    bigint,
    incoming_parent_id    bigint not null,
    dim_id                bigint not null,
    collision_type        text not null check (collision_type in (
                              'isa_isa', 'ispart_ispart', 'misclassification', 'cycle',
                              'negation')),
    -- pending → resolved: the graph changed; pending → dismissed: it stayed
    status                text not null default 'pending'
                              check (status in ('pending', 'resolved', 'dismissed')),
    priority              integer not null default 0,
    incoming_is_isa       boolean not null,
    incoming_negated      boolean not null default false,
    -- the ledger row of the first such statement: its principal, source and evidence
    incoming_assertion_id bigint not null,
    statement_count       bigint not null default 1,
    attempts              integer not null default 0,
    last_error            text,
    -- {decision, principal, reasoning}
    resolution            jsonb,
    created_at            timestamptz not null default now(),
    resolved_at           timestamptz,
    primary key (tenant, id),
    foreign key (tenant, concept_id) references soas,
    foreign key (tenant, existing_parent_id) references soas,
    foreign key (tenant, incoming_parent_id) references soas,
    foreign key (tenant, dim_id) references soas,
    -- the ledger row names the item and the item the row: checked at commit
    foreign key (tenant, incoming_assertion_id) references assertions
        deferrable initially deferred,
    check ((status = 'pending') = (resolved_at is null))
);
-- one pending item per refused statement: further ones count on it
create unique index resolution_queue_one_pending on resolution_queue
    (tenant, concept_id, dim_id, incoming_parent_id, incoming_negated)
    where status = 'pending';

-- Statements that wait for people.
create table factoids (
    tenant           text not null references tenants,
    id               bigint not null,
    concept          text not null,
    parent           text not null,
    dimension        text not null,
    is_isa           boolean not null,
    negated          boolean not null,
    confidence       double precision not null check (confidence between 0 and 1),
    source           text not null,
    rule             text not null default '',
    reason           text not null default '',
    -- what put it forward, and whose text it stood in
    proposer         text not null,
    author           text not null,
    subject          text not null default '',
    sentence         text not null default '',
    -- pending_validation → confirmed | rejected | expired
    status           text not null default 'pending_validation' check (status in (
                         'pending_validation', 'confirmed', 'rejected', 'expired')),
    assertion_id     bigint not null,
    statement_count  bigint not null default 1,
    decided_by       text,
    created_at       timestamptz not null default now(),
    decided_at       timestamptz,
    primary key (tenant, id),
    foreign key (tenant, assertion_id) references assertions
        deferrable initially deferred,
    -- whoever proposed it does not approve it
    check (decided_by is distinct from proposer),
    check ((status = 'pending_validation') = (decided_at is null))
);
-- one pending candidate per statement: further ones count on it
create unique index factoids_one_pending on factoids
    (tenant, concept, parent, dimension, is_isa, negated)
    where status = 'pending_validation';

-- Calls that were answered: the same request_id gets the same answer and changes
-- nothing twice.
create table requests (
    tenant        text not null references tenants,
    principal     text not null,
    request_id    text not null check (char_length(request_id) between 1 and 128),
    method        text not null,
    payload_hash  bytea not null,
    -- what the answer is read from again: {assertion_id, conflict_id, factoid_id, version}
    response      jsonb not null,
    created_at    timestamptz not null default now(),
    primary key (tenant, principal, request_id)
);
