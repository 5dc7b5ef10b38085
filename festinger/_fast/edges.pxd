"""The record of an edge, and of a concept that edges name."""

from libc.stdint cimport int16_t, int64_t, uint8_t, uint32_t, uint64_t

from festinger._fast.hash cimport hash_pair
from festinger._fast.slots cimport SLOT_NONE, Slots, slot_tag


cdef struct EdgeRecord:
    int64_t concept_id
    int64_t parent_id
    int64_t dim_id
    int64_t assertion_id
    double confidence
    double last_confirmed
    # The concept's other edges, as a list that goes both ways; SLOT_NONE ends it.
    uint32_t next
    uint32_t previous
    int16_t source
    int16_t modality
    uint8_t is_isa
    uint8_t many  # whether its concept may have other parents in the dimension
    uint8_t spare[2]


cdef struct Node:
    int64_t id
    int64_t mentions
    uint32_t first  # of its own edges
    uint32_t spare


cdef enum:
    MOMENTS = 256
    # What is guessed of an id: the number of its first edge, or with these bits a
    # moment at which it had none.
    NO_EDGE = 0x80000000
    MENTIONED = 0x40000000  # that moment others named it

    # As the number of an edge: there is none, but others name the id.
    ONLY_MENTIONED = 0xFFFFFFFE


cdef struct Edges:
    EdgeRecord* edges
    uint32_t count
    uint32_t capacity
    Node* nodes
    uint32_t node_count
    uint32_t node_capacity
    Slots by_place  # concept, dimension and slot to edge: the collision index
    Slots by_id  # id to node
    # The moment from which on all that was guessed of ids without edges is true, by the
    # low bits of the ids, with NO_EDGE; that alone until something is guessed.
    uint32_t moments[MOMENTS]
    uint64_t secret
    uint64_t seed
    uint64_t mask


cdef int open_edges(Edges* table, uint64_t seed, uint64_t mask) except -1
cdef void close_edges(Edges* table) noexcept
cdef size_t edges_nbytes(const Edges* table) noexcept
cdef uint32_t find_edge(
    const Edges* table, int64_t concept_id, int64_t dim_id, int64_t slot
) noexcept nogil
cdef uint32_t find_node(const Edges* table, int64_t id) noexcept nogil
cdef uint32_t find_first(Edges* table, int64_t id, uint32_t* guess) noexcept
cdef bint climbs_to(
    const Edges* table, int64_t start, int64_t dim_id, int64_t target
) noexcept
cdef int reserve_edges(Edges* table, size_t more) except -1 nogil
cdef void fit_edges(Edges* table) noexcept nogil
cdef int hold(Edges* table, const EdgeRecord* edge) except -1 nogil
cdef int drop_edge(Edges* table, uint32_t number) except -1


cdef inline uint32_t* moment_of(Edges* table, int64_t id) noexcept nogil:
    return &table.moments[<uint64_t>id % MOMENTS]


cdef inline bint is_first(
    const Edges* table, int64_t id, uint32_t number
) noexcept nogil:
    """Whether an edge is the first of an id's own."""
    return (
        number < table.count
        and table.edges[number].concept_id == id
        and table.edges[number].previous == SLOT_NONE
    )


cdef inline int64_t slot_of(const EdgeRecord* edge) noexcept nogil:
    """Which of a concept's places in a dimension an edge takes: 0, or its parent's."""
    return edge.parent_id if edge.many else 0


cdef inline uint32_t place_tag(
    const Edges* table, int64_t concept_id, int64_t dim_id, int64_t slot
) noexcept nogil:
    cdef uint64_t hash = hash_pair(
        <uint64_t>concept_id, <uint64_t>dim_id ^ table.seed, table.secret
    )
    if slot:
        hash = hash_pair(<uint64_t>slot, hash, table.secret)
    return slot_tag(hash & table.mask)


cdef inline uint32_t tag_of(const Edges* table, const EdgeRecord* edge) noexcept nogil:
    return place_tag(table, edge.concept_id, edge.dim_id, slot_of(edge))


cdef inline uint32_t id_tag(const Edges* table, int64_t id) noexcept nogil:
    return slot_tag(hash_pair(<uint64_t>id, table.seed, table.secret) & table.mask)
