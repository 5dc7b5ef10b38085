-- What predicates are in the graph, and which are suggested.

-- name: predicates
select uri, dimension, is_isa, question from predicates where tenant = $1 order by uri;
