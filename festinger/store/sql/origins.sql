-- The words that statements were read from.

-- name: add_origins
insert into statement_origins (
    tenant, assertion_id, quote, speaker, principal, project, session, said_at,
    turn_digest, reader, kind, topics, subject, value)
select $1, assertion_id, quote, speaker, principal, project, session, said_at,
       turn_digest, reader, kind, string_to_array(topics, e'\n'), subject, value
from unnest(
    $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
    $8::timestamptz[], $9::bytea[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[]
) as new (
    assertion_id, quote, speaker, principal, project, session, said_at, turn_digest,
    reader, kind, topics, subject, value)
on conflict do nothing;

-- name: origins
-- Of what is held, or was.
select * from statement_origins where tenant = $1;

-- name: origins_of
select * from statement_origins where tenant = $1 and assertion_id = any($2::bigint[]);

-- name: origins_of_ended
-- What was read from words and is held no more, in the order in which it ended, with what
-- replaced it; one that is held again is not among them.
select ended.*, coalesce(after.assertion_id, 0) as successor
from (
    select distinct on (o.assertion_id)
           o.assertion_id, h.id, h.dim_id, h.parent_id, h.valid_to
    from statement_origins o
    join urd_history h on h.tenant = o.tenant and h.assertion_id = o.assertion_id
    where o.tenant = $1
      and not exists (
          select from urd u where u.tenant = o.tenant and u.assertion_id = o.assertion_id)
    order by o.assertion_id, h.valid_to desc) as ended
-- held since the same commit; the last said, of several
left join lateral (
    select o.assertion_id
    from (
        select u.assertion_id, coalesce(u.restored_at, a.created_at) as since
        from urd u
        join assertions a on a.tenant = u.tenant and a.id = u.assertion_id
        where u.tenant = $1 and u.id = ended.id and u.dim_id = ended.dim_id
        union all
        select h.assertion_id, h.valid_from
        from urd_history h
        where h.tenant = $1 and h.id = ended.id and h.dim_id = ended.dim_id
          and not h.negated) as held
    join statement_origins o on o.tenant = $1 and o.assertion_id = held.assertion_id
    where held.since = ended.valid_to and o.assertion_id <> ended.assertion_id
    order by o.said_at desc, o.assertion_id desc
    limit 1) as after on true
order by ended.valid_to, ended.assertion_id;

-- name: erase_origins
-- Leaves no copy of some sentences; answers the statements that were read from them.
with gone as (
    delete from statement_origins o
    where o.tenant = $1 and exists (
        select from unnest($2::text[], $3::text[]) as said (text, speaker)
        where o.speaker = said.speaker
          and (strpos(quote, text) > 0 or strpos(text, quote) > 0))
    returning o.assertion_id
)
select g.assertion_id, s.id as concept_id
from gone g
join assertions a on a.tenant = $1 and a.id = g.assertion_id
join soas s on s.tenant = $1 and s.token = a.concept;

-- name: drop_old_origins
-- As `erase_origins`, of what was said before a moment.
with gone as (
    delete from statement_origins where tenant = $1 and said_at < $2
    returning assertion_id
)
select g.assertion_id, s.id as concept_id
from gone g
join assertions a on a.tenant = $1 and a.id = g.assertion_id
join soas s on s.tenant = $1 and s.token = a.concept;
