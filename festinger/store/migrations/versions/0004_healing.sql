-- What heals a memory: models that are asked in the background, the concepts that wait
-- for them, and the runs that settle conflicts.

-- Language models. Keys are encrypted (AES-256-GCM) with the tenant, the row's number and
-- the provider as associated data: a key moved to another row cannot be read there.
create table models (
    tenant          text not null references tenants,
    id              bigint not null,
    provider        text not null check (provider in ('claude', 'openai', 'ollama')),
    model_name      text not null check (char_length(model_name) between 1 and 200),
    base_url        text not null default '' check (char_length(base_url) <= 500),
    -- which key of the key file, a nonce, the ciphertext; null if it needs no key
    api_key         bytea,
    -- the key's last four characters, for people
    api_key_hint    text not null default '' check (char_length(api_key_hint) <= 4),
    last_answer_at  timestamptz,
    last_error      text not null default '',
    created_at      timestamptz not null default now(),
    primary key (tenant, id)
);

-- What was spent on a model, by day (UTC) and purpose. Added to, never lowered.
create table model_usage (
    tenant         text not null,
    model_id       bigint not null,
    day            date not null,
    purpose        text not null,
    calls          bigint not null default 0,
    failures       bigint not null default 0,
    input_tokens   bigint not null default 0,
    output_tokens  bigint not null default 0,
    primary key (tenant, model_id, day, purpose),
    foreign key (tenant, model_id) references models on delete cascade
);

alter table id_blocks drop constraint id_blocks_kind_check;
alter table id_blocks add constraint id_blocks_kind_check check (kind in (
    'concept', 'assertion', 'conflict', 'factoid', 'model', 'run'));
insert into id_blocks (tenant, kind)
select tenant, kind from tenants, unnest(array['model', 'run']) as kind
on conflict do nothing;

-- Every memory knows one model that needs no key: Ollama's, at the shim's upstream.
insert into models (tenant, id, provider, model_name)
select tenant, 1, 'ollama', 'llama3.2' from tenants;
update id_blocks set next_id = 2 where kind = 'model';

-- Concepts that were met often and of which nothing is known: they wait until a model
-- says what they are.
create table write_queue (
    tenant           text not null,
    concept_id       bigint not null,
    -- waiting → done | failed; → waiting again once its count has doubled while it is
    -- unknown, and a failed one if a person wants it
    status           text not null default 'waiting'
                     check (status in ('waiting', 'done', 'failed')),
    -- the last few sentences in which it appeared, oldest first: a list of
    -- {text, principal, doubt}. Emptied when it is done.
    sentences        jsonb not null check (jsonb_typeof(sentences) = 'array'),
    -- its count when it was queued
    encounter_count  bigint not null,
    attempts         integer not null default 0,
    last_error       text not null default '',
    -- not asked before this moment: later after each failure
    due_at           timestamptz not null,
    -- who asks at the moment, and until when nobody else may
    leased_by        uuid,
    leased_until     timestamptz,
    -- what became of the answer: a list of {triple, outcome, reason}
    outcomes         jsonb not null default '[]' check (jsonb_typeof(outcomes) = 'array'),
    created_at       timestamptz not null,
    ended_at         timestamptz,
    primary key (tenant, concept_id),
    foreign key (tenant, concept_id) references soas on delete cascade,
    check ((status = 'waiting') = (ended_at is null)),
    check ((leased_by is null) = (leased_until is null))
);
create index write_queue_due on write_queue (tenant, due_at) where status = 'waiting';

-- The runs of the resolver.
create table runs (
    tenant     text not null references tenants,
    id         bigint not null,
    -- running → done | failed; one that its process did not survive fails at the next look
    state      text not null default 'running' check (state in ('running', 'done', 'failed')),
    principal  text not null,
    -- the moment of the schedule that it is for; null if a person asked
    due_at     timestamptz,
    -- the conflicts that it looks at; empty for all that are for models
    conflict_ids bigint[] not null default '{}',
    total      bigint not null default 0,
    resolved   bigint not null default 0,
    dismissed  bigint not null default 0,
    failed     bigint not null default 0,
    -- settled by others while it ran
    skipped    bigint not null default 0,
    error      text not null default '',
    started_at timestamptz not null,
    ended_at   timestamptz,
    primary key (tenant, id),
    check ((state = 'running') = (ended_at is null))
);
-- one run at a time, whichever server it is on
create unique index runs_one_running on runs (tenant) where state = 'running';
-- a moment of the schedule is run once
create unique index runs_once on runs (tenant, due_at) where due_at is not null;

-- Who does what only one process may do, and until when. Extended while it is done.
create table leases (
    tenant      text not null references tenants,
    name        text not null,
    holder      uuid not null,
    expires_at  timestamptz not null,
    primary key (tenant, name)
);

-- What a decision changed, as rows, so that it can be taken back exactly. Null while
-- the item is pending, and for decisions older than this column.
alter table resolution_queue add column effects jsonb;
-- Whether only a person may decide it: a decision about it was taken back.
alter table resolution_queue add column for_people boolean not null default false;

-- Since when an edge is held that a taken-back decision had ended; null for what is held
-- since its ledger row.
alter table urd add column restored_at timestamptz;
