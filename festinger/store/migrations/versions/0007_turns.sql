-- What people say is kept: the sentences of a turn that could help later.

alter table id_blocks drop constraint id_blocks_kind_check;
alter table id_blocks add constraint id_blocks_kind_check check (kind in (
    'concept', 'assertion', 'conflict', 'factoid', 'model', 'run',
    'document', 'wave', 'interaction', 'claim', 'edit', 'rejection',
    'question', 'digest', 'backlog', 'dream', 'calibration', 'turn'));
insert into id_blocks (tenant, kind)
select tenant, 'turn' from tenants
on conflict do nothing;

create table turns (
    tenant     text not null references tenants,
    id         bigint not null,
    -- who said it, and on whose behalf the server was asked
    speaker    text not null,
    principal  text not null,
    -- where; empty for nowhere in particular
    project    text not null default '',
    session    text not null default '',
    said_at    timestamptz not null,
    -- of its text without secrets
    digest     bytea not null check (length(digest) = 16),
    -- one element a sentence in each; a sentence that was forgotten is empty
    sentences  text[] not null,
    headings   text[] not null,
    marks      integer[] not null,
    -- what a confirmation confirms, of the turn before it; null where none does
    answers    text[],
    -- who may be told, {only, without}; null for everybody
    audience   jsonb,
    -- which instructions in it a person confirmed for everybody
    confirmed  integer[] not null default '{}',
    primary key (tenant, id)
);
-- The same words of the same person in the same place are kept once.
create unique index turns_by_digest on turns (tenant, digest, speaker, project);
create index turns_by_time on turns (tenant, said_at);

-- Which turns a batch wrote, changed or removed, for the servers that follow.
alter table change_log add column turns bigint[] not null default '{}';

-- What names a concept: one that nothing names may be dropped.
create view named_concepts as
    select tenant, dim_id as id from dimensions
    union all select tenant, unnest(array[id, parent_id]) from urd
    union all select tenant, unnest(array[id, parent_id, dim_id]) from urd_history
    union all select tenant, unnest(array[id, parent_id, dim_id]) from denials
    union all select tenant, unnest(array[id, parent_id, dim_id]) from tombstones
    union all select tenant, unnest(array[id, parent_id, dim_id, to_dim_id]) from redirects
    union all select tenant,
        unnest(array[concept_id, existing_parent_id, incoming_parent_id, dim_id])
        from resolution_queue;
