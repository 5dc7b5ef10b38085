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

-- name: links_from
select subject, predicate, object from meta_triples
where tenant = $1 and subject = any($2)
order by created_at, subject collate "C", predicate collate "C", object collate "C"
limit $3;

-- name: links_to
select subject, predicate, object from meta_triples
where tenant = $1 and object collate "C" = any($2) and predicate = any($3)
order by created_at, subject collate "C", predicate collate "C", object collate "C"
limit $4;

-- name: triples_about
-- Facts by their place, newest first; $3 is the first text behind the places.
select subject from meta_triples
where tenant = $1 and object collate "C" >= $2 and object collate "C" < $3
  and predicate = 'about'
order by created_at desc, subject collate "C"
limit $4;

-- name: veils
-- Of candidates: what is private, what can still be answered, and who did.
select cid, sensitive,
       status <> 'expired' and case
           when expires_at is null then status = 'pending_validation'
           else expires_at > $3
       end as open,
       array(
           select distinct responder from validation_events e
           where e.tenant = f.tenant and e.candidate_id = f.id
       ) as responders
from candidates f
where tenant = $1 and cid = any($2);
