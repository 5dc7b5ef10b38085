-- What people and agents say to each other: what is kept of it, and who extracts it.

-- name: lock_session
-- One caller at a time adds to a session, until the transaction ends. Rows are locked,
-- since advisory locks are each node's own; a few sessions share one.
insert into leases (tenant, name, holder, expires_at)
values ($1, 'lock: session ' || left(md5($2::text || chr(1) || $3::text), 2),
        gen_random_uuid(), '-infinity')
on conflict (tenant, name) do update set expires_at = excluded.expires_at;

-- name: captured
-- Which of these turns the session has brought before.
select distinct brought.digest from interactions i
cross join lateral unnest(i.digests) as brought (digest)
where i.tenant = $1 and i.subject = $2 and i.session = $3
  and brought.digest = any($4::bytea[]);

-- name: last_interaction
-- The newest of a session: nothing is added to one before it.
select id, state, characters from interactions
where tenant = $1 and subject = $2 and session = $3
order by id desc
limit 1
for update;

-- name: add_interaction
insert into interactions (
    tenant, id, subject, project, session, principal, turns, digests, characters,
    extract, state, due_at, created_at, updated_at)
values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8, $9, $10, $11,
        case when $10 then $12::timestamptz end, $13, $13);

-- name: add_turns
update interactions
set turns = turns || $3::jsonb, digests = digests || $4::bytea[],
    characters = characters + $5, extract = extract or $6, updated_at = $8,
    due_at = case when extract or $6 then $7::timestamptz end
where tenant = $1 and id = $2;

-- name: mark_interaction
-- Nothing new was said; but it is to be extracted now.
update interactions set extract = true, due_at = $3
where tenant = $1 and id = $2 and state = 'open' and not extract;

-- name: close_interaction
-- Nobody waits for more.
update interactions set state = 'closed', due_at = case when extract then $3::timestamptz end
where tenant = $1 and id = $2 and state = 'open';

-- name: extracting
-- Memories for which a model is chosen, and in which something is to be extracted.
select i.tenant from interactions i
join config c on c.tenant = i.tenant and c.key = 'extract_model_id' and c.value <> '0'
where i.extract and i.state in ('open', 'closed', 'summarised') and i.due_at <= $1
  and (i.leased_until is null or i.leased_until < now())
group by i.tenant;

-- name: lease_interaction
-- The next one that nobody extracts; from now on nothing is added to it. By the
-- database's clock: those of its servers may differ. Chosen once: a join might choose
-- another one for each row that it looks at.
with next as materialized (
    select id from interactions
    where tenant = $1 and extract and state in ('open', 'closed', 'summarised')
      and due_at <= $2 and (leased_until is null or leased_until < now())
    order by due_at, id
    limit 1
    for update skip locked
)
update interactions i
set leased_by = $3, leased_until = now() + make_interval(secs => $4),
    state = case when i.state = 'open' then 'closed' else i.state end
from next
where i.tenant = $1 and i.id = next.id
returning i.*, jsonb_array_length(i.turns) as turn_count;

-- name: lease_one_interaction
-- Somebody wants it now, whatever became of it before.
update interactions i
set leased_by = $4, leased_until = now() + make_interval(secs => $5),
    state = case when i.summary = '' then 'closed' else 'summarised' end,
    extract = true, attempts = 0, last_error = '', due_at = $3
where i.tenant = $1 and i.id = $2 and i.state <> 'forgotten'
  and (i.leased_until is null or i.leased_until < now())
returning i.*, jsonb_array_length(i.turns) as turn_count;

-- name: extend_interaction
update interactions set leased_until = now() + make_interval(secs => $4)
where tenant = $1 and id = $2 and leased_by = $3
returning id;

-- name: is_extracting
-- Nobody else leases it until the transaction ends.
select id from interactions
where tenant = $1 and id = $2 and leased_by = $3
for update;

-- name: summarise_interaction
update interactions set summary = $4, state = 'summarised'
where tenant = $1 and id = $2 and leased_by = $3
returning id;

-- name: postpone_interaction
update interactions
set attempts = $4, last_error = $5, due_at = $6,
    state = case when $6::timestamptz is null then 'failed' else state end,
    leased_by = null, leased_until = null
where tenant = $1 and id = $2 and leased_by = $3;

-- name: end_interaction
update interactions
set state = 'extracted', attempts = 0, last_error = '', due_at = null,
    leased_by = null, leased_until = null, extracted_at = $8,
    found = $4, stored = $5, findings = $6::jsonb, log = $7
where tenant = $1 and id = $2 and leased_by = $3
returning id;

-- name: whole_interaction
select i.*, jsonb_array_length(i.turns) as turn_count from interactions i
where i.tenant = $1 and i.id = $2;

-- name: interactions
-- Without what was said.
select id, subject, project, session, principal, state, extract, attempts, last_error,
       due_at, leased_by, created_at, updated_at, found, stored,
       jsonb_array_length(turns) as turn_count
from interactions
where tenant = $1 and (cardinality($2::text[]) = 0 or state = any($2))
  and ($3 = '' or subject = $3) and id > $4
order by id
limit $5;

-- name: forget_interaction
-- Whoever extracts it has lost the lease. The names of its turns stay, so that they do
-- not come back.
update interactions
set turns = '[]', summary = '', findings = '[]', log = '{}', characters = 0,
    last_error = '', state = 'forgotten', due_at = null, leased_by = null,
    leased_until = null
where tenant = $1 and id = $2
returning id;

-- name: forget_rejections
update rejections set text = '', details = '{}'
where tenant = $1 and interaction_id = $2;

-- name: add_rejections
insert into rejections (
    tenant, id, subject, interaction_id, reason, detail, text, type, confidence,
    threshold, proposal, details, created_at)
select $1, id, subject, interaction_id, reason, detail, text, type, confidence,
       threshold, proposal, details, $13
from unnest(
    $2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[],
    $8::text[], $9::double precision[], $10::double precision[], $11::boolean[],
    $12::jsonb[]
) as new (
    id, subject, interaction_id, reason, detail, text, type, confidence, threshold,
    proposal, details)
returning 1;

-- name: rejections
-- Newest first.
select * from rejections
where tenant = $1 and ($2 = '' or subject = $2)
  and ($3::bigint = 0 or interaction_id = $3)
  and (proposal or not $4) and ($5::bigint = 0 or id < $5)
order by id desc
limit $6;

-- name: last_findings
-- What became of the last extractions, newest first; without what was forgotten.
select it.finding
from (
    select id, extracted_at, findings from interactions
    where tenant = $1 and extracted_at is not null and findings <> '[]'
    order by extracted_at desc, id desc
    limit $2
) i
cross join lateral jsonb_array_elements(i.findings) with ordinality as it (finding, place)
where it.finding ->> 'type' = any($3::text[])
order by i.extracted_at desc, i.id desc, it.place desc
limit $2;

-- name: memories_told
-- What is told of everybody.
select id, subject, type, content, confidence, confirmed_at, status from memory_records
where tenant = $1 and kind = 'memory' and status = 'active' and subject <> ''
  and type = any($2::text[])
order by id;

-- name: memories_of_subjects
-- What is told of subjects.
select id, subject, type, content, confidence, confirmed_at, status from memory_records
where tenant = $1 and kind = 'memory' and status = 'active' and subject <> ''
  and type = any($2::text[]) and subject = any($3::text[])
order by id;

-- name: memories_known
-- Everything that is or was remembered of a subject, in whatever status.
select id, subject, type, content, confidence, confirmed_at, status from memory_records
where tenant = $1 and kind = 'memory' and subject = $2 and type = any($3::text[])
order by id desc
limit $4;
