"""Which of a prompt's concepts have something to be told, and which are unknown.

That is in three cache lines of each: the record, which is as good as always still near,
the node, which most have not, and the first edge. So a batch of them goes through
passes, as in `lookup`: each prefetches what the next reads.
"""

from libc.math cimport log10, pow
from libc.stdint cimport int64_t, uint8_t, uint32_t

from festinger._fast.edges cimport find_node, id_tag, is_named, named_word
from festinger._fast.hash cimport memory_prefetch
from festinger._fast.lookup cimport saliency
from festinger._fast.records cimport find_recent
from festinger._fast.slots cimport SLOT_NONE, slots_home, slots_next

cdef extern from "Python.h":
    long long PyLong_AsLongLongAndOverflow(object number, int* overflow) except? -1


cdef enum:
    BATCH = 256
    LOGARITHMS = 1024

# Few counts are large.
cdef double logarithms[LOGARITHMS]

# No constant, for which a compiler might take another function than Python's pow.
cdef double half = 0.5


cdef struct Sought:
    # A concept on its way through the passes.
    int64_t id
    uint32_t tag  # of the node
    uint32_t record
    uint32_t node


cdef enum Fame:
    NO_FACTS
    FADED
    KNOWN


cdef int consider_all(
    Table* table,
    const Edges* edges,
    list ids,
    const Limits* limits,
    object doubts,
    Candidates* known,
    Candidates* unknown,
) except -1:
    """Sort out some concepts; those that are only mentioned are left out."""
    cdef Sought batch[BATCH]
    cdef size_t count = len(ids), first, size, i
    cdef bint any_doubts = bool(doubts)
    known.count = unknown.count = 0
    for first in range(0, count, BATCH):
        size = min(count - first, <size_t>BATCH)
        for i in range(size):
            batch[i].id = as_id(ids[first + i])
            memory_prefetch(named_word(edges, batch[i].id))
        for i in range(size):
            batch[i].record = find_recent(table, batch[i].id)
            if batch[i].record == SLOT_NONE:
                raise KeyError(ids[first + i])
        find_nodes(edges, batch, size)
        for i in range(size):
            if consider(table, edges, &batch[i], first + i, limits, known, unknown):
                known.at[known.count - 1].contested = (
                    any_doubts and ids[first + i] in doubts
                )
    return 0


cdef inline int64_t as_id(object id) except? -1:
    """An id as a C integer; one that no token has if it does not fit."""
    cdef int overflow = 0
    return PyLong_AsLongLongAndOverflow(id, &overflow)


cdef void find_nodes(const Edges* edges, Sought* batch, size_t size) noexcept:
    """Find the nodes of those few that may have one."""
    cdef uint8_t named[BATCH]
    cdef Sought* sought
    cdef size_t count = 0, i, at
    for i in range(size):
        batch[i].node = SLOT_NONE
        # Each is written and only the named stay, which nobody could foresee.
        named[count] = <uint8_t>i
        count += is_named(edges, batch[i].id)
    for i in range(count):
        sought = &batch[named[i]]
        sought.tag = id_tag(edges, sought.id)
        memory_prefetch(slots_home(&edges.by_id, sought.tag))
    for i in range(count):
        sought = &batch[named[i]]
        at = sought.tag
        sought.node = slots_next(&edges.by_id, sought.tag, &at)
        if sought.node != SLOT_NONE:
            memory_prefetch(&edges.nodes[sought.node])
    for i in range(count):
        sought = &batch[named[i]]
        if sought.node == SLOT_NONE:
            continue
        # As good as always it is the first that has its tag.
        if edges.nodes[sought.node].id != sought.id:
            sought.node = find_node(edges, sought.id)
        if sought.node != SLOT_NONE and edges.nodes[sought.node].first != SLOT_NONE:
            memory_prefetch(&edges.edges[edges.nodes[sought.node].first])


cdef inline bint consider(
    const Table* table,
    const Edges* edges,
    const Sought* sought,
    size_t place,
    const Limits* limits,
    Candidates* known,
    Candidates* unknown,
) noexcept:
    """Whether there is something to tell of a concept."""
    cdef Fame fame = fame_of(edges, sought.node, limits)
    cdef Candidates* kind = known if fame == KNOWN else unknown
    cdef Candidate* candidate = &kind.at[kind.count]
    if (
        fame == NO_FACTS
        and sought.node != SLOT_NONE
        and edges.nodes[sought.node].mentions
    ):
        return False
    kind.count += 1
    candidate.importance = importance(&table.records[sought.record], limits)
    candidate.id = sought.id
    candidate.place = <uint32_t>place
    candidate.contested = False
    candidate.faded = fame == FADED
    candidate.record = sought.record
    candidate.node = sought.node
    return fame == KNOWN


cdef Fame fame_of(
    const Edges* edges, uint32_t node, const Limits* limits
) noexcept:
    cdef Fame fame = NO_FACTS
    cdef uint32_t number
    cdef const EdgeRecord* edge
    if node == SLOT_NONE:
        return fame
    number = edges.nodes[node].first
    while number != SLOT_NONE:
        edge = &edges.edges[number]
        if is_told(edge, limits):
            return KNOWN
        if not is_root(edge):
            fame = FADED
        number = edge.next
    return fame


cdef inline double importance(const Record* record, const Limits* limits) noexcept:
    cdef double height = height_of(record)
    # What was never met is not important, whatever placed it.
    if record.last_seen == 0:
        return 0.0
    if record.novelty > height:
        height = record.novelty
    return height * left(limits.now - record.last_seen, limits.half_life)


cdef double height_of(const Record* record) noexcept:
    """The saliency, mostly without a logarithm."""
    if record.dictionary or record.encounters >= LOGARITHMS:
        return saliency(record)
    return logarithms[record.encounters]


cdef double left(double seconds, double half_life) noexcept:
    """The share that a time leaves; time that is to come takes nothing."""
    return pow(half, seconds / half_life) if seconds > 0 else 1.0


cdef void fill_logarithms() noexcept:
    cdef int count
    for count in range(1, LOGARITHMS):
        logarithms[count] = log10(<double>count)


fill_logarithms()
