-- What machines only guess is asked of people: candidates with a deadline, votes,
-- questions, what is left to dream of, and a trail that anyone can walk.

alter table id_blocks drop constraint id_blocks_kind_check;
alter table id_blocks add constraint id_blocks_kind_check check (kind in (
    'concept', 'assertion', 'conflict', 'factoid', 'model', 'run',
    'document', 'wave', 'interaction', 'claim', 'edit', 'rejection',
    'question', 'digest', 'backlog', 'dream', 'calibration'));
insert into id_blocks (tenant, kind)
select tenant, kind from tenants, unnest(array[
    'question', 'digest', 'backlog', 'dream', 'calibration']) as kind
on conflict do nothing;

-- Candidates know where they come from, how urgent they are and who is asked.
alter table factoids
    -- CIDv1 of its canonical form (I1); null of rows older than this column, until
    -- somebody votes on them
    add column cid               text,
    -- what the client that put it forward calls it; empty if nothing
    add column external_id       text not null default '',
    -- the predicate's URI, as t:joined; empty if only the dimension is known (I3)
    add column predicate         text not null default '',
    -- its names as they were written
    add column subject_raw       text not null default '',
    add column object_raw        text not null default '',
    -- where it was said, as PLATFORM:CHANNEL; empty for nowhere in particular
    add column channel           text not null default '',
    -- the message it stood in, and where a chunk of it is kept
    add column message_cid       text not null default '',
    add column chunk_id          text not null default '',
    add column extractor_version text not null default '',
    add column prompt_hash       text not null default '',
    add column model_version     text not null default '',
    -- why it was guessed, in a line
    add column justification     text not null default '',
    add column priority          text not null default 'normal' check (priority in (
                                     'critical', 'high', 'normal', 'low')),
    -- who is asked: author | community | moderator
    add column lane              text not null default 'community' check (lane in (
                                     'author', 'community', 'moderator')),
    -- it holds what is private: moderators only, and never in public
    add column sensitive         boolean not null default false,
    -- a moderator should look at it
    add column flagged           boolean not null default false,
    -- its author is to be asked for evidence
    add column evidence_wanted   boolean not null default false,
    -- the fact that it contradicts, as it was told when it was put forward
    add column contradicts       text not null default '',
    -- until when it waits for people, and votes count; null for as long as it takes
    add column expires_at        timestamptz,
    -- by which rule it was decided, how probable it is by the community's votes, and
    -- whether it is held as its author's belief only (I4)
    add column decision_rule     text not null default '',
    add column posterior         double precision check (posterior between 0 and 1),
    add column belief            boolean not null default false,
    -- the row of the ledger that its confirmation made; null if there is none
    add column confirmed_as      bigint,
    -- so that votes can name its proposer
    add constraint factoids_of_proposer unique (tenant, id, proposer);
create unique index factoids_by_cid on factoids (tenant, cid) where cid is not null;
create unique index factoids_by_external_id on factoids (tenant, external_id)
    where external_id <> '';
create index factoids_by_statement on factoids (tenant, concept, dimension, parent);
create index factoids_decided on factoids (tenant, decided_at, id)
    where decided_at is not null;
create index factoids_expiring on factoids (tenant, expires_at)
    where status = 'pending_validation' and expires_at is not null;
create index factoids_flagged on factoids (tenant, expires_at) where flagged;

-- When things were stated: small, since the ledger only grows.
create index assertions_by_time on assertions using brin (created_at);

-- What people answered. Nothing is ever changed here: who thinks otherwise answers again.
create table validation_events (
    tenant              text not null references tenants,
    cid                 text not null,
    factoid_id          bigint not null,
    -- the candidate's, so that it can be compared with who answers (E6)
    proposer            text not null,
    responder           text not null,
    role                text not null check (role in ('author', 'community', 'moderator')),
    response            text not null check (response in (
                            'confirmed', 'rejected', 'abstain', 'withdrawn')),
    -- whether the outcome could not be seen yet by whoever answered
    before_visible      boolean not null,
    note                text not null default '',
    -- through whom the question was asked, and the message that asked it
    bot_id              text not null default '',
    context_message_cid text not null default '',
    question_id         bigint,
    -- the platform's name of the answer, so that it counts once
    delivery            text not null default '',
    prompt_hash         text not null default '',
    model_version       text not null default '',
    message_cid         text not null default '',
    created_at          timestamptz not null,
    primary key (tenant, cid),
    foreign key (tenant, factoid_id, proposer)
        references factoids (tenant, id, proposer),
    check (responder <> proposer)
);
create index validation_events_of_factoid on validation_events
    (tenant, factoid_id, created_at);
create index validation_events_by_time on validation_events (tenant, created_at);
create index validation_events_of_responder on validation_events
    (tenant, responder, created_at);
create unique index validation_events_by_delivery on validation_events
    (tenant, bot_id, delivery) where delivery <> '';

-- Questions put to people.
create table questions (
    tenant              text not null references tenants,
    id                  bigint not null,
    factoid_id          bigint not null,
    -- in whose tone: barkeep | critic | historian
    bot                 text not null check (bot in ('barkeep', 'critic', 'historian')),
    lane                text not null check (lane in ('author', 'community', 'moderator')),
    -- who is asked, or where; one of them is empty
    recipient           text not null default '',
    channel             text not null default '',
    text                text not null,
    -- why we ask, in a line
    why                 text not null default '',
    prompt_hash         text not null,
    -- it asks for evidence besides
    evidence            boolean not null default false,
    -- its answer is known: it tells of the answerer
    gold                boolean not null default false,
    gold_answer         boolean,
    -- waiting → posting → posted → closed; failed if it cannot be posted
    status              text not null default 'waiting' check (status in (
                            'waiting', 'posting', 'posted', 'closed', 'failed')),
    -- why it was closed: answered | decided | expired | opted_out | disputed
    closed_because      text not null default '',
    -- what it reads when it was closed was brought to the platform
    shown               boolean not null default false,
    -- the digest that it is part of; null if it stands alone
    digest_id           bigint,
    platform            text not null default '',
    -- the platform's name of the message
    reference           text not null default '',
    context_message_cid text not null default '',
    attempts            integer not null default 0,
    last_error          text not null default '',
    due_at              timestamptz not null,
    leased_by           uuid,
    leased_until        timestamptz,
    created_at          timestamptz not null,
    posted_at           timestamptz,
    closed_at           timestamptz,
    primary key (tenant, id),
    foreign key (tenant, factoid_id) references factoids,
    check ((gold_answer is not null) = gold)
);
create unique index questions_once on questions
    (tenant, factoid_id, recipient, channel, evidence)
    where not gold and status <> 'failed';
create index questions_of_factoid on questions (tenant, factoid_id);
create index questions_due on questions (tenant, due_at)
    where status in ('waiting', 'posting');
create index questions_by_time on questions (tenant, posted_at)
    where posted_at is not null;
create index questions_of_recipient on questions (tenant, recipient, posted_at)
    where recipient <> '';
create index questions_of_channel on questions (tenant, channel, posted_at)
    where channel <> '';
create index questions_open on questions (tenant, factoid_id)
    where status in ('waiting', 'posting', 'posted');
create index questions_to_change on questions (tenant, platform, due_at)
    where status = 'closed' and not shown and reference <> '';
create unique index questions_by_reference on questions (tenant, platform, reference)
    where reference <> '' and digest_id is null;
create index questions_of_reference on questions (tenant, platform, reference)
    where reference <> '';

-- Answers to questions whose truth is known. They decide nothing.
create table audits (
    tenant      text not null references tenants,
    question_id bigint not null,
    responder   text not null,
    answer      boolean not null,
    -- they say that what we take for known is wrong, and why
    disputed    boolean not null default false,
    note        text not null default '',
    created_at  timestamptz not null,
    settled_by  text not null default '',
    primary key (tenant, question_id, responder),
    foreign key (tenant, question_id) references questions
);

-- Who does not want to be asked.
create table opt_outs (
    tenant     text not null references tenants,
    principal  text not null,
    -- who said so: themselves or an operator
    said_by    text not null,
    created_at timestamptz not null,
    primary key (tenant, principal)
);

-- What is known of those who answer, refitted each night (I5).
create table raters (
    tenant    text not null references tenants,
    rater     text not null,
    yes_skill double precision not null check (yes_skill between 0 and 1),
    no_skill  double precision not null check (no_skill between 0 and 1),
    of_true   integer not null,
    of_false  integer not null,
    bloc      text not null,
    -- for display only: it never weighs a vote
    karma     double precision not null default 0,
    primary key (tenant, rater)
);
create table ratings (
    tenant     text not null primary key references tenants,
    prior      double precision not null default 0.5 check (prior between 0 and 1),
    votes      integer not null default 0,
    -- null until they were learnt once
    fitted_at  timestamptz,
    -- the circuit breaker: until when everything goes to moderators, and why
    open_until timestamptz,
    reason     text not null default '',
    -- the last comparison of what rules held with what people said: counts by rule
    drift      jsonb not null default '[]',
    -- makes the names by which raters are called in exported examples
    pseudonyms uuid not null default gen_random_uuid()
);

-- How far a machine's confidence is right, and what it is taken for instead.
create table calibrations (
    tenant       text not null references tenants,
    id           bigint not null,
    -- whose: the extractor's version or the model's
    extractor    text not null,
    method       text not null check (method in ('isotonic', 'platt', 'none')),
    -- pairs of a confidence and what it is worth, or two coefficients
    parameters   jsonb not null,
    -- the reliability plot: confidence, share confirmed and count, by bin
    bins         jsonb not null,
    labels       integer not null,
    brier_before double precision not null,
    brier_after  double precision not null,
    fitted_at    timestamptz not null,
    primary key (tenant, id)
);
create index calibrations_of_extractor on calibrations (tenant, extractor, id);

-- What was rejected or expired, for a model to look into at night.
create table backlog (
    tenant       text not null references tenants,
    id           bigint not null,
    factoid_id   bigint not null,
    -- rejected | expired | requested
    reason       text not null check (reason in ('rejected', 'expired', 'requested')),
    priority     text not null check (priority in ('critical', 'high', 'normal', 'low')),
    -- waiting → leased → done | failed
    state        text not null default 'waiting' check (state in (
                     'waiting', 'leased', 'done', 'failed')),
    attempts     integer not null default 0,
    last_error   text not null default '',
    due_at       timestamptz not null,
    leased_by    uuid,
    -- whoever has it, for people to read
    lessee       text not null default '',
    leased_until timestamptz,
    -- what was found: a list of {fact, outcome, reason, predicate}
    findings     jsonb not null default '[]',
    -- the night that looked into it last; null if none did
    dream_id     bigint,
    created_at   timestamptz not null,
    done_at      timestamptz,
    primary key (tenant, id),
    foreign key (tenant, factoid_id) references factoids
);
create unique index backlog_once on backlog (tenant, factoid_id)
    where state in ('waiting', 'leased');
create index backlog_due on backlog (tenant, due_at) where state in ('waiting', 'leased');
create index backlog_of_dream on backlog (tenant, dream_id) where dream_id is not null;

-- Nights: what was dreamt of, and what came of it.
create table dreams (
    tenant      text not null references tenants,
    id          bigint not null,
    -- running → done | failed
    state       text not null default 'running' check (state in (
                    'running', 'done', 'failed')),
    principal   text not null default '',
    -- the moment of the schedule that it is for; null if a person asked
    due_at      timestamptz,
    -- how many items it looks into at most; 0 for all
    items_max   integer not null default 0,
    total       integer not null default 0,
    items       integer not null default 0,
    asserted    integer not null default 0,
    failed      integer not null default 0,
    -- the report, as it is shown
    report      jsonb not null default '{}',
    error       text not null default '',
    started_at  timestamptz not null,
    ended_at    timestamptz,
    primary key (tenant, id),
    check ((state = 'running') = (ended_at is null))
);
-- one night at a time, whichever server it is on
create unique index dreams_one_running on dreams (tenant) where state = 'running';
-- a moment of the schedule is dreamt once
create unique index dreams_once on dreams (tenant, due_at) where due_at is not null;

-- What a predicate is in the graph (I3). Those that come with the product are in code.
create table predicates (
    tenant     text not null references tenants,
    uri        text not null check (char_length(uri) between 3 and 100),
    dimension  text not null,
    is_isa     boolean not null,
    -- how it is asked, with {subject} and {object}
    question   text not null default '',
    principal  text not null,
    created_at timestamptz not null,
    primary key (tenant, uri)
);
-- Predicates that recur in what was confirmed and dreamt, and that nobody registered.
create table predicate_suggestions (
    tenant     text not null references tenants,
    uri        text not null,
    count      integer not null default 1,
    examples   jsonb not null default '[]',
    -- open → accepted | dismissed
    state      text not null default 'open' check (state in (
                   'open', 'accepted', 'dismissed')),
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (tenant, uri)
);

-- Content-addressed provenance: canonical dag-cbor, found by the hash of itself (I1).
create table objects (
    tenant     text not null references tenants,
    cid        text not null,
    -- factoid | event | message | triple | question
    kind       text not null,
    data       bytea not null,
    created_at timestamptz not null,
    primary key (tenant, cid)
);
create table meta_triples (
    tenant     text not null references tenants,
    subject    text not null,
    predicate  text not null,
    object     text not null,
    created_at timestamptz not null,
    primary key (tenant, subject, predicate, object)
);
create index meta_triples_by_object on meta_triples (tenant, object collate "C");
