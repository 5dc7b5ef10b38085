-- From text to trusted state: what was read (L0), what was made of it (claims: memories,
-- L1, and entities, L2), what people did with that, and the state they curate (L3).

alter table id_blocks drop constraint id_blocks_kind_check;
alter table id_blocks add constraint id_blocks_kind_check check (kind in (
    'concept', 'assertion', 'conflict', 'factoid', 'model', 'run',
    'document', 'wave', 'interaction', 'claim', 'edit', 'rejection'));
insert into id_blocks (tenant, kind)
select tenant, kind from tenants, unnest(array[
    'document', 'wave', 'interaction', 'claim', 'edit', 'rejection']) as kind
on conflict do nothing;

-- Whose memories are others with that version, so that who follows reads just these.
alter table change_log add column subjects text[] not null default '{}';

-- One run of reading documents.
create table waves (
    tenant      text not null references tenants,
    id          bigint not null,
    project     text not null default '' check (char_length(project) <= 200),
    -- where they lie: the same documents have the same root the next time
    root        text not null check (octet_length(root) between 1 and 1000),
    -- the folder or file within the root that is read; empty for all of it
    scope       text not null default '' check (octet_length(scope) <= 1000),
    principal   text not null,
    -- whether the extractors read what it brings
    extract     boolean not null,
    -- running → extracting → done | failed; a running one may be gone on with, and one
    -- that is done may be extracted from again
    state       text not null default 'running'
                check (state in ('running', 'extracting', 'done', 'failed')),
    -- files offered; of these as they were before, and refused; and gone since
    files       bigint not null default 0,
    unchanged   bigint not null default 0,
    refused     bigint not null default 0,
    removed     bigint not null default 0,
    -- chunks new, and as they were before
    chunks_new  bigint not null default 0,
    chunks_kept bigint not null default 0,
    -- what the extraction made of them: the report's summary
    report      jsonb not null default '{}' check (jsonb_typeof(report) = 'object'),
    error       text not null default '',
    started_at  timestamptz not null,
    -- since when it is extracted from, the last time
    extract_at  timestamptz,
    ended_at    timestamptz,
    primary key (tenant, id),
    check ((state in ('running', 'extracting')) = (ended_at is null)),
    check (state <> 'extracting' or extract_at is not null)
);
create unique index waves_running on waves (tenant, project, root)
    where state = 'running';
create index waves_extracting on waves (tenant, id) where state = 'extracting';

-- A file as it was read last.
create table documents (
    tenant       text not null references tenants,
    id           bigint not null,
    project      text not null default '',
    root         text not null,
    path         text not null check (octet_length(path) between 1 and 1000),
    -- sha-256 of its bytes; empty if nobody read them
    digest       bytea not null,
    size         bigint not null,
    modified_at  timestamptz,
    -- read | refused (the problem says why) | removed
    state        text not null default 'read'
                 check (state in ('read', 'refused', 'removed')),
    problem      text not null default '',
    -- the wave that saw it last, and the one that read it
    wave_id      bigint not null,
    read_wave_id bigint not null,
    primary key (tenant, id),
    unique (tenant, project, root, path),
    foreign key (tenant, wave_id) references waves,
    check ((problem = '') = (state <> 'refused'))
);
create index documents_of_wave on documents (tenant, wave_id, id);

-- A part of a document. Its id is a hash of where and what it is, so that a part that
-- did not change is the same row.
create table chunks (
    tenant      text not null,
    id          text not null,
    document_id bigint not null,
    ordinal     integer not null,
    headings    text[] not null default '{}',
    start_at    integer not null,
    end_at      integer not null,
    text        text not null,
    -- whether it is in the document as it was read last
    current     boolean not null default true,
    -- the wave that brought it, and the one that extracted from it
    wave_id     bigint not null,
    extracted_wave_id bigint,
    primary key (tenant, id),
    foreign key (tenant, document_id) references documents
);
create index chunks_of_document on chunks (tenant, document_id, ordinal);
create index chunks_of_wave on chunks (tenant, wave_id);
create index chunks_to_extract on chunks (tenant, document_id)
    where extracted_wave_id is null and current;

-- What was said between somebody and an agent.
create table interactions (
    tenant       text not null references tenants,
    id           bigint not null,
    subject      text not null default '',
    project      text not null default '',
    session      text not null default '',
    principal    text not null,
    -- a list of {role, text}, oldest first
    turns        jsonb not null check (jsonb_typeof(turns) = 'array'),
    -- what names the turns within their session; they outlive these, so that what was
    -- forgotten is not captured again
    digests      bytea[] not null default '{}',
    characters   bigint not null default 0,
    -- whether memories are to be extracted from it, once nobody adds to it
    extract      boolean not null default false,
    -- open → closed → summarised → extracted | failed; and forgotten, from any of them
    state        text not null default 'open' check (state in (
        'open', 'closed', 'summarised', 'extracted', 'failed', 'forgotten')),
    summary      text not null default '',
    attempts     integer not null default 0,
    last_error   text not null default '',
    -- when it is extracted, if it is to be
    due_at       timestamptz,
    leased_by    uuid,
    leased_until timestamptz,
    created_at   timestamptz not null,
    updated_at   timestamptz not null,
    -- when it was extracted last, how much was found in it and stored, and what it was
    extracted_at timestamptz,
    found        integer not null default 0,
    stored       integer not null default 0,
    findings     jsonb not null default '[]' check (jsonb_typeof(findings) = 'array'),
    -- the extraction's log, line by line
    log          text[] not null default '{}',
    primary key (tenant, id),
    check ((leased_by is null) = (leased_until is null)),
    check (state <> 'forgotten' or (turns = '[]' and summary = '' and findings = '[]'))
);
create unique index interactions_open on interactions (tenant, subject, session)
    where session <> '' and state = 'open';
create index interactions_of_session on interactions (tenant, subject, session, id);
create index interactions_due on interactions (tenant, due_at)
    where extract and state in ('open', 'closed', 'summarised');

-- Typed memories and entities.
create table claims (
    tenant             text not null references tenants,
    id                 bigint not null,
    kind               text not null check (kind in ('memory', 'entity')),
    type               text not null,
    content            text not null check (char_length(content) between 1 and 2000),
    -- spaces, case and the last stop apart; its digest if that is long
    normalized_content text not null,
    project            text not null default '',
    subject            text not null default '',
    status             text not null default 'candidate' check (status in (
        'candidate', 'active', 'invalid', 'superseded', 'graduated', 'overflow')),
    confidence         double precision not null check (confidence between 0 and 1),
    -- what ranked it in its pass
    rank               double precision not null default 0,
    reasoning          text not null default '',
    -- the relation that it states, in the form of `gutask iknowthat`; and what the gate
    -- made of it
    fact               text not null default '',
    outcome            text not null default '',
    assertion_id       bigint,
    -- where it was found; an active claim keeps what its candidate had
    chunk_id           text,
    interaction_id     bigint,
    hand_authored      boolean not null default false,
    rule               text not null default '',
    extractor          text not null default '',
    extractor_version  text not null default '',
    span_start         integer not null default 0,
    span_end           integer not null default 0,
    quote              text not null default '',
    quote_start        integer not null default 0,
    quote_end          integer not null default 0,
    place              text not null default '',
    proposer           text not null,
    -- found again so often, and when last
    re_extraction_count  integer not null default 0,
    last_re_extracted_at timestamptz,
    -- the cycle of reviews that it was written in; 0 while it overflows, and for what
    -- no extraction wrote
    cycle              bigint not null default 0,
    pending_since      timestamptz,
    deferred_at        timestamptz,
    confirmed_at       timestamptz not null,
    graduated_from     bigint,
    graduated_to       bigint,
    superseded_by      bigint,
    contradicts        bigint[] not null default '{}',
    decider            text not null default '',
    -- whether its proposer promoted it, being the only one who decides here
    sole               boolean not null default false,
    original_content   text not null default '',
    -- changes with every change, but for being found again
    version            bigint not null default 1,
    created_at         timestamptz not null,
    primary key (tenant, id),
    foreign key (tenant, chunk_id) references chunks,
    foreign key (tenant, interaction_id) references interactions,
    check (hand_authored = (chunk_id is null and interaction_id is null)),
    check ((status = 'candidate') = (pending_since is not null)),
    check ((status = 'graduated') = (graduated_to is not null)),
    check ((status = 'superseded') = (superseded_by is not null)),
    check (status <> 'graduated' or kind = 'memory'),
    check (status = 'candidate' or deferred_at is null),
    -- whoever proposed it does not promote it, unless there is nobody else
    check (status <> 'active' or sole or decider <> proposer)
);
-- The same is never twice in the queue, nor proposed beside what is active or rejected.
create unique index claims_once
    on claims (tenant, kind, type, normalized_content, project, subject)
    where status in ('candidate', 'active', 'invalid', 'graduated', 'overflow');
create index claims_by_status on claims (tenant, status, id);
create index claims_of_subject on claims (tenant, subject) where status = 'active';
create index claims_of_chunk on claims (tenant, chunk_id);
create index claims_of_interaction on claims (tenant, interaction_id);
create index claims_of_assertion on claims (tenant, assertion_id)
    where assertion_id is not null;
create index claims_alike on claims (tenant, normalized_content);
create index claims_by_rank on claims (tenant, rank desc, id) where status = 'overflow';
create index claims_superseded on claims (tenant, superseded_by)
    where status = 'superseded';

-- The cycle of reviews of now, and how many candidates were written in it.
create table review_cycles (
    tenant  text primary key references tenants,
    number  bigint not null,
    written bigint not null
);

-- What was done to claims: append-only, but for the mark that it was taken back.
create table edits (
    tenant     text not null references tenants,
    id         bigint not null,
    claim_id   bigint not null,
    action     text not null,
    principal  text not null,
    -- the first edit of the decision that this is a part of: taken back together
    decision   bigint not null,
    -- the claim's row before and after; null where there was none
    before     jsonb,
    after      jsonb,
    undone_by  bigint,
    created_at timestamptz not null,
    primary key (tenant, id)
);
create index edits_of_claim on edits (tenant, claim_id, id);
create index edits_of_decision on edits (tenant, decision);

-- What a person wrote down as true of a project (L3). No claim is read to write it.
create table project_state (
    tenant     text not null references tenants,
    project    text not null check (char_length(project) between 1 and 200),
    key        text not null check (char_length(key) between 1 and 200),
    -- empty once it was removed
    value      text not null check (char_length(value) <= 4000),
    principal  text not null,
    version    bigint not null default 1,
    updated_at timestamptz not null,
    primary key (tenant, project, key)
);
create table project_state_history (
    tenant     text not null,
    project    text not null,
    key        text not null,
    version    bigint not null,
    value      text not null,
    principal  text not null,
    updated_at timestamptz not null,
    primary key (tenant, project, key, version)
);

-- What a model extracted and was not stored, and why.
create table rejections (
    tenant         text not null references tenants,
    id             bigint not null,
    subject        text not null default '',
    interaction_id bigint,
    reason         text not null,
    detail         text not null default '',
    text           text not null,
    type           text not null,
    confidence     double precision not null,
    threshold      double precision not null,
    -- logged as a proposal: a pattern too weak to be a candidate
    proposal       boolean not null default false,
    details        jsonb not null default '{}' check (jsonb_typeof(details) = 'object'),
    created_at     timestamptz not null,
    primary key (tenant, id),
    foreign key (tenant, interaction_id) references interactions
);
create index rejections_of_interaction on rejections (tenant, interaction_id);
