-- Typed memories and entities, and what people did with them.

-- name: records
-- The arguments are those of `RecordFilter`, in its order.
select * from memory_records
where tenant = $1 and id > $2
  and ($3 = '' or kind = $3)
  and (cardinality($4::text[]) = 0 or type = any($4))
  and case when cardinality($5::text[]) = 0 then status <> 'overflow'
      else status = any($5) end
  and ($6 = '' or project = $6)
  and ($7 = '' or subject = $7)
  and ($8 = '' or extractor = $8)
  and ($9 = '' or strpos(lower(content), lower($9)) > 0)
  and ($10 = '' or normalized_content = $10)
  and ($11 or deferred_at is null)
  and confidence >= $12
  and ($13::text is null or subject in ('', $13))
order by id
limit $14;

-- name: records_by_id
select * from memory_records where tenant = $1 and id = any($2::bigint[]);

-- name: records_by_key
select c.* from memory_records c
join unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
    as asked (kind, type, normalized_content, project, subject)
  using (kind, type, normalized_content, project, subject)
where c.tenant = $1
  and c.status in ('candidate', 'active', 'invalid', 'graduated', 'overflow');

-- name: records_edited
-- What people worded anew: its first wording is not to be proposed again.
select c.* from memory_records c
join unnest($2::text[], $3::text[], $4::text[], $5::text[])
    as asked (kind, type, project, subject) using (kind, type, project, subject)
where c.tenant = $1 and c.original_content <> ''
  and c.status in ('candidate', 'active', 'invalid', 'graduated', 'overflow')
order by c.id desc;

-- name: noted_records
-- What is told, and not as a memory about a person; $2 are the types of those.
select * from memory_records
where tenant = $1 and status = 'active'
  and not (kind = 'memory' and subject <> '' and type = any($2::text[]))
order by confirmed_at, id;

-- name: superseded_by
select * from memory_records
where tenant = $1 and superseded_by = $2 and status = 'superseded'
order by id;

-- name: overflow
-- What waits for the next cycle of a project, the best first.
select * from memory_records
where tenant = $1 and status = 'overflow' and project = $2
order by rank desc, id
limit $3;

-- name: cycle
select coalesce(r.number, 0) as number, coalesce(r.written, 0) as written,
       (select count(*) from memory_records c
        where c.tenant = r.tenant and c.status = 'candidate' and c.project = r.project
          and c.cycle = r.number) as open,
       (select value from config
        where tenant = $1 and key = 'review_cycle_candidates') as size
from (select $1::text as tenant, $2::text as project) as asked
left join review_cycles r using (tenant, project);

-- name: review_standing
-- How the queue stands, and what its candidates have in common, in one look.
with cycles as (
    select * from review_cycles where tenant = $1 and ($2 = '' or project = $2)
), candidates as (
    select * from memory_records where tenant = $1 and status = 'candidate'
), reviewed as (
    select c.deferred_at from candidates c
    join cycles r on r.project = c.project and r.number = c.cycle
), waiting as (
    select * from candidates where deferred_at is null and ($2 = '' or project = $2)
), properties as (
    select p.name, p.value, count(*) as count
    from waiting w
    cross join lateral (values
        ('type', w.type),
        ('project', w.project),
        ('extractor', w.extractor),
        ('subject', w.subject),
        ('conflict', case when cardinality(w.contradicts) > 0 then 'yes' else 'no' end),
        ('age', case when w.pending_since > $3::timestamptz - interval '1 day'
                     then 'today'
                     when w.pending_since > $3::timestamptz - interval '7 days'
                     then 'week' else 'older' end),
        ('confidence', case when w.confidence >= 0.7 then 'high'
                            when w.confidence >= 0.5 then 'medium' else 'low' end)
    ) as p (name, value)
    where p.value <> ''
    group by p.name, p.value
)
select coalesce((select max(number) from cycles), 0) as number,
       coalesce((select sum(written) from cycles), 0)::bigint as written,
       (select count(*) from reviewed) as open,
       (select count(*) from reviewed where deferred_at is not null) as deferred,
       (select count(*) from waiting) as pending,
       (select count(*) from waiting where pending_since < $4) as stale,
       (select count(*) from memory_records o
        where o.tenant = $1 and o.status = 'overflow' and ($2 = '' or o.project = $2))
           as overflow,
       (select min(pending_since) from waiting) as oldest,
       coalesce((select jsonb_agg(jsonb_build_array(name, value, count)
                                  order by name, count desc, value) from properties),
                '[]'::jsonb) as facets,
       (select value from config
        where tenant = $1 and key = 'review_cycle_candidates') as size;

-- name: unused
-- The first number of a kind that nobody has: whoever has the pen counts from there.
select next_id from id_blocks where tenant = $1 and kind = $2;

-- name: use_up
update id_blocks set next_id = greatest(next_id, $3)
where tenant = $1 and kind = $2;

-- name: decided_by_others
-- Whether anybody but $2 has ever decided anything here.
select exists (
    select from edits
    where tenant = $1 and principal <> $2
      and action not in ('propose', 'contradict', 'refill')
) or exists (
    select from candidates where tenant = $1 and decided_by <> $2
) or exists (
    -- what was settled by the way was nobody's decision
    select from resolution_queue
    where tenant = $1 and effects is not null
      and resolution ->> 'principal' not in ($2, 'festinger:resolver'));

-- name: restated
-- When a statement was made last in each dimension, as rows of the ledger, but by
-- entities, and by decisions that moved it.
select dimension, max(id) as id from assertions
where tenant = $1 and concept = $2 and parent = $3 and is_isa = $4 and negated = $5
  and outcome in ('held', 'corroborated') and source not in ('festinger', 'promoted')
group by dimension;

-- name: stating
-- The active entities that state this, and in which dimension.
select c.id, a.dimension from assertions a
join memory_records c on c.tenant = a.tenant and c.assertion_id = a.id
where a.tenant = $1 and a.concept = $2 and a.parent = $3 and a.is_isa = $4
  and a.negated = $5 and a.source = 'promoted' and c.status = 'active';

-- name: edits
select * from edits
where tenant = $1
  and ($2::bigint = 0 or record_id = $2)
  and ($3::bigint = 0 or decision = $3)
  and ($4::bigint = 0 or id < $4)
order by id desc
limit $5;

-- name: edit
select * from edits where tenant = $1 and id = $2;

-- name: write_record
-- A record as it is from now on.
insert into memory_records (
    tenant, id, kind, type, content, normalized_content, project, subject, status,
    confidence, rank, reasoning, fact, outcome, assertion_id, chunk_id, interaction_id,
    hand_authored, rule, extractor, extractor_version, span_start, span_end, quote,
    quote_start, quote_end, place, proposer, re_extraction_count, last_re_extracted_at,
    cycle, pending_since, deferred_at, confirmed_at, graduated_from, graduated_to,
    superseded_by, contradicts, decider, sole, original_content, version, created_at)
values (
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
    $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36,
    $37, $38, $39, $40, $41, $42, $43)
on conflict (tenant, id) do update set
    type = excluded.type, content = excluded.content,
    normalized_content = excluded.normalized_content, status = excluded.status,
    confidence = excluded.confidence, fact = excluded.fact, outcome = excluded.outcome,
    assertion_id = excluded.assertion_id,
    re_extraction_count = excluded.re_extraction_count,
    last_re_extracted_at = excluded.last_re_extracted_at, cycle = excluded.cycle,
    pending_since = excluded.pending_since, deferred_at = excluded.deferred_at,
    confirmed_at = excluded.confirmed_at, graduated_to = excluded.graduated_to,
    superseded_by = excluded.superseded_by, decider = excluded.decider,
    sole = excluded.sole, original_content = excluded.original_content,
    version = excluded.version;

-- name: delete_records
delete from memory_records where tenant = $1 and id = any($2::bigint[]);

-- name: set_cycle
insert into review_cycles (tenant, project, number, written) values ($1, $2, $3, $4)
on conflict (tenant, project) do update set number = excluded.number, written = excluded.written;

-- name: add_edit
insert into edits (
    tenant, id, record_id, action, principal, decision, before, after, created_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9);

-- name: mark_undone
update edits set undone_by = by
from unnest($2::bigint[], $3::bigint[]) as undone (id, by)
where tenant = $1 and edits.id = undone.id;

-- name: chunk
select c.id, c.text, c.headings, d.id as document_id, d.path
from chunks c
join documents d on d.tenant = c.tenant and d.id = c.document_id
where c.tenant = $1 and c.id = $2;

-- name: document_of_chunk
-- A document as it was read last, if the chunk is still in it.
select d.* from chunks c
join documents d on d.tenant = c.tenant and d.id = c.document_id
where c.tenant = $1 and c.id = $2 and c.current;

-- name: chunks_of_document
select * from chunks where tenant = $1 and document_id = $2 and current order by ordinal;

-- name: recorded_interaction
select id, session, subject, turns from interactions where tenant = $1 and id = $2;
