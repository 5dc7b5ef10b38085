-- What is read back.

-- name: tenant_exists
select version from heads where tenant = $1;

-- name: copy_concepts
-- The whole vocabulary, in the columns that the compact store parses.
select c.id, c.token, c.encounter_count,
       coalesce(extract(epoch from c.last_seen), 0)::double precision,
       c.novelty, c.is_dictionary
from concepts c
where c.tenant = $1;

-- name: copy_edges
select id, parent_id, dim_id, is_isa, confidence,
       extract(epoch from last_confirmed)::double precision,
       array_position(array['gutask', 'inferred', 'cloud_llm', 'festinger', 'extracted',
                            'promoted', 'validated', 'dreaming'], source)::smallint,
       array_position(array['asserted', 'belief'], modality)::smallint,
       coalesce(assertion_id, 0)
from urd
where tenant = $1;

-- name: edges_of
select id, parent_id, dim_id, is_isa, confidence,
       extract(epoch from last_confirmed)::double precision as last_confirmed, source,
       modality, coalesce(assertion_id, 0) as assertion_id
from urd
where tenant = $1 and id = any($2::bigint[]);

-- name: denials
select id, parent_id, dim_id, assertion_id from denials where tenant = $1;

-- name: denials_of
select id, parent_id, dim_id, assertion_id from denials
where tenant = $1 and id = any($2::bigint[]);

-- name: pending
select id, concept_id, dim_id, incoming_parent_id, incoming_negated
from resolution_queue
where tenant = $1 and status = 'pending';

-- name: pending_of
select id, concept_id, dim_id, incoming_parent_id, incoming_negated
from resolution_queue
where tenant = $1 and status = 'pending' and concept_id = any($2::bigint[]);

-- name: names
select id, token, novelty, is_dictionary from soas where tenant = $1 and id = any($2::bigint[]);

-- name: config
select key, value from config where tenant = $1;

-- name: witnesses
-- Which principals stated these triples before.
select distinct a.concept, a.parent, a.dimension, a.is_isa, a.negated, a.principal
from assertions a
join unnest($2::text[], $3::text[], $4::text[], $5::text[])
    as asked (concept, parent, dimension, principal)
  using (concept, parent, dimension, principal)
where a.tenant = $1 and a.outcome in ('held', 'corroborated');

-- name: judged
select segment, ordinal from assertions
join unnest($2::bytea[], $3::integer[]) as asked (segment, ordinal)
  using (segment, ordinal)
where tenant = $1;

-- name: answered
select principal, request_id, method, payload_hash, response from requests
join unnest($2::text[], $3::text[]) as asked (principal, request_id)
  using (principal, request_id)
where tenant = $1;

-- name: assertion
select * from assertions where tenant = $1 and id = $2;

-- name: conflicts
-- Oldest first; the edge that is held now beside the statement that was refused.
select q.*, c.token as concept, d.token as dimension, i.token as incoming_parent,
       a.confidence as incoming_confidence, a.source as incoming_source,
       a.principal as incoming_principal, a.subject as incoming_subject, a.sentence,
       u.parent_id as held_parent_id, p.token as held_parent, u.is_isa as held_is_isa,
       u.confidence as held_confidence, u.last_confirmed as held_last_confirmed,
       u.source as held_source, u.assertion_id as held_assertion_id
from resolution_queue q
join soas c on c.tenant = q.tenant and c.id = q.concept_id
join soas d on d.tenant = q.tenant and d.id = q.dim_id
join soas i on i.tenant = q.tenant and i.id = q.incoming_parent_id
join assertions a on a.tenant = q.tenant and a.id = q.incoming_assertion_id
left join urd u on u.tenant = q.tenant and u.id = q.concept_id and u.dim_id = q.dim_id
left join soas p on p.tenant = u.tenant and p.id = u.parent_id
where q.tenant = $1
  and q.id > $2
  and (cardinality($3::text[]) = 0 or q.status = any($3))
  and ($4 = '' or c.token = $4)
order by q.id
limit $5;

-- name: factoids
select * from factoids
where tenant = $1 and id > $2 and (cardinality($3::text[]) = 0 or status = any($3))
order by id
limit $4;

-- name: list_concepts
select token from soas s
where tenant = $1
  and token collate "C" > $2
  and starts_with(token, $3)
  and (not $4 or exists (
      select from urd u
      where u.tenant = s.tenant and u.id = s.id and u.id <> u.parent_id))
order by token collate "C"
limit $5;
