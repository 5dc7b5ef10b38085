"""Which of a prompt's concepts have something to be told, and which are unknown.

That is in three cache lines of each: the record, which is as good as always still near,
the node, which most have not, and the first edge. So those that have one go through
passes, as in `lookup`: each prefetches what the next reads. Which have none is known
from the last time.
"""

from libc.math cimport log10, pow
from libc.stdint cimport int64_t, uint32_t

from festinger._fast.edges cimport births_of, find_node, guess_of, id_tag
from festinger._fast.found cimport Salient
from festinger._fast.hash cimport memory_prefetch
from festinger._fast.lookup cimport saliency
from festinger._fast.mentions cimport may_hold
from festinger._fast.records cimport find_again
from festinger._fast.slots cimport SLOT_NONE, slots_home


cdef enum:
    LOGARITHMS = 1024

# Few counts are large.
cdef double logarithms[LOGARITHMS]

# No constant, for which a compiler might take another function than Python's pow.
cdef double half = 0.5


cdef enum Fame:
    NO_FACTS
    FADED
    KNOWN


cdef int consider_all(
    Table* table,
    Edges* edges,
    Salient ids,
    const Limits* limits,
    object doubts,
    object mentioned,
    Candidates* known,
    Candidates* unknown,
) except -1:
    """Sort out some concepts; those that are only mentioned are left out."""
    part(table, edges, ids, limits, known, unknown)
    unknown.ordered = unknown.count
    find_nodes(table, edges, known)
    sort_out(edges, limits, known, unknown)
    if doubts:
        doubt(doubts, mentioned, known)
    return 0


cdef int part(
    Table* table,
    Edges* edges,
    Salient ids,
    const Limits* limits,
    Candidates* named,
    Candidates* others,
) except -1:
    """Find the records, and part those few that may have a node from the others."""
    cdef Candidate* room[2]
    cdef Candidate* candidate
    cdef uint32_t record, count = <uint32_t>ids.told, place, node
    cdef size_t may_have_node
    cdef int64_t id
    named.count = others.count = 0
    for place in range(count):
        id = ids.ids[place]
        record = find_again(table, id, ids.records[place])
        if record == SLOT_NONE:
            raise KeyError(ids.all()[place])
        node = table.records[record].node
        may_have_node = node != births_of(edges, id)[0]
        # Which it will be nobody could foresee; so where it is written is chosen, and
        # it is written once: what was just written in parts is slow to be read whole.
        room[0], room[1] = &others.at[others.count], &named.at[named.count]
        candidate = room[may_have_node]
        candidate.importance = importance(&table.records[record], limits)
        candidate.id = id
        candidate.place = place
        candidate.contested = candidate.faded = 0
        candidate.record = record
        candidate.node = node
        named.count += may_have_node
        others.count += 1 - may_have_node
    return 0


cdef void find_nodes(Table* table, Edges* edges, Candidates* named) noexcept:
    """Find the nodes of those that have one, and note of all what is to be guessed."""
    cdef Candidate* candidate
    cdef uint32_t first
    cdef size_t i
    for i in range(named.count):
        candidate = &named.at[i]
        # What was never found, or what has another node now, is looked for.
        if candidate.node < edges.node_count:
            memory_prefetch(&edges.nodes[candidate.node])
        else:
            memory_prefetch(slots_home(&edges.by_id, id_tag(edges, candidate.id)))
    for i in range(named.count):
        candidate = &named.at[i]
        if (
            candidate.node >= edges.node_count
            or edges.nodes[candidate.node].id != candidate.id
        ):
            candidate.node = find_node(edges, candidate.id)
            table.records[candidate.record].node = guess_of(
                edges, candidate.id, candidate.node
            )
            if candidate.node == SLOT_NONE:
                continue
        first = edges.nodes[candidate.node].first
        if first != SLOT_NONE:
            memory_prefetch(&edges.edges[first])


cdef void sort_out(
    const Edges* edges, const Limits* limits, Candidates* named, Candidates* unknown
) noexcept:
    """Leave those of which there is something to tell among the named."""
    cdef Candidate* candidate
    cdef size_t count = named.count, i
    cdef Fame fame
    named.count = 0
    for i in range(count):
        candidate = &named.at[i]
        fame = fame_of(edges, candidate.node, limits)
        if fame == KNOWN:
            named.at[named.count] = candidate[0]
            named.count += 1
        elif fame == FADED or not is_mentioned(edges, candidate.node):
            candidate.faded = fame == FADED
            unknown.at[unknown.count] = candidate[0]
            unknown.count += 1


cdef int doubt(object doubts, object mentioned, Candidates* known) except -1:
    cdef int64_t id
    cdef size_t i
    for i in range(known.count):
        id = known.at[i].id
        known.at[i].contested = may_hold(mentioned, id) and id in doubts
    return 0


cdef inline bint is_mentioned(const Edges* edges, uint32_t node) noexcept:
    return node != SLOT_NONE and edges.nodes[node].mentions != 0


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
    cdef double height = height_here(record)
    # What was never met is not important, whatever placed it.
    if record.last_seen == 0:
        return 0.0
    if record.novelty > height:
        height = record.novelty
    # Most were met right now.
    if record.last_seen == limits.now:
        return height
    return height * left(limits.now - record.last_seen, limits.half_life)


cdef double height_of(const Record* record) noexcept:
    return height_here(record)


cdef inline double height_here(const Record* record) noexcept:
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
