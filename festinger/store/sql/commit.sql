-- What one batch writes. Arrays run in parallel, one element a row.

-- name: take_pen
-- Whoever holds this row writes; nobody else does, until the transaction ends.
select from heads where tenant = $1 for update;

-- name: add_concepts
-- Gives concepts their rows; those that another server was first with come back not.
insert into soas (
    tenant, id, token, is_dictionary, novelty, encounter_count, last_seen)
select $1, id, token, is_dictionary, case when id = any($5::bigint[]) then 1 else 0 end,
       coalesce(encounter_count, 0), to_timestamp(last_seen)
from unnest($2::bigint[], $3::text[], $4::boolean[], $6::bigint[], $7::double precision[])
    as new (id, token, is_dictionary, encounter_count, last_seen)
-- every server in the same order, whatever its numbers: none waits in a circle
order by token
on conflict do nothing
returning id;

-- name: find_concepts
select token, id from soas where tenant = $1 and token = any($2::text[]);

-- name: place_concepts
-- Whatever a fact places is recalled from now on (B5). Found one by one, by the key: a
-- young table has no statistics, and would be read as a whole.
update soas set novelty = 1
where ctid = any (array(
    select found.ctid from unnest($2::bigint[]) as placed (id)
    cross join lateral (
        select s.ctid from soas s
        where s.tenant = $1 and s.id = placed.id and s.novelty < 1
        limit 1) as found));

-- name: add_dimensions
insert into dimensions (tenant, dim_id, is_isa)
select $1, dim_id, is_isa
from unnest($2::bigint[], $3::boolean[]) as new (dim_id, is_isa)
order by dim_id
on conflict do nothing;

-- name: add_roots
insert into urd (tenant, id, parent_id, dim_id, is_isa, confidence, last_confirmed, source)
select $1, dim_id, dim_id, dim_id, is_isa, 1, $4, 'festinger'
from unnest($2::bigint[], $3::boolean[]) as new (dim_id, is_isa)
order by dim_id
on conflict do nothing;

-- name: close_edges
-- Ends edges and keeps them as they were.
with ended as (
    delete from urd
    using unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::text[])
        as closing (id, parent_id, dim_id, by)
    where urd.tenant = $1 and urd.id = closing.id
      and urd.parent_id = closing.parent_id and urd.dim_id = closing.dim_id
    returning urd.*, closing.by
)
insert into urd_history (
    tenant, id, parent_id, dim_id, is_isa, confidence, last_confirmed, source, modality,
    assertion_id, valid_from, valid_to, closed_by, slot)
select e.tenant, e.id, e.parent_id, e.dim_id, e.is_isa, e.confidence, e.last_confirmed,
       e.source, e.modality, e.assertion_id, held.since,
       -- a clock that was set back makes no time that ends before it begins
       greatest($6, held.since), e.by, e.slot
from ended e
left join assertions a on a.tenant = e.tenant and a.id = e.assertion_id
cross join lateral (
    select coalesce(e.restored_at, a.created_at, e.last_confirmed) as since) as held
returning id;

-- name: pass_edges
-- Keeps edges that began and ended in one batch.
insert into urd_history (
    tenant, id, parent_id, dim_id, is_isa, confidence, last_confirmed, source, modality,
    assertion_id, valid_from, valid_to, closed_by, slot)
select $1, id, parent_id, dim_id, is_isa, confidence, $12, source, modality,
       assertion_id, $12, $12, by, slot
from unnest(
    $2::bigint[], $3::bigint[], $4::bigint[], $5::boolean[], $6::double precision[],
    $7::text[], $8::text[], $9::bigint[], $10::bigint[], $11::text[]
) as passing (
    id, parent_id, dim_id, is_isa, confidence, source, modality, assertion_id, slot, by)
returning 1;

-- name: drop_edges
-- Takes edges away that cannot be part of a memory; they are kept aside as they were.
delete from urd
using unnest($2::bigint[], $3::bigint[], $4::bigint[]) as gone (id, parent_id, dim_id)
where urd.tenant = $1 and urd.id = gone.id and urd.parent_id = gone.parent_id
  and urd.dim_id = gone.dim_id;

-- name: drop_denials
delete from denials
using unnest($2::bigint[], $3::bigint[], $4::bigint[]) as gone (id, parent_id, dim_id)
where denials.tenant = $1 and denials.id = gone.id
  and denials.parent_id = gone.parent_id and denials.dim_id = gone.dim_id;

-- name: close_denials
-- Ends denials and keeps them as they were.
with ended as (
    delete from denials d
    using unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::text[])
        as closing (id, parent_id, dim_id, by)
    where d.tenant = $1 and d.id = closing.id
      and d.parent_id = closing.parent_id and d.dim_id = closing.dim_id
    returning d.*, closing.by
)
insert into urd_history (
    tenant, id, parent_id, dim_id, is_isa, confidence, last_confirmed, source, modality,
    assertion_id, valid_from, valid_to, closed_by, negated)
select e.tenant, e.id, e.parent_id, e.dim_id, a.is_isa, a.confidence, e.created_at,
       a.source, 'asserted', e.assertion_id, e.created_at,
       greatest($6, e.created_at), e.by, true
from ended e
join assertions a on a.tenant = e.tenant and a.id = e.assertion_id
returning id;

-- name: reserve
-- Takes a block of numbers; answers the first of them.
update id_blocks set next_id = next_id + $3
where tenant = $1 and kind = $2
returning next_id - $3;

-- name: add_assertions
insert into assertions (
    tenant, id, concept, parent, dimension, is_isa, negated, confidence, source,
    principal, proposer, subject, sentence, rule, segment, ordinal, outcome, reason,
    message, fact, conflict_id, candidate_id, created_at)
select $1, id, concept, parent, dimension, is_isa, negated, confidence, source,
       principal, proposer, subject, sentence, rule, segment, ordinal, outcome, reason,
       message, fact, conflict_id, candidate_id, $23
from unnest(
    $2::bigint[], $3::text[], $4::text[], $5::text[], $6::boolean[], $7::boolean[],
    $8::double precision[], $9::text[], $10::text[], $11::text[], $12::text[],
    $13::text[], $14::text[], $15::bytea[], $16::integer[], $17::text[], $18::text[],
    $19::text[], $20::jsonb[], $21::bigint[], $22::bigint[]
) as new (
    id, concept, parent, dimension, is_isa, negated, confidence, source, principal,
    proposer, subject, sentence, rule, segment, ordinal, outcome, reason, message, fact,
    conflict_id, candidate_id)
returning 1;

-- name: hold_edges
-- The unique index refuses a second value in a slot: then another server was first.
insert into urd (
    tenant, id, parent_id, dim_id, is_isa, confidence, last_confirmed, source, modality,
    assertion_id, restored_at, slot)
select $1, id, parent_id, dim_id, is_isa, confidence, last_confirmed, source,
       modality, nullif(assertion_id, 0), restored_at, slot
from unnest(
    $2::bigint[], $3::bigint[], $4::bigint[], $5::boolean[], $6::double precision[],
    $7::timestamptz[], $8::text[], $9::text[], $10::bigint[], $11::timestamptz[],
    $12::bigint[]
) as new (
    id, parent_id, dim_id, is_isa, confidence, last_confirmed, source, modality,
    assertion_id, restored_at, slot)
order by id, dim_id, slot
returning 1;

-- name: confirm_edges
update urd set confidence = greatest(urd.confidence, new.confidence),
               last_confirmed = greatest(urd.last_confirmed, new.last_confirmed),
               modality = new.modality
from unnest(
    $2::bigint[], $3::bigint[], $4::bigint[], $5::double precision[],
    $6::timestamptz[], $7::text[]
) as new (id, parent_id, dim_id, confidence, last_confirmed, modality)
where urd.tenant = $1 and urd.id = new.id and urd.parent_id = new.parent_id
  and urd.dim_id = new.dim_id
returning urd.id;

-- name: add_denials
insert into denials (tenant, id, parent_id, dim_id, assertion_id, created_at)
select $1, id, parent_id, dim_id, assertion_id, $6
from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
    as new (id, parent_id, dim_id, assertion_id)
on conflict do nothing;

-- name: find_contradictions
-- What no index refuses: the concepts on a way up that comes back to an edge which was
-- just held (C2), and those of what is held and denied at once (C6).
with recursive up as (
    select id as start_id, dim_id, parent_id as id
    from unnest($2::bigint[], $3::bigint[], $4::bigint[]) as new (id, parent_id, dim_id)
    union
    select up.start_id, up.dim_id, above.parent_id
    from up
    -- by the key, as a young table has no statistics and would be read as a whole
    cross join lateral (
        select parent_id from urd
        where tenant = $1 and id = up.id and dim_id = up.dim_id and slot = 0
          and id <> parent_id offset 0) as above
)
select id from up
where (start_id, dim_id) in (select start_id, dim_id from up where id = start_id)
union
select d.id from denials d
join urd u on u.tenant = d.tenant and u.id = d.id and u.parent_id = d.parent_id
          and u.dim_id = d.dim_id
where d.tenant = $1 and d.id = any($5::bigint[]);

-- name: count_on_conflicts
-- A further statement of the same counts on the pending item.
update resolution_queue q
set statement_count = q.statement_count + made.again,
    priority = greatest(q.priority, made.priority),
    changed_by = coalesce(nullif(made.changed_by, ''), q.changed_by)
from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::boolean[], $6::bigint[],
            $7::integer[], $8::text[])
    as made (concept_id, dim_id, parent_id, negated, again, priority, changed_by)
where q.tenant = $1 and q.concept_id = made.concept_id and q.dim_id = made.dim_id
  and q.incoming_parent_id = made.parent_id and q.incoming_negated = made.negated
  and q.status = 'pending'
returning q.id, q.concept_id, q.dim_id, q.incoming_parent_id, q.incoming_negated;

-- name: reopen_conflict
-- A person states again what was dismissed: its item waits once more, as theirs.
update resolution_queue
set statement_count = statement_count + $3, priority = greatest(priority, $4),
    changed_by = $5, existing_parent_id = $6, collision_type = $7, incoming_is_isa = $8,
    incoming_assertion_id = $9, rule = $11, source = $12, project = $13,
    deferred_at = null,
    earlier = earlier || jsonb_build_array(resolution || jsonb_build_object(
        'status', status, 'resolved_at', resolved_at, 'reopened_at', $10::timestamptz)),
    status = 'pending', resolution = null, resolved_at = null, effects = null,
    attempts = 0, last_error = null
where tenant = $1 and id = $2 and status <> 'pending'
returning id;

-- name: count_on_closed
update resolution_queue q
set statement_count = q.statement_count + made.again
from unnest($2::bigint[], $3::bigint[]) as made (id, again)
where q.tenant = $1 and q.id = made.id;

-- name: count_on_tombstones
update tombstones t set statement_count = t.statement_count + made.again
from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::boolean[], $6::bigint[])
    as made (id, dim_id, parent_id, negated, again)
where t.tenant = $1 and t.id = made.id and t.parent_id = made.parent_id
  and t.dim_id = made.dim_id and t.negated = made.negated;

-- name: note_restatements
-- What was settled and is stated again goes into the inbox, by its first statement.
update tombstones t
set again_count = t.again_count + made.again,
    again_assertion_id = coalesce(t.again_assertion_id, made.first)
from (
    select c.id, d.id as dim_id, p.id as parent_id, said.negated,
           count(*) as again, min(said.number) as first
    from unnest($2::text[], $3::text[], $4::text[], $5::boolean[], $6::bigint[])
        as said (concept, parent, dimension, negated, number)
    join soas c on c.tenant = $1 and c.token = said.concept
    join soas p on p.tenant = $1 and p.token = said.parent
    join soas d on d.tenant = $1 and d.token = said.dimension
    group by 1, 2, 3, 4) as made
where t.tenant = $1 and t.id = made.id and t.parent_id = made.parent_id
  and t.dim_id = made.dim_id and t.negated = made.negated;

-- name: drop_tombstones
delete from tombstones t
using unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::boolean[])
    as gone (id, dim_id, parent_id, negated)
where t.tenant = $1 and t.id = gone.id and t.parent_id = gone.parent_id
  and t.dim_id = gone.dim_id and t.negated = gone.negated;

-- name: add_tombstones
insert into tombstones (
    tenant, id, dim_id, parent_id, negated, ending, conflict_id, created_at)
select $1, id, dim_id, parent_id, negated, ending, nullif(conflict_id, 0), $8
from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::boolean[], $6::text[],
            $7::bigint[])
    as new (id, dim_id, parent_id, negated, ending, conflict_id)
returning 1;

-- name: drop_redirects
delete from redirects r
using unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::boolean[])
    as gone (id, dim_id, parent_id, negated)
where r.tenant = $1 and r.id = gone.id and r.parent_id = gone.parent_id
  and r.dim_id = gone.dim_id and r.negated = gone.negated;

-- name: add_redirects
insert into redirects (tenant, id, dim_id, parent_id, negated, to_dim_id, created_at)
select $1, id, dim_id, parent_id, negated, to_dim_id, $7
from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::boolean[], $6::bigint[])
    as new (id, dim_id, parent_id, negated, to_dim_id)
returning 1;

-- name: add_conflict
insert into resolution_queue (
    tenant, concept_id, dim_id, incoming_parent_id, incoming_negated, statement_count,
    priority, changed_by, id, existing_parent_id, collision_type, incoming_is_isa,
    incoming_assertion_id, created_at, rule, source, project)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17);

-- name: settle_conflict
update resolution_queue
set status = $3, resolution = $4, resolved_at = $5, effects = $6, changed_by = ''
where tenant = $1 and id = $2 and status = 'pending'
returning id;

-- name: leave_to_people
-- A change that cannot replace what it runs against waits for a decision.
update resolution_queue set changed_by = ''
where tenant = $1 and id = $2 and status = 'pending';

-- name: take_back_decision
-- An item whose decision is undone waits once more.
update resolution_queue
set earlier = earlier || jsonb_build_array(resolution || jsonb_build_object(
        'status', status, 'resolved_at', resolved_at, 'reopened_at', $6::timestamptz,
        'undone_by', $3::text, 'undone_because', $4::text)),
    status = 'pending', resolution = null, resolved_at = null, effects = null,
    attempts = 0, last_error = null, for_people = for_people or $5
where tenant = $1 and id = $2 and status <> 'pending'
returning id;

-- name: bump
update heads set version = version + 1 where tenant = $1 returning version;

-- name: log_change
-- What the version changed, for the servers that follow. Joined with `bump`.
insert into change_log (
    tenant, version, concept_ids, batch, subjects, turns, notes, created_at)
select $1, version, nullif($2::bigint[], '{}'), $3::uuid, nullif($4::text[], '{}'),
       nullif($5::bigint[], '{}'), $6::boolean, coalesce($7::timestamptz, now())
from bump
returning 1;

-- name: answer_requests
-- The calls that are answered with the version. Joined with `bump`.
insert into requests (tenant, principal, request_id, method, payload_hash, response)
select $1, principal, request_id, method, payload_hash,
       response || jsonb_build_object('version', version)
from bump, unnest($2::text[], $3::text[], $4::text[], $5::bytea[], $6::jsonb[])
    as new (principal, request_id, method, payload_hash, response)
returning 1;
