-- What people say waits until a model has read it, and no longer.

create table unread_turns (
    tenant       text not null references tenants,
    number       bigint not null generated always as identity,
    -- of the whole turn, as in `turns`
    digest       bytea not null check (length(digest) = 16),
    speaker      text not null,
    project      text not null default '',
    principal    text not null,
    session      text not null default '',
    said_at      timestamptz not null,
    -- what a person typed, without secrets, code and pasted text
    body         text not null,
    -- the end of the turn before, and who spoke then
    before       text not null default '',
    before_role  text not null default '',
    -- characters of the body that are read
    done         integer not null default 0,
    attempts     integer not null default 0,
    -- before then nobody tries again
    due_at       timestamptz,
    -- who reads now: the batch, which place the turn has in it, and up to which character
    lease        uuid,
    leased_until timestamptz,
    leased_place integer,
    leased_end   integer,
    primary key (tenant, digest, speaker, project)
);
create index unread_turns_by_time on unread_turns (tenant, said_at, number);
create index unread_turns_by_lease on unread_turns (tenant, lease) where lease is not null;

-- What was kept for a model that was asked about single concepts: it reads turns now, and
-- says by the way what they are.
drop table write_queue;
delete from config where key = 'write_model_id';
