-- A concept may have several values in a dimension, and a value may be a phrase.

-- 0 for the only value, else the value's own number: one edge a slot.
alter table urd add column slot bigint not null default 0;
alter table urd add constraint urd_slot_check check (slot = 0 or slot = parent_id);
drop index urd_one_parent;
-- this is where a contradiction is refused
create unique index urd_one_value on urd (tenant, id, dim_id, slot);
alter table urd_history add column slot bigint not null default 0;

alter table soas drop constraint soas_token_check;
alter table soas add constraint soas_token_check
    check (token <> '' and char_length(token) <= 192);

-- The words that a statement was read from, of those that are held or wait.
create table statement_origins (
    tenant        text not null,
    assertion_id  bigint not null,
    quote         text not null check (char_length(quote) <= 400),
    speaker       text not null,
    principal     text not null,
    project       text not null default '',
    session       text not null default '',
    said_at       timestamptz not null,
    -- names the turn; null if the words stand in none
    turn_digest   bytea,
    reader        text not null check (reader in ('rules', 'model', 'person')),
    kind          text not null check (kind in (
                      'fact', 'preference', 'rule', 'decision', 'event')),
    topics        text[],
    -- as they were said; empty where that is the canonical form
    subject       text not null default '',
    value         text not null default '',
    primary key (tenant, assertion_id),
    foreign key (tenant, assertion_id) references assertions
);
