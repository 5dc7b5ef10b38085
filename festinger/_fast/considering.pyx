"""Which of a prompt's concepts have something to be told, and which are unknown.

That is in two cache lines of each: the record, which is as good as always still near,
and the first edge, which most have not. So the edges go through passes, as in `lookup`:
one prefetches what the next reads. Which have none is known from the last time.
"""

from libc.math cimport log10, pow
from libc.stdint cimport int64_t, uint32_t

from festinger._fast.edges cimport (
    MENTIONED,
    ONLY_MENTIONED,
    find_first,
    find_node,
    id_tag,
    is_first,
    moment_of,
)
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
    find_edges(table, edges, known)
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
    """Find the records, and part those few that may have edges from the others."""
    cdef Candidate* room[2]
    cdef Candidate* candidate
    cdef uint32_t record, count = <uint32_t>ids.told, place, edge, moment
    cdef size_t has_none, may_have_edges
    cdef int64_t id
    named.count = others.count = 0
    for place in range(count):
        id = ids.ids[place]
        record = find_again(table, id, ids.records[place])
        if record == SLOT_NONE:
            raise KeyError(ids.all()[place])
        edge, moment = table.records[record].edge, moment_of(edges, id)[0]
        has_none = edge == moment
        may_have_edges = 1 - (has_none | (edge == moment | MENTIONED))
        # Which it will be nobody could foresee; so where it is written is chosen, and
        # it is written once: what was just written in parts is slow to be read whole.
        room[0], room[1] = &others.at[others.count], &named.at[named.count]
        candidate = room[may_have_edges]
        candidate.importance = importance(&table.records[record], limits)
        candidate.id = id
        candidate.place = place
        candidate.contested = candidate.faded = 0
        candidate.record = record
        candidate.first = edge
        named.count += may_have_edges
        others.count += has_none
    return 0


cdef void find_edges(Table* table, Edges* edges, Candidates* named) noexcept:
    """Find the first edge of each, and note what is to be guessed the next time."""
    cdef Candidate* candidate
    cdef size_t i
    for i in range(named.count):
        candidate = &named.at[i]
        if candidate.first < edges.count:
            memory_prefetch(&edges.edges[candidate.first])
        else:
            memory_prefetch(slots_home(&edges.by_id, id_tag(edges, candidate.id)))
    for i in range(named.count):
        candidate = &named.at[i]
        if not is_first(edges, candidate.id, candidate.first):
            candidate.first = find_first(
                edges, candidate.id, &table.records[candidate.record].edge
            )


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
        if candidate.first == ONLY_MENTIONED:
            continue
        fame = fame_of(edges, candidate.first, limits)
        if fame == KNOWN:
            named.at[named.count] = candidate[0]
            named.count += 1
        elif fame == FADED or not is_mentioned(edges, candidate.id):
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


cdef bint is_mentioned(const Edges* edges, int64_t id) noexcept:
    """Whether an edge names a concept; a root, which has one, need not be."""
    cdef uint32_t node = find_node(edges, id)
    return node != SLOT_NONE and edges.nodes[node].mentions != 0


cdef Fame fame_of(
    const Edges* edges, uint32_t first, const Limits* limits
) noexcept:
    cdef Fame fame = NO_FACTS
    cdef uint32_t number = first
    cdef const EdgeRecord* edge
    while number != SLOT_NONE:
        edge = &edges.edges[number]
        if is_told(edge, limits):
            # It is taken soon, with the next one; of the last this is near.
            memory_prefetch(edges.edges + min(edge.next, edges.count - 1))
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
