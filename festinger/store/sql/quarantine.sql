-- What cannot be part of a memory: found by asking, not by trusting constraints, which a
-- restored backup or a hand at the database may have gone round.

-- name: read_whole_tables
-- A young table has no statistics: of the few rows that are expected each would be joined
-- with all others, which takes seconds with some thousand.
set local enable_nestloop = off;

-- name: find_broken_edges
-- Edges that name what is not there, or hold what no edge can.
select u.id, u.parent_id, u.dim_id, to_jsonb(u) as content,
       case when c.id is null then 'its concept is not in the vocabulary'
            when p.id is null then 'its parent is not in the vocabulary'
            when d.id is null then 'its dimension is not in the vocabulary'
            when u.id = u.parent_id and u.parent_id <> u.dim_id
                then 'a concept cannot be in itself'
            when u.source is null or u.source <> all ($2::text[])
                then 'its source is unknown'
            when u.modality is null or u.modality <> all ($3::text[])
                then 'its modality is unknown'
            else 'its confidence is not in 0 to 1'
       end as reason
from urd u
left join soas c on c.tenant = u.tenant and c.id = u.id
left join soas p on p.tenant = u.tenant and p.id = u.parent_id
left join soas d on d.tenant = u.tenant and d.id = u.dim_id
where u.tenant = $1
  and (c.id is null or p.id is null or d.id is null
       or (u.id = u.parent_id and u.parent_id <> u.dim_id)
       or u.source is null or u.source <> all ($2::text[])
       or u.modality is null or u.modality <> all ($3::text[])
       or u.confidence is null or not u.confidence between 0 and 1);

-- name: find_circles
-- Of each circle in a dimension the edge that came last (C2).
with recursive up as (
    select id as start_id, dim_id, parent_id as id
    from urd where tenant = $1 and id <> parent_id and slot = 0
    union
    select up.start_id, up.dim_id, urd.parent_id
    from up
    join urd on urd.tenant = $1 and urd.id = up.id and urd.dim_id = up.dim_id
            and urd.slot = 0
    where urd.id <> urd.parent_id
), ring as (
    select up.start_id, up.dim_id, up.id from up
    where (start_id, dim_id) in (select start_id, dim_id from up where id = start_id)
)
select u.id, u.parent_id, u.dim_id, to_jsonb(u) as content,
       'it closes a circle in its dimension' as reason
from urd u
where u.tenant = $1 and u.slot = 0
  and exists (select from ring where ring.start_id = u.id and ring.dim_id = u.dim_id)
  and not exists (
      select from ring
      join urd other on other.tenant = $1 and other.id = ring.id
                    and other.dim_id = ring.dim_id and other.slot = 0
      where ring.start_id = u.id and ring.dim_id = u.dim_id
        and (coalesce(other.assertion_id, 0), other.id)
            > (coalesce(u.assertion_id, 0), u.id));

-- name: find_odd_names
-- Names of edges that may be no tokens; the tokeniser says which of them are. Each name
-- is compared once, however many edges it has.
with odd as materialized (
    select id, token from soas
    where tenant = $1
      and (token !~ '^[a-z0-9_.+#''-]{1,64}$' or token ~ '([_.+#''-]+[a-z0-9]+){4}')
)
select id, token from odd
where id in (
    select unnest(array[id, parent_id, dim_id]) from urd where tenant = $1);

-- name: find_edges_naming
select id, parent_id, dim_id, to_jsonb(urd) as content,
       'a name in it is no token' as reason
from urd
where tenant = $1
  and (id = any($2::bigint[]) or parent_id = any($2::bigint[])
       or dim_id = any($2::bigint[]));

-- name: find_denied_facts
-- Denials of what is held (C6).
select d.id, d.parent_id, d.dim_id, to_jsonb(d) as content,
       'it denies what is held' as reason
from denials d
join urd u on u.tenant = d.tenant and u.id = d.id and u.parent_id = d.parent_id
          and u.dim_id = d.dim_id
where d.tenant = $1;

-- name: find_broken_words
select s.id, to_jsonb(s) as content, 'the vocabulary cannot hold it' as reason
from soas s
where s.tenant = $1
  and (s.id <= 0 or s.token = '' or octet_length(s.token) > 256
       or s.novelty is null or not s.novelty between 0 and 1 or s.is_dictionary is null);

-- name: drop_words
delete from soas where tenant = $1 and id = any($2::bigint[]);

-- name: keep_aside
insert into quarantine (tenant, table_name, reason, content)
select $1, $2, reason, content
from unnest($3::text[], $4::jsonb[]) as found (reason, content)
returning 1;
