"""What is told of a prompt's concepts: the few that matter most of many.

Which concepts have something to tell is in three cache lines each: the record, the node
and the first edge. So a batch of them goes through passes, as in `lookup`, each of
which prefetches what the next one reads. Python's objects are made for the chosen only.
"""

cimport cython
from cpython.mem cimport PyMem_Free, PyMem_Malloc, PyMem_Realloc
from cpython.object cimport PyTypeObject
from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_SET_ITEM
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.math cimport log10, pow
from libc.stdint cimport int64_t, uint32_t
from libc.stdlib cimport qsort
from libc.string cimport memcmp, memcpy

from festinger._fast.candidates cimport (
    Candidate,
    candidates_heap,
    candidates_pop,
)
from festinger._fast.edges cimport EdgeRecord, Edges, find_node
from festinger._fast.edges cimport id_tag as node_tag
from festinger._fast.graph cimport Graph
from festinger._fast.hash cimport memory_prefetch
from festinger._fast.lookup cimport saliency
from festinger._fast.records cimport Record, Table, data_of, find_id
from festinger._fast.records cimport id_tag as record_tag
from festinger._fast.slots cimport SLOT_NONE, slots_home, slots_next
from festinger._fast.vocabulary cimport Vocabulary

from festinger._fast.values import Kind, Line, Telling

cdef extern from "Python.h":
    object PyType_GenericAlloc(PyTypeObject* cls, Py_ssize_t count)
    long long PyLong_AsLongLongAndOverflow(object number, int* overflow) except? -1


cdef enum:
    BATCH = 64
    COUNTS = 256
    MARKS = 5  # characters of " [?] "

# No constant, for which a compiler may take another function than Python's pow.
cdef double HALF = 0.5

# Few counts are large.
cdef double logarithms[COUNTS]
cdef list met = [f"met {count} times" for count in range(COUNTS)]

cdef object RECOLLECTION = Kind.RECOLLECTION
cdef bytes pending_bytes = " — conflict pending".encode()


cdef struct Limits:
    double now
    double half_life
    double oldest
    double floor
    size_t edges_max


cdef struct Sought:
    # A concept on its way through the passes.
    int64_t id
    uint32_t record_tag
    uint32_t node_tag
    uint32_t record
    uint32_t node


cdef struct Chars:
    const char* data
    size_t length


cdef struct Chosen:
    Chars name
    const Candidate* candidate
    size_t first  # of its places
    size_t count


cdef struct Place:
    Chars dimension
    Chars parent
    const EdgeRecord* edge
    double weight


cdef struct Page:
    # What is made on the way.
    Candidate* known
    size_t known_count
    Chosen* chosen
    size_t chosen_count
    Place* places
    size_t place_count
    size_t place_room
    char* text
    size_t text_room


cdef enum Fame:
    NO_FACTS
    FADED
    KNOWN


@cython.final
cdef class Unknown:
    """Tokens of concepts that are not known, the important first."""

    cdef Vocabulary vocabulary
    cdef object mentioned
    cdef Candidate* heap
    cdef size_t count
    cdef bint ordered

    def __dealloc__(self):
        PyMem_Free(self.heap)

    def __iter__(self):
        return self

    def __next__(self):
        cdef const Candidate* candidate
        if not self.ordered:
            candidates_heap(self.heap, self.count)
            self.ordered = True
        while self.count:
            candidate = candidates_pop(self.heap, self.count)
            self.count -= 1
            if candidate.faded or candidate.id not in self.mentioned:
                return self.vocabulary.token(candidate.id)
        raise StopIteration


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
        mentioned: Concepts that are not unknown, unless by their own edges.

    Raises:
        KeyError: No token has one of the ids, or one of an edge that is told.
        ValueError: `concepts_max` is negative, or `edges_max` not positive.
    """
    cdef list wanted = ids if type(ids) is list else list(ids)
    cdef size_t count = len(wanted)
    cdef Unknown unknown = Unknown.__new__(Unknown)
    cdef Limits limits
    cdef Page page
    if concepts_max < 0 or edges_max < 1:
        raise ValueError(f"{concepts_max} concepts of {edges_max} edges cannot be told")
    limits.now, limits.half_life = now, half_life
    limits.oldest, limits.floor = oldest, floor
    limits.edges_max = edges_max
    unknown.vocabulary = vocabulary
    unknown.mentioned = mentioned
    unknown.heap = <Candidate*>take(NULL, count, sizeof(Candidate))
    open_page(&page)
    try:
        page.known = <Candidate*>take(NULL, count, sizeof(Candidate))
        consider_all(
            &vocabulary.table, &graph.table, wanted, &limits, doubts, &page, unknown
        )
        choose(&vocabulary.table, &page, concepts_max)
        find_places(&vocabulary.table, &graph.table, &limits, &page)
        lines = lines_of(&vocabulary.table, &page, doubts)
    finally:
        close_page(&page)
    return Telling(lines, unknown)


cdef void* take(void* old, size_t count, size_t size) except NULL:
    cdef void* taken = PyMem_Realloc(old, max(count, <size_t>1) * size)
    if taken == NULL:
        raise MemoryError
    return taken


cdef void open_page(Page* page) noexcept:
    page.known = NULL
    page.chosen = NULL
    page.places = NULL
    page.text = NULL
    page.known_count = page.chosen_count = page.place_count = 0
    page.place_room = page.text_room = 0


cdef void close_page(Page* page) noexcept:
    PyMem_Free(page.known)
    PyMem_Free(page.chosen)
    PyMem_Free(page.places)
    PyMem_Free(page.text)


# ---- which concepts ----

cdef int consider_all(
    const Table* table,
    const Edges* edges,
    list ids,
    const Limits* limits,
    object doubts,
    Page* page,
    Unknown unknown,
) except -1:
    cdef Sought batch[BATCH]
    cdef size_t count = len(ids), first = 0, size, i
    cdef bint any_doubts = bool(doubts)
    while first < count:
        size = min(count - first, <size_t>BATCH)
        for i in range(size):
            seek(table, edges, as_id(ids[first + i]), &batch[i])
        find_all(table, edges, batch, size)
        for i in range(size):
            if batch[i].record == SLOT_NONE:
                raise KeyError(ids[first + i])
            if consider(table, edges, &batch[i], first + i, limits, page, unknown):
                page.known[page.known_count - 1].contested = (
                    any_doubts and ids[first + i] in doubts
                )
        first += size
    return 0


cdef inline int64_t as_id(object id) except? -1:
    """An id as a C integer; one that no token has if it does not fit."""
    cdef int overflow = 0
    return PyLong_AsLongLongAndOverflow(id, &overflow)


cdef inline void seek(
    const Table* table, const Edges* edges, int64_t id, Sought* sought
) noexcept:
    sought.id = id
    sought.record_tag = record_tag(table, id)
    sought.node_tag = node_tag(edges, id)
    memory_prefetch(slots_home(&table.by_id, sought.record_tag))
    memory_prefetch(slots_home(&edges.by_id, sought.node_tag))


cdef void find_all(
    const Table* table, const Edges* edges, Sought* batch, size_t size
) noexcept:
    cdef Sought* sought
    cdef size_t i, at
    for i in range(size):
        sought = &batch[i]
        at = sought.record_tag
        sought.record = slots_next(&table.by_id, sought.record_tag, &at)
        if sought.record != SLOT_NONE:
            memory_prefetch(&table.records[sought.record])
        at = sought.node_tag
        sought.node = slots_next(&edges.by_id, sought.node_tag, &at)
        if sought.node != SLOT_NONE:
            memory_prefetch(&edges.nodes[sought.node])
    for i in range(size):
        sought = &batch[i]
        if sought.record != SLOT_NONE and table.records[sought.record].id != sought.id:
            sought.record = find_id(table, sought.id)
        if sought.node == SLOT_NONE:
            continue
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
    Page* page,
    Unknown unknown,
) noexcept:
    """Whether there is something to tell of a concept."""
    cdef Fame fame = fame_of(edges, sought.node, limits)
    cdef Candidate* candidate
    if fame == KNOWN:
        candidate = &page.known[page.known_count]
        page.known_count += 1
    elif fame == FADED or not mentions(edges, sought.node):
        candidate = &unknown.heap[unknown.count]
        unknown.count += 1
    else:
        return False
    candidate.importance = importance(&table.records[sought.record], limits)
    candidate.id = sought.id
    candidate.place = <uint32_t>place
    candidate.contested = False
    candidate.faded = fame == FADED
    candidate.record = sought.record
    candidate.node = sought.node
    return fame == KNOWN


cdef inline int64_t mentions(const Edges* edges, uint32_t node) noexcept:
    return 0 if node == SLOT_NONE else edges.nodes[node].mentions


cdef inline bint is_root(const EdgeRecord* edge) noexcept:
    return edge.concept_id == edge.parent_id and edge.concept_id == edge.dim_id


cdef inline bint is_told(const EdgeRecord* edge, const Limits* limits) noexcept:
    return (
        edge.confidence >= limits.floor
        and edge.last_confirmed >= limits.oldest
        and not is_root(edge)
    )


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


cdef double importance(const Record* record, const Limits* limits) noexcept:
    """What was never met is not important, whatever placed it."""
    if record.last_seen == 0:
        return 0.0
    return max(height_of(record), record.novelty) * left(
        limits.now - record.last_seen, limits.half_life
    )


cdef inline double height_of(const Record* record) noexcept:
    """The saliency."""
    if record.dictionary or record.encounters >= COUNTS:
        return saliency(record)
    return logarithms[record.encounters]


cdef double left(double seconds, double half_life) noexcept:
    """The share that a time leaves; time that is to come takes nothing."""
    return pow(HALF, seconds / half_life) if seconds > 0 else 1.0


# ---- which edges ----

cdef int choose(const Table* table, Page* page, size_t concepts_max) except -1:
    """Take the first of the known, in order of their names."""
    cdef Chosen* chosen
    cdef size_t left_over = page.known_count
    page.chosen = <Chosen*>take(
        NULL, min(concepts_max, page.known_count), sizeof(Chosen)
    )
    candidates_heap(page.known, left_over)
    while left_over and page.chosen_count < concepts_max:
        chosen = &page.chosen[page.chosen_count]
        chosen.candidate = candidates_pop(page.known, left_over)
        name_of(table, &table.records[chosen.candidate.record], &chosen.name)
        page.chosen_count += 1
        left_over -= 1
    qsort(page.chosen, page.chosen_count, sizeof(Chosen), &by_name)
    return 0


cdef inline void name_of(
    const Table* table, const Record* record, Chars* name
) noexcept:
    name.data = data_of(table, record)
    name.length = record.length


cdef int by_name(const void* one, const void* other) noexcept nogil:
    """The order of UTF-8's bytes is that of the characters."""
    cdef const Chars* first = <const Chars*>one
    cdef const Chars* second = <const Chars*>other
    cdef int order = memcmp(
        first.data, second.data, min(first.length, second.length)
    )
    if order:
        return order
    return (first.length > second.length) - (first.length < second.length)


cdef int by_weight(const void* one, const void* other) noexcept nogil:
    cdef const Place* first = <const Place*>one
    cdef const Place* second = <const Place*>other
    if first.weight != second.weight:
        return -1 if first.weight > second.weight else 1
    return (first.edge.dim_id > second.edge.dim_id) - (
        first.edge.dim_id < second.edge.dim_id
    )


cdef int find_places(
    const Table* table, const Edges* edges, const Limits* limits, Page* page
) except -1:
    """The edges that are told of the chosen, and their names."""
    cdef const EdgeRecord* edge
    cdef Place* place
    cdef size_t i
    for i in range(page.chosen_count):
        take_edges(edges, &page.chosen[i], limits, page)
    for i in range(page.place_count):
        edge = page.places[i].edge
        memory_prefetch(slots_home(&table.by_id, record_tag(table, edge.dim_id)))
        memory_prefetch(slots_home(&table.by_id, record_tag(table, edge.parent_id)))
    for i in range(page.place_count):
        edge = page.places[i].edge
        prefetch_record(table, edge.dim_id)
        prefetch_record(table, edge.parent_id)
    for i in range(page.place_count):
        place = &page.places[i]
        name_of(table, record_of(table, place.edge.dim_id), &place.dimension)
        name_of(table, record_of(table, place.edge.parent_id), &place.parent)
    for i in range(page.chosen_count):
        qsort(
            &page.places[page.chosen[i].first],
            page.chosen[i].count,
            sizeof(Place),
            &by_name,
        )
    return 0


cdef int take_edges(
    const Edges* edges, Chosen* chosen, const Limits* limits, Page* page
) except -1:
    """The told edges of a chosen concept: the heaviest, if they are too many."""
    cdef uint32_t number = edges.nodes[chosen.candidate.node].first
    cdef const EdgeRecord* edge
    cdef Place* place
    cdef size_t i
    chosen.first = page.place_count
    while number != SLOT_NONE:
        edge = &edges.edges[number]
        number = edge.next
        if not is_told(edge, limits):
            continue
        if page.place_count == page.place_room:
            page.place_room = 2 * page.place_room + 64
            page.places = <Place*>take(page.places, page.place_room, sizeof(Place))
        page.places[page.place_count].edge = edge
        page.place_count += 1
    chosen.count = page.place_count - chosen.first
    if chosen.count <= limits.edges_max:
        return 0
    for i in range(chosen.first, page.place_count):
        place = &page.places[i]
        place.weight = place.edge.confidence * left(
            limits.now - place.edge.last_confirmed, limits.half_life
        )
    qsort(&page.places[chosen.first], chosen.count, sizeof(Place), &by_weight)
    chosen.count = limits.edges_max
    page.place_count = chosen.first + chosen.count
    return 0


cdef inline void prefetch_record(const Table* table, int64_t id) noexcept:
    cdef uint32_t tag = record_tag(table, id), number
    cdef size_t at = tag
    number = slots_next(&table.by_id, tag, &at)
    if number != SLOT_NONE:
        memory_prefetch(&table.records[number])


cdef const Record* record_of(const Table* table, int64_t id) except NULL:
    cdef uint32_t number = find_id(table, id)
    if number == SLOT_NONE:
        raise KeyError(id)
    return &table.records[number]


# ---- which words ----

cdef list lines_of(const Table* table, Page* page, object doubts):
    cdef list lines = []
    cdef const Chosen* chosen
    cdef size_t i
    for i in range(page.chosen_count):
        chosen = &page.chosen[i]
        doubted = doubts[chosen.candidate.id] if chosen.candidate.contested else ()
        lines.append(
            line_of(&table.records[chosen.candidate.record], chosen, page, doubted)
        )
    return lines


cdef object line_of(
    const Record* record, const Chosen* chosen, Page* page, object doubted
):
    cdef bint contested = False
    cdef size_t length = write(chosen, page, doubted, &contested)
    # As the named tuple's own __new__ does it in the end; that is five times as much.
    line = PyType_GenericAlloc(<PyTypeObject*>Line, 4)
    fill(line, 0, PyUnicode_DecodeUTF8(chosen.name.data, chosen.name.length, NULL))
    fill(line, 1, PyUnicode_DecodeUTF8(page.text, length, NULL))
    fill(line, 2, RECOLLECTION)
    fill(line, 3, why(record, contested))
    return line


cdef inline void fill(object line, Py_ssize_t at, object item) noexcept:
    Py_INCREF(item)
    PyTuple_SET_ITEM(line, at, item)


cdef str why(const Record* record, bint contested):
    if contested:
        return "conflict"
    if record.novelty >= height_of(record):
        return "novelty 1.0" if record.novelty == 1 else f"novelty {record.novelty:.1f}"
    if record.encounters < COUNTS:
        return met[record.encounters]
    return f"met {record.encounters} times"


cdef size_t write(
    const Chosen* chosen, Page* page, object doubted, bint* contested
) except 0:
    """Write a line's text on the page, and return its length."""
    cdef const Place* places = &page.places[chosen.first]
    cdef size_t i, length = chosen.name.length + 1 + pending.length
    cdef bint doubt
    cdef char* end
    for i in range(chosen.count):
        length += places[i].dimension.length + places[i].parent.length + MARKS
    if length > page.text_room:
        page.text = <char*>take(page.text, length, 2)
        page.text_room = 2 * length
    end = put(page.text, &chosen.name)
    end[0] = c":"
    end += 1
    for i in range(chosen.count):
        doubt = doubted and places[i].edge.dim_id in doubted
        contested[0] |= doubt
        end[0], end[1] = c" ", c"["
        end = put(end + 2, &places[i].dimension)
        end[0] = c"?"
        end += doubt
        end[0], end[1] = c"]", c" "
        end = put(end + 2, &places[i].parent)
    if contested[0]:
        end = put(end, &pending)
    return end - page.text


cdef inline char* put(char* end, const Chars* chars) noexcept:
    memcpy(end, chars.data, chars.length)
    return end + chars.length


cdef Chars pending
pending.data = pending_bytes
pending.length = len(pending_bytes)
logarithms[0] = 0.0
for _count in range(1, COUNTS):
    logarithms[_count] = log10(<double>_count)
