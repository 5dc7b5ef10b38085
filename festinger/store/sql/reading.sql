-- The turns that a model is to read.

-- name: add_unread
-- A turn that is kept already was read, or waits: a client sends its history again and
-- again. What is no newest message may be somebody else's words.
insert into unread_turns (
    tenant, digest, speaker, project, principal, session, said_at, body, before,
    before_role)
select $1, $2::bytea, $3, $4, $5, $6, $7, $8, $9, $10
where not exists (
    select from turns
    where tenant = $1 and digest = $2::bytea
      and (not $11 or (lower(speaker) = lower($3) and lower(project) = lower($4))))
on conflict do nothing
returning number;

-- name: trim_unread
-- Drops the oldest turns beyond so many.
delete from unread_turns where tenant = $1 and number in (
    select number from unread_turns where tenant = $1
    order by said_at desc, number desc offset $2);

-- name: reads_now
-- Whether somebody reads in this memory: batches follow one another.
select exists (
    select from unread_turns
    where tenant = $1 and lease is not null and leased_until >= now());

-- name: lock_reading
-- Of several servers one at a time chooses a batch.
insert into leases (tenant, name, holder, expires_at)
values ($1, 'lock: unread turns', gen_random_uuid(), '-infinity')
on conflict (tenant, name) do update set expires_at = excluded.expires_at;

-- name: next_unread
select * from unread_turns
where tenant = $1 and (due_at is null or due_at <= now())
order by said_at, number limit $2 for update;

-- name: lease_unread
update unread_turns u
set lease = $2, leased_until = now() + make_interval(secs => $3),
    leased_place = part.place, leased_end = part.stop
from unnest($4::bigint[], $5::integer[], $6::integer[]) as part (number, place, stop)
where u.tenant = $1 and u.number = part.number;

-- name: leased_unread
select * from unread_turns
where tenant = $1 and lease = $2 order by leased_place;

-- name: lock_leased_unread
-- Nobody else leases, reads or removes them until the transaction ends.
select digest from unread_turns where tenant = $1 and lease = $2 for update;

-- name: reread_unread
-- Once more, but only these sentences.
update unread_turns
set body = $4, reread = true, done = 0, attempts = 0, due_at = null, lease = null,
    leased_until = null
where tenant = $1 and lease = $2 and digest = $3;

-- name: end_unread
-- What is read is kept no longer than it is needed.
delete from unread_turns
where tenant = $1 and lease = $2 and btrim(substr(body, leased_end + 1), E' \n\t') = '';

-- name: advance_unread
update unread_turns
set done = leased_end, attempts = 0, due_at = null, lease = null, leased_until = null
where tenant = $1 and lease = $2;

-- name: release_unread
update unread_turns set lease = null, leased_until = null
where tenant = $1 and lease = $2;

-- name: drop_unreadable
-- After so many failures the rules' reading has to do.
delete from unread_turns where tenant = $1 and lease = $2 and attempts + 1 >= $3
returning number;

-- name: postpone_unread
update unread_turns
set attempts = attempts + 1, due_at = now() + make_interval(secs => $3),
    lease = null, leased_until = null
where tenant = $1 and lease = $2
returning number;

-- name: count_unread
select count(*) as waiting,
    count(*) filter (where lease is not null and leased_until >= now()) as reading,
    count(*) filter (where attempts > 0) as postponed, min(said_at) as oldest
from unread_turns where tenant = $1;

-- name: unread_tenants
select tenant from unread_turns
where due_at is null or due_at <= now() group by tenant order by tenant;

-- name: forget_unread
delete from unread_turns where tenant = $1 and said_at < $2;

-- name: erase_unread
-- Leaves no copy of some sentences: the turns that have one are not read any more. They
-- were kept on one line, whatever the white space.
delete from unread_turns
where tenant = $1 and exists (
    select from unnest($2::text[]) as said (text)
    where text <> '' and strpos(
        regexp_replace(body || ' ' || before, '\s+', ' ', 'g'), text) > 0);

-- name: erase_unread_turns
delete from unread_turns where tenant = $1 and digest = any($2::bytea[]);

-- name: clear_unread
delete from unread_turns where tenant = $1;

-- name: statement_speakers
-- Who made some statements.
select id, coalesce(nullif(subject, ''), principal) as speaker
from assertions where tenant = $1 and id = any($2::bigint[]);
