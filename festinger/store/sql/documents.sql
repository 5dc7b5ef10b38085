-- Waves, the documents that they read, and their chunks.

-- name: lock_root
-- One client at a time begins a wave of a root: the newest wave of it, until the end of
-- the transaction.
select * from waves where tenant = $1 and project = $2 and root = $3
order by id desc limit 1
for update;

-- name: set_extract
update waves set extract = $3 where tenant = $1 and id = $2 returning *;

-- name: overtake_wave
update waves set state = 'failed', ended_at = $3, error = $4
where tenant = $1 and id = $2;

-- name: add_wave
-- None if another client was first.
insert into waves (tenant, id, project, root, scope, principal, extract, started_at)
values ($1, $2, $3, $4, $5, $6, $7, $8)
on conflict do nothing
returning *;

-- name: wave
select * from waves where tenant = $1 and id = $2;

-- name: waves
select * from waves where tenant = $1 and ($2::bigint = 0 or id < $2)
order by id desc limit $3;

-- name: hold_wave
-- Nobody ends it until the transaction does; others may add to it.
select state from waves where tenant = $1 and id = $2 for share;

-- name: lock_wave
select * from waves where tenant = $1 and id = $2 for update;

-- name: see_documents
-- Those that are as they were; locked in the order of their paths, as everywhere. They
-- are looked up by their paths, whatever is known of how many there are.
with there as materialized (
    select id, path, digest from documents
    where tenant = $1 and project = $2 and root = $3 and path = any($4)
      and state <> 'removed'
    order by path
    for update
), same as (
    select id from there
    join unnest($4::text[], $5::bytea[]) as new (path, digest) using (path, digest)
)
update documents d set wave_id = $6
from same where d.tenant = $1 and d.id = same.id
returning d.path, d.digest, d.problem;

-- name: known_paths
select path from documents
where tenant = $1 and project = $2 and root = $3 and path = any($4);

-- name: write_documents
insert into documents
    (tenant, project, root, id, path, digest, size, modified_at, state, problem,
     wave_id, read_wave_id)
select $1, $2, $3, new.id, new.path, new.digest, new.size, new.modified_at,
       case new.problem when '' then 'read' else 'refused' end, new.problem, $4, $4
from unnest($5::bigint[], $6::text[], $7::bytea[], $8::bigint[], $9::timestamptz[],
            $10::text[]) as new (id, path, digest, size, modified_at, problem)
order by new.path
on conflict (tenant, project, root, path) do update
set digest = excluded.digest, size = excluded.size,
    modified_at = excluded.modified_at, state = excluded.state,
    problem = excluded.problem, wave_id = excluded.wave_id,
    read_wave_id = excluded.read_wave_id
returning id, path;

-- name: retire_chunks
-- Of these documents, those that are no longer there.
update chunks set current = false
where tenant = $1 and document_id = any($2) and current and id <> all($3);

-- name: write_chunks
-- A chunk that was there keeps its text: a record may say where in it it was found.
insert into chunks
    (tenant, id, document_id, ordinal, headings, start_at, end_at, text, wave_id)
select $1, new.id, new.document_id, new.ordinal,
       array(select jsonb_array_elements_text(new.headings::jsonb)),
       new.start_at, new.end_at, new.text, $2
from unnest($3::text[], $4::bigint[], $5::integer[], $6::text[], $7::integer[],
            $8::integer[], $9::text[])
     as new (id, document_id, ordinal, headings, start_at, end_at, text)
on conflict (tenant, id) do update
set ordinal = excluded.ordinal, start_at = excluded.start_at,
    end_at = excluded.end_at, current = true
where (chunks.ordinal, chunks.start_at, chunks.end_at, chunks.current)
      is distinct from (excluded.ordinal, excluded.start_at, excluded.end_at, true)
-- what was inserted has never been updated
returning document_id, xmax = 0 as new;

-- name: remove_documents
-- What this wave was to see and did not; what lies in a folder that it could not enter may
-- be there all the same.
with closed as materialized (
    select path || '/' as path from documents
    where tenant = $1 and project = $3 and root = $4 and wave_id = $2
      and state = 'refused'
), gone as (
    update documents set state = 'removed', problem = '', wave_id = $2
    where tenant = $1 and project = $3 and root = $4 and wave_id <> $2
      and state <> 'removed'
      and ($5 = '' or path = $5 or starts_with(path, $5 || '/'))
      and not exists (
          select from closed where starts_with(documents.path, closed.path)
      )
    returning id
)
update chunks set current = false
from gone where tenant = $1 and document_id = gone.id and current;

-- name: tally_wave
select count(*) filter (where d.state <> 'removed') as files,
       count(*) filter (where d.state = 'read' and d.read_wave_id <> $2) as unchanged,
       count(*) filter (where d.state = 'refused') as refused,
       count(*) filter (where d.state = 'removed') as removed,
       coalesce(sum(c.new), 0)::bigint as chunks_new,
       coalesce(sum(c.kept), 0)::bigint as chunks_kept
from documents d
left join lateral (
    select count(*) filter (where c.wave_id = $2) as new,
           count(*) filter (where c.wave_id <> $2) as kept
    from chunks c
    where c.tenant = $1 and c.document_id = d.id and c.current
) c on d.state = 'read'
where d.tenant = $1 and d.wave_id = $2;

-- name: finish_wave
update waves
set state = case when extract then 'extracting' else 'done' end,
    extract_at = case when extract then $3::timestamptz end,
    ended_at = case when extract then null else $3::timestamptz end,
    files = $4, unchanged = $5, refused = $6, removed = $7, chunks_new = $8,
    chunks_kept = $9
where tenant = $1 and id = $2
returning *;

-- name: analyse_documents
analyze documents;

-- name: analyse_chunks
analyze chunks;

-- name: forget_extraction
-- All that a wave brought, or saw last, is to be extracted from again.
update chunks c set extracted_wave_id = null
from documents d
where c.tenant = $1 and c.current and d.tenant = $1 and d.id = c.document_id
  and (c.wave_id = $2 or d.wave_id = $2);

-- name: extract_again
update waves
set state = 'extracting', extract_at = $3, ended_at = null, error = '', extract = true
where tenant = $1 and id = $2
returning *;

-- name: extracting_waves
select tenant, id from waves where state = 'extracting' order by tenant, id;

-- name: count_to_extract
select count(*) from chunks c
join documents d on d.tenant = $1 and d.id = c.document_id
where c.tenant = $1 and c.extracted_wave_id is null and c.current
  and (c.wave_id = $2 or d.wave_id = $2);

-- name: next_documents
-- The first ones behind another with something to extract from, as many as there is
-- room for.
with waiting as (
    select d.id, d.path, d.project, d.modified_at, d.size
    from documents d
    where d.tenant = $1 and d.id > $5 and exists (
        select from chunks c
        where c.tenant = $1 and c.document_id = d.id
          and c.extracted_wave_id is null and c.current
          and (c.wave_id = $2 or d.wave_id = $2)
    )
    order by d.id limit $3
)
select id, path, project, modified_at from (
    select *, sum(size) over (order by id) as sizes, row_number() over (order by id) as n
    from waiting
) w
where n = 1 or sizes <= $4
order by id;

-- name: chunks_of_documents
select document_id, id, headings, text, extracted_wave_id is null as fresh from chunks
where tenant = $1 and document_id = any($2) and current
order by document_id, ordinal;

-- name: mark_extracted
-- Those that were read: by now their documents may have others as well.
update chunks set extracted_wave_id = $2
where tenant = $1 and id = any($3::text[]) and extracted_wave_id is null;

-- name: found_records
-- What became of what was found at its place, by this wave or by an earlier reading of it.
select sight.*, c.status
from unnest($2::text[], $3::text[], $4::text[], $5::integer[], $6::integer[],
            $7::text[])
     as sight (chunk_id, extractor, rule, span_start, span_end, content)
join memory_records c on c.tenant = $1 and c.chunk_id = sight.chunk_id
     and c.extractor = sight.extractor and c.rule = sight.rule
     and c.span_start = sight.span_start and c.span_end = sight.span_end
     and sight.content in (c.content, c.original_content)
where c.created_at >= (select started_at from waves where tenant = $1 and id = $8);

-- name: known_contents
-- What was said before a wave, the newest first.
select content from memory_records
where tenant = $1 and project = $2
  and status in ('candidate', 'active', 'graduated', 'overflow')
  and created_at < (select started_at from waves where tenant = $1 and id = $4)
order by id desc
limit $3;

-- name: end_wave
update waves
set state = case $3 when '' then 'done' else 'failed' end, error = $3,
    report = $4::jsonb, ended_at = $5
where tenant = $1 and id = $2 and state = 'extracting'
returning *;
