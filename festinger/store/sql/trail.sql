-- Content-addressed provenance: objects by the hash of themselves, and how they hang
-- together. What is there is never changed.

-- name: add_objects
insert into objects (tenant, cid, kind, data, created_at)
select $1, cid, kind, data, $5
from unnest($2::text[], $3::text[], $4::bytea[]) as new (cid, kind, data)
on conflict do nothing;

-- name: add_links
insert into meta_triples (tenant, subject, predicate, object, created_at)
select $1, subject, predicate, object, $5
from unnest($2::text[], $3::text[], $4::text[]) as new (subject, predicate, object)
on conflict do nothing;

-- name: objects
select cid, kind, data, created_at from objects where tenant = $1 and cid = any($2);

-- name: links_of
select subject, predicate, object from meta_triples
where tenant = $1 and (subject = any($2) or object = any($2))
order by created_at, subject collate "C", predicate collate "C", object collate "C"
limit $3;
