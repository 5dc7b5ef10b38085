"""What is told of a prompt's concepts: the few that matter most of many.

Most concepts have nothing to be told, so they are sorted out by number (`considering`),
and names are looked up and worded (`wording`) for the chosen only.
"""

from libc.stdint cimport int64_t, uint32_t
from libc.stdlib cimport qsort

from festinger._fast.asking cimport Unknown
from festinger._fast.candidates cimport Candidate, candidates_keep
from festinger._fast.considering cimport (
    Candidates,
    Limits,
    consider_all,
    is_told,
    left,
)
from festinger._fast.edges cimport EdgeRecord, Edges
from festinger._fast.found cimport salient_of
from festinger._fast.graph cimport Graph
from festinger._fast.lines cimport Lines, new_lines
from festinger._fast.named cimport fill, new_named
from festinger._fast.records cimport Record, Table, data_of, find_place
from festinger._fast.rooms cimport Bench, need
from festinger._fast.slots cimport SLOT_NONE
from festinger._fast.vocabulary cimport Vocabulary
from festinger._fast.wording cimport Chars, Chosen, Place, add_line, sort_by_chars

from festinger._fast.values import Telling


cdef enum:
    BELIEF = 2  # as in `festinger.core.graph.structures`


cdef struct Weighed:
    const EdgeRecord* edge
    double weight


cdef struct Choice:
    # What is made on the way, on the bench.
    Bench* bench
    Candidates known
    Chosen* chosen
    size_t chosen_count
    Weighed* edges
    size_t edge_count
    Place* places


def tell(
    Vocabulary vocabulary not None,
    Graph graph not None,
    ids,
    *,
    double now,
    double half_life,
    double oldest,
    double floor,
    Py_ssize_t concepts_max,
    Py_ssize_t edges_max,
    doubts,
    mentioned,
):
    """Choose what to tell of some concepts, and word it.

    Args:
        ids: Each once.
        now: Epoch seconds.
        half_life: Seconds.
        oldest: When an edge that is told was confirmed at the earliest.
        floor: Confidence of an edge that is told, at least.
        concepts_max: Concepts of which something is told, at most.
        edges_max: Edges that are told of one, at most.
        doubts: Concepts that are chosen before all others, and of each the dimensions
            in which its edges are marked.
        mentioned: Concepts that are not unknown, unless by their own edges. If they are
            `Mentions`, those that are doubted are among them.

    Raises:
        KeyError: No token has one of the ids, or one of an edge that is told.
        ValueError: `concepts_max` is negative, or `edges_max` not positive.
    """
    cdef Unknown unknown = Unknown.__new__(Unknown)
    cdef Table* table = &vocabulary.table
    cdef Limits limits
    cdef Choice choice
    if concepts_max < 0 or edges_max < 1:
        raise ValueError(f"{concepts_max} concepts of {edges_max} edges cannot be told")
    limits.now, limits.half_life = now, half_life
    limits.oldest, limits.floor = oldest, floor
    limits.edges_max = edges_max
    unknown.vocabulary = vocabulary
    unknown.mentioned = mentioned
    choice.bench = &unknown.bench
    wanted = salient_of(ids)
    need(&choice.bench.unknown, wanted.told * sizeof(Candidate))
    need(&choice.bench.known, wanted.told * sizeof(Candidate))
    unknown.heap.at = <Candidate*>choice.bench.unknown.at
    choice.known.at = <Candidate*>choice.bench.known.at
    consider_all(
        table,
        &graph.table,
        wanted,
        &limits,
        doubts,
        mentioned,
        &choice.known,
        &unknown.heap,
    )
    choose(table, &choice, concepts_max)
    take_edges(&graph.table, &limits, &choice)
    name_places(table, &choice)
    lines = lines_of(table, &choice, doubts)
    telling = new_named(Telling, 2)
    fill(telling, 0, lines)
    fill(telling, 1, unknown)
    return telling


# ---- which concepts ----

cdef int choose(const Table* table, Choice* choice, size_t concepts_max) except -1:
    """Take the first of the known, in order of their names."""
    cdef Candidates* known = &choice.known
    cdef size_t count = min(concepts_max, known.count), i
    cdef Chosen* chosen
    need(&choice.bench.chosen, count * sizeof(Chosen))
    choice.chosen = <Chosen*>choice.bench.chosen.at
    choice.chosen_count = count
    candidates_keep(known.at, known.count, count)
    for i in range(count):
        chosen = &choice.chosen[i]
        chosen.candidate = &known.at[i]
        name_of(table, &table.records[chosen.candidate.record], &chosen.name)
    sort_by_chars(choice.chosen, count)
    return 0


cdef inline void name_of(
    const Table* table, const Record* record, Chars* name
) noexcept:
    name.data = data_of(table, record)
    name.length = record.length


# ---- which edges ----

cdef int take_edges(
    const Edges* edges, const Limits* limits, Choice* choice
) except -1:
    """The edges that are told of the chosen."""
    cdef Chosen* chosen
    cdef uint32_t number
    cdef size_t i
    choice.edge_count = 0
    choice.edges = <Weighed*>choice.bench.edges.at
    for i in range(choice.chosen_count):
        chosen = &choice.chosen[i]
        chosen.first = choice.edge_count
        number = chosen.candidate.first
        while number != SLOT_NONE:
            take_edge(&edges.edges[number], limits, choice)
            number = edges.edges[number].next
        chosen.count = choice.edge_count - chosen.first
        if chosen.count > limits.edges_max:
            keep_heaviest(&choice.edges[chosen.first], chosen.count, limits)
            chosen.count = limits.edges_max
            choice.edge_count = chosen.first + chosen.count
    return 0


cdef inline int take_edge(
    const EdgeRecord* edge, const Limits* limits, Choice* choice
) except -1:
    if not is_told(edge, limits):
        return 0
    need(&choice.bench.edges, (choice.edge_count + 1) * sizeof(Weighed))
    choice.edges = <Weighed*>choice.bench.edges.at
    choice.edges[choice.edge_count].edge = edge
    choice.edge_count += 1
    return 0


cdef void keep_heaviest(Weighed* edges, size_t count, const Limits* limits) noexcept:
    """Bring the heaviest edges of a concept to the front."""
    cdef size_t i
    for i in range(count):
        edges[i].weight = edges[i].edge.confidence * left(
            limits.now - edges[i].edge.last_confirmed, limits.half_life
        )
    qsort(edges, count, sizeof(Weighed), by_weight)


cdef int by_weight(const void* one, const void* other) noexcept nogil:
    cdef const Weighed* first = <const Weighed*>one
    cdef const Weighed* second = <const Weighed*>other
    if first.weight != second.weight:
        return -1 if first.weight > second.weight else 1
    return (first.edge.dim_id > second.edge.dim_id) - (
        first.edge.dim_id < second.edge.dim_id
    )


# ---- which names ----

cdef int name_places(Table* table, Choice* choice) except -1:
    """Look up the names of the edges' dimensions and parents, and sort by them."""
    cdef const EdgeRecord* edge
    cdef Place* place
    cdef size_t i
    need(&choice.bench.places, choice.edge_count * sizeof(Place))
    choice.places = <Place*>choice.bench.places.at
    for i in range(choice.edge_count):
        edge = choice.edges[i].edge
        place = &choice.places[i]
        place.dim_id = edge.dim_id
        place.belief = edge.modality == BELIEF
        name_of(table, record_of(table, edge.dim_id), &place.dimension)
        name_of(table, record_of(table, edge.parent_id), &place.parent)
    for i in range(choice.chosen_count):
        place = &choice.places[choice.chosen[i].first]
        sort_by_chars(place, choice.chosen[i].count)
    return 0


cdef const Record* record_of(Table* table, int64_t id) except NULL:
    cdef uint32_t number = find_place(table, id)
    if number == SLOT_NONE:
        raise KeyError(id)
    return &table.records[number]


cdef Lines lines_of(const Table* table, const Choice* choice, object doubts):
    cdef Lines lines = new_lines(choice.chosen_count)
    cdef const Chosen* chosen
    cdef size_t i
    for i in range(choice.chosen_count):
        chosen = &choice.chosen[i]
        doubted = doubts[chosen.candidate.id] if chosen.candidate.contested else None
        add_line(
            lines,
            &table.records[chosen.candidate.record],
            &chosen.name,
            &choice.places[chosen.first],
            chosen.count,
            doubted,
        )
    return lines
