"""The edges, and the two tables that lead to them.

An edge's record is 64 bytes, one cache line. The collision index leads from (concept,
dimension, slot) to the edge that holds the place; another table leads from an id to
its node, where the list of its own edges begins and its mentions are counted. Taking
an edge out moves the last one to its place, so that there are no gaps.
"""

from libc.stdint cimport UINT32_MAX, int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy

from festinger._fast.memory cimport memory_settle, memory_take, no_memory
from festinger._fast.slots cimport (
    SLOT_NONE,
    slots_close,
    slots_insert,
    slots_nbytes,
    slots_next,
    slots_open,
    slots_remove,
    slots_renumber,
    slots_reserve,
    slots_settle,
)
from festinger._fast.wordtable cimport hash_secret


assert sizeof(EdgeRecord) == 64

# The last moment at which something was guessed, of any table.
cdef uint32_t now = 0


cdef int open_edges(Edges* table, uint64_t seed, uint64_t mask) except -1:
    """Make an empty table of zeroed memory."""
    cdef int i
    table.secret = hash_secret()
    table.seed = seed
    table.mask = mask
    for i in range(MOMENTS):
        table.moments[i] = NO_EDGE
    if slots_open(&table.by_place) < 0 or slots_open(&table.by_id) < 0:
        raise MemoryError
    return 0


cdef void close_edges(Edges* table) noexcept:
    """Free what the table owns, be it open or zeroed."""
    slots_close(&table.by_place)
    slots_close(&table.by_id)
    free(table.edges)
    free(table.nodes)


cdef size_t edges_nbytes(const Edges* table) noexcept:
    return (
        table.capacity * sizeof(EdgeRecord)
        + table.node_capacity * sizeof(Node)
        + slots_nbytes(&table.by_place)
        + slots_nbytes(&table.by_id)
    )


# ---- looking up ----

cdef uint32_t find_edge(
    const Edges* table, int64_t concept_id, int64_t dim_id, int64_t slot
) noexcept nogil:
    cdef uint32_t tag = place_tag(table, concept_id, dim_id, slot), number
    cdef size_t at = tag
    cdef const EdgeRecord* edge
    while True:
        number = slots_next(&table.by_place, tag, &at)
        if number == SLOT_NONE:
            return number
        edge = &table.edges[number]
        if (
            edge.concept_id == concept_id
            and edge.dim_id == dim_id
            and slot_of(edge) == slot
        ):
            return number


cdef uint32_t find_node(const Edges* table, int64_t id) noexcept nogil:
    cdef uint32_t tag = id_tag(table, id), number
    cdef size_t at = tag
    while True:
        number = slots_next(&table.by_id, tag, &at)
        if number == SLOT_NONE or table.nodes[number].id == id:
            return number


cdef uint32_t find_first(Edges* table, int64_t id, uint32_t* guess) noexcept:
    """The first of an id's own edges, ONLY_MENTIONED, or SLOT_NONE; and the next guess.

    An edge that was guessed is compared before it is taken. That there is none is true
    as long as `moment_of` says so: no moment is used twice, not even by two tables.
    """
    global now
    cdef uint32_t* moment = moment_of(table, id)
    cdef uint32_t node = find_node(table, id), first = SLOT_NONE
    if node != SLOT_NONE:
        first = table.nodes[node].first
        if first != SLOT_NONE:
            guess[0] = first if first < NO_EDGE else 0
            return first
        first = ONLY_MENTIONED
    if moment[0] == NO_EDGE:
        if now == MENTIONED - 1:
            guess[0] = 0
            return first
        now += 1
        moment[0] |= now
    guess[0] = moment[0] | (MENTIONED if first == ONLY_MENTIONED else 0)
    return first


cdef bint climbs_to(
    const Edges* table, int64_t start, int64_t dim_id, int64_t target
) noexcept:
    """Whether the way up through single parents meets the target."""
    # Brent: the mark moves up in doubling strides, and a circle comes back to it.
    cdef int64_t at = start, mark = start, parent
    cdef size_t stride = 1, steps = 0
    cdef uint32_t number
    while at != target:
        number = find_edge(table, at, dim_id, 0)
        if number == SLOT_NONE:
            return False
        parent = table.edges[number].parent_id
        if parent == at or parent == mark:
            return False
        at = parent
        steps += 1
        if steps == stride:
            mark = at
            stride *= 2
            steps = 0
    return True


# ---- holding and dropping ----

cdef void* grow(void* old, uint32_t used, size_t wanted, size_t size) except NULL nogil:
    # In whole cache lines, so that an edge is one and not two.
    cdef void* grown = NULL if wanted >= UINT32_MAX else memory_take(wanted * size)
    if grown == NULL:
        no_memory()
    if used:
        memcpy(grown, old, used * size)
    free(old)
    return grown


cdef int reserve_edges(Edges* table, size_t more) except -1 nogil:
    """Room for more edges, and for three nodes beside."""
    cdef size_t wanted = table.count + more
    if slots_reserve(&table.by_place, more) or slots_reserve(&table.by_id, 3):
        no_memory()
    if wanted > table.capacity:
        wanted = max(wanted, table.capacity + table.capacity // 2, <size_t>64)
        table.edges = <EdgeRecord*>grow(
            table.edges, table.count, wanted, sizeof(EdgeRecord)
        )
        table.capacity = <uint32_t>wanted
    wanted = table.node_count + 3
    if wanted > table.node_capacity:
        wanted = max(wanted, table.node_capacity + table.node_capacity // 2, <size_t>64)
        table.nodes = <Node*>grow(table.nodes, table.node_count, wanted, sizeof(Node))
        table.node_capacity = <uint32_t>wanted
    return 0


cdef void fit_edges(Edges* table) noexcept nogil:
    """Give back the room that no edge or node took; another time if it cannot be."""
    cdef void* fitting
    if 0 < table.count < table.capacity:
        fitting = realloc(table.edges, table.count * sizeof(EdgeRecord))
        if fitting != NULL:
            table.edges = <EdgeRecord*>fitting
            table.capacity = table.count
    if 0 < table.node_count < table.node_capacity:
        fitting = realloc(table.nodes, table.node_count * sizeof(Node))
        if fitting != NULL:
            table.nodes = <Node*>fitting
            table.node_capacity = table.node_count
    memory_settle(table.edges, table.count * sizeof(EdgeRecord))
    memory_settle(table.nodes, table.node_count * sizeof(Node))
    slots_settle(&table.by_place)
    slots_settle(&table.by_id)


cdef Node* node_of(Edges* table, int64_t id) noexcept nogil:
    """The node of an id, made if need be; there must be room."""
    cdef uint32_t number = find_node(table, id)
    cdef Node* node
    if number != SLOT_NONE:
        return &table.nodes[number]
    node = &table.nodes[table.node_count]
    node.id = id
    node.mentions = 0
    node.first = SLOT_NONE
    slots_insert(&table.by_id, id_tag(table, id), table.node_count)
    moment_of(table, id)[0] = NO_EDGE
    table.node_count += 1
    return node


cdef void mention(Edges* table, int64_t id, int by) noexcept nogil:
    """Count a mention, and drop the node if it was its last and it has no edges."""
    cdef Node* node = node_of(table, id)
    cdef uint32_t number, last
    node.mentions += by
    if node.mentions or node.first != SLOT_NONE:
        return
    moment_of(table, id)[0] = NO_EDGE
    number = node - table.nodes
    last = table.node_count - 1
    slots_remove(&table.by_id, id_tag(table, id), number)
    if number != last:
        node[0] = table.nodes[last]
        slots_renumber(&table.by_id, id_tag(table, node.id), last, number)
    table.node_count = last


cdef void mention_all(Edges* table, const EdgeRecord* edge, int by) noexcept nogil:
    cdef int64_t concept = edge.concept_id, parent = edge.parent_id, dim = edge.dim_id
    if concept == parent and concept == dim:
        mention(table, concept, 0)
        return
    mention(table, concept, by)
    if parent != concept:
        mention(table, parent, by)
    if dim != concept and dim != parent:
        mention(table, dim, by)


cdef int hold(Edges* table, const EdgeRecord* edge) except -1 nogil:
    """Hold an edge; nothing has changed if there is no memory."""
    cdef uint32_t number
    cdef Node* node
    cdef EdgeRecord* held
    cdef EdgeRecord old
    reserve_edges(table, 1)
    number = find_edge(table, edge.concept_id, edge.dim_id, slot_of(edge))
    if number != SLOT_NONE:
        held = &table.edges[number]
        old = held[0]
        held[0] = edge[0]
        held.next, held.previous = old.next, old.previous
        # The new mentions first, so that no node goes away to come back.
        mention_all(table, edge, 1)
        mention_all(table, &old, -1)
        return 0
    number = table.count
    held = &table.edges[number]
    held[0] = edge[0]
    node = node_of(table, edge.concept_id)
    held.previous = SLOT_NONE
    held.next = node.first
    if held.next != SLOT_NONE:
        table.edges[held.next].previous = number
    else:
        moment_of(table, edge.concept_id)[0] = NO_EDGE
    node.first = number
    slots_insert(&table.by_place, tag_of(table, edge), number)
    table.count += 1
    mention_all(table, edge, 1)
    return 0


cdef int drop_edge(Edges* table, uint32_t number) except -1:
    """Take an edge out; the last one moves to its place."""
    cdef EdgeRecord edge = table.edges[number]
    cdef uint32_t last = table.count - 1
    relink(table, &edge, edge.next, edge.previous)
    slots_remove(&table.by_place, tag_of(table, &edge), number)
    mention_all(table, &edge, -1)
    table.count = last
    if number != last:
        table.edges[number] = table.edges[last]
        edge = table.edges[number]
        relink(table, &edge, number, number)
        slots_renumber(&table.by_place, tag_of(table, &edge), last, number)
    return 0


cdef void relink(
    Edges* table, const EdgeRecord* edge, uint32_t before_it, uint32_t behind_it
) noexcept:
    """Point an edge's neighbours in its concept's list elsewhere.

    `before_it` is what the list names at the edge's place coming from the front,
    `behind_it` coming from the back.
    """
    if edge.previous == SLOT_NONE:
        table.nodes[find_node(table, edge.concept_id)].first = before_it
    else:
        table.edges[edge.previous].next = before_it
    if edge.next != SLOT_NONE:
        table.edges[edge.next].previous = behind_it
