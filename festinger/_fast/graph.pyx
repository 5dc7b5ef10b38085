"""The edges and the collision index, as Python sees them; `edges` holds them."""

cimport cython
from libc.stdint cimport INT64_MAX, int64_t, uint32_t
from libc.string cimport memset

from festinger._fast.edges cimport (
    EdgeRecord,
    climbs_to,
    close_edges,
    drop_edge,
    edges_nbytes,
    find_edge,
    find_node,
    hold,
    open_edges,
)
from festinger._fast.loading cimport load_edges
from festinger._fast.named cimport fill, new_named
from festinger._fast.slots cimport SLOT_NONE

from festinger._fast.values import PLACE, SEED, Edge

cdef int64_t as_id(object id) except? -1:
    """An id as a C integer; 0, which nothing has, if it does not fit."""
    try:
        return id
    except OverflowError:
        return 0


cdef object to_edge(const EdgeRecord* edge):
    named = new_named(Edge, 10)
    fill(named, 0, edge.concept_id)
    fill(named, 1, edge.parent_id)
    fill(named, 2, edge.dim_id)
    fill(named, 3, bool(edge.is_isa))
    fill(named, 4, edge.confidence)
    fill(named, 5, edge.last_confirmed)
    fill(named, 6, edge.source)
    fill(named, 7, edge.modality)
    fill(named, 8, edge.assertion_id)
    fill(named, 9, bool(edge.many))
    return named


cdef int from_edge(object given, EdgeRecord* edge) except -1:
    """Check an edge's numbers and take them over."""
    for name in ("concept_id", "parent_id", "dim_id"):
        if not 0 < getattr(given, name) <= INT64_MAX:
            raise ValueError(f"{name} {getattr(given, name)} is not a positive bigint")
    for name in ("source", "modality"):
        if not -(2**15) <= getattr(given, name) < 2**15:
            raise ValueError(f"{name} {getattr(given, name)} is not a smallint")
    if not -INT64_MAX - 1 <= given.assertion_id <= INT64_MAX:
        raise ValueError(f"assertion_id {given.assertion_id} is not a bigint")
    memset(edge, 0, sizeof(EdgeRecord))
    edge.concept_id = given.concept_id
    edge.parent_id = given.parent_id
    edge.dim_id = given.dim_id
    edge.is_isa = bool(given.is_isa)
    edge.confidence = given.confidence
    edge.last_confirmed = given.last_confirmed
    edge.source = given.source
    edge.modality = given.modality
    edge.assertion_id = given.assertion_id
    edge.many = bool(given.many)
    return 0


@cython.final
cdef class Graph:
    """The held edges: at most one for each concept, dimension and slot.

    `seed` and `mask_bits` shape the hash tables: tests use them to force collisions.
    """

    def __cinit__(self, *, seed=SEED, mask_bits=64):
        if not 0 <= seed < 2**64:
            raise ValueError(f"seed {seed} is not a 64-bit unsigned integer")
        if not 0 <= mask_bits <= 64:
            raise ValueError(f"mask_bits {mask_bits} is not between 0 and 64")
        open_edges(&self.table, seed, (1 << mask_bits) - 1)

    def __dealloc__(self):
        close_edges(&self.table)

    def get(self, concept_id, dim_id, slot=0):
        """Return the edge that holds a concept's place in a dimension, if any."""
        cdef uint32_t number = find_edge(
            &self.table, as_id(concept_id), as_id(dim_id), as_id(slot)
        )
        return None if number == SLOT_NONE else to_edge(&self.table.edges[number])

    def put(self, edge):
        """Hold an edge, in place of the one at its place, if any.

        Raises:
            ValueError: A number of the edge is out of range.
        """
        cdef EdgeRecord record
        from_edge(edge, &record)
        hold(&self.table, &record)

    def remove(self, concept_id, dim_id, slot=0):
        """Take an edge out, and return it.

        Raises:
            KeyError: None is held there.
        """
        cdef uint32_t number = find_edge(
            &self.table, as_id(concept_id), as_id(dim_id), as_id(slot)
        )
        if number == SLOT_NONE:
            raise KeyError((concept_id, dim_id, slot))
        edge = to_edge(&self.table.edges[number])
        drop_edge(&self.table, number)
        return edge

    def of(self, concept_id):
        """Return a concept's edges, in order of dimension and slot.

        A dimension's root edge, which has its own concept as parent and dimension, is
        among them.
        """
        cdef uint32_t number = find_node(&self.table, as_id(concept_id))
        cdef list edges = []
        if number == SLOT_NONE:
            return edges
        number = self.table.nodes[number].first
        while number != SLOT_NONE:
            edges.append(to_edge(&self.table.edges[number]))
            number = self.table.edges[number].next
        edges.sort(key=PLACE)
        return edges

    def mentions(self, id):
        """Return how many edges name a concept as concept, parent or dimension.

        An edge that names it twice counts once; root edges do not count.
        """
        cdef uint32_t number = find_node(&self.table, as_id(id))
        return 0 if number == SLOT_NONE else self.table.nodes[number].mentions

    def reaches(self, start_id, dim_id, target_id):
        """Whether the walk up from a concept in one dimension meets another.

        The start itself is met. The walk follows single parents (slot 0), and ends at
        a root, at a concept without one in the dimension, and where it would go round
        in a circle.
        """
        cdef int64_t target = as_id(target_id)
        if start_id == target_id:
            return True
        return target > 0 and climbs_to(
            &self.table, as_id(start_id), as_id(dim_id), target
        )

    def load_copy(self, bytes data not None):
        """Add the rows of a binary COPY stream.

        Its columns are those of `Edge`: concept_id, parent_id and dim_id int8, is_isa
        bool, confidence and last_confirmed float8, source and modality int2,
        assertion_id int8, many bool.

        Returns:
            How many edges were added.

        Raises:
            ValueError: The stream is corrupt, or names a place twice or one that is
                held already. Nothing has been added then.
        """
        return load_edges(&self.table, data)

    @property
    def nbytes(self):
        """Memory held, in bytes."""
        return edges_nbytes(&self.table)

    def __len__(self):
        return self.table.count

    def __iter__(self):
        cdef uint32_t i
        return iter([to_edge(&self.table.edges[i]) for i in range(self.table.count)])
