-- What predicates are in the graph, and which are suggested.

-- name: predicates
select uri, dimension, is_isa, question, cardinality, synonyms
from predicates where tenant = $1 order by uri;

-- name: set_predicate
insert into predicates (tenant, uri, dimension, is_isa, question, cardinality, synonyms,
                        principal, created_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
on conflict (tenant, uri) do update
set dimension = excluded.dimension, is_isa = excluded.is_isa,
    question = excluded.question, cardinality = excluded.cardinality,
    synonyms = excluded.synonyms, principal = excluded.principal,
    created_at = excluded.created_at;

-- name: count_suggestions
-- Counts what recurs in what people confirmed and in what was dreamt of, which is what
-- was found and not refused. Only what nobody registered.
with met as (
    select predicate as uri,
           concept || ' ' || dimension || ' ' || parent as example, id
    from candidates
    where tenant = $1 and status = 'confirmed' and predicate <> ''
    union all
    select found.each ->> 'predicate', found.each ->> 'fact', b.id
    from backlog b
    cross join lateral jsonb_array_elements(b.findings) as found (each)
    where b.tenant = $1 and b.state = 'done'
      and found.each ->> 'outcome' in ('held', 'corroborated', 'candidate', 'conflicted')
)
insert into predicate_suggestions
    (tenant, uri, count, examples, created_at, updated_at)
select $1, uri, count(*),
       to_jsonb((array_agg(distinct example))[1:3]), $3, $3
from met
where uri <> '' and uri <> all($2::text[])
group by uri
on conflict (tenant, uri) do update
set count = excluded.count, examples = excluded.examples,
    updated_at = case when predicate_suggestions.count <> excluded.count
                      then excluded.updated_at
                      else predicate_suggestions.updated_at end;

-- name: suggestions
select uri, count, examples from predicate_suggestions
where tenant = $1 and state = 'open' and count >= $2 and uri <> all($3::text[])
order by count desc, uri;

-- name: close_suggestion
update predicate_suggestions set state = $3, updated_at = $4
where tenant = $1 and uri = $2
returning uri;
