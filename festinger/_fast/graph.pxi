"""The edges and the collision index."""

# ---- edges ----
#
# An edge's record is 64 bytes, one cache line. The collision index leads from
# (concept, dimension, slot) to the edge that holds the place; another table leads from
# an id to its node, where the list of its own edges begins and its mentions are
# counted. Removing an edge moves the last one to its place, so that there are no gaps.


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


cdef inline uint32_t* moment_of(Edges* table, int64_t id) noexcept nogil:
    return &table.moments[<uint64_t>id % MOMENTS]


cdef inline bint is_first(
    const Edges* table, int64_t id, uint32_t number
) noexcept nogil:
    """Return whether an edge is the first of an id's own."""
    return (
        number < table.count
        and table.edges[number].concept_id == id
        and table.edges[number].previous == SLOT_NONE
    )


cdef inline int64_t slot_of(const EdgeRecord* edge) noexcept nogil:
    """Return the slot that an edge takes in a dimension: 0, or its parent's id."""
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


cdef inline uint32_t edge_tag(
    const Edges* table, const EdgeRecord* edge
) noexcept nogil:
    return place_tag(table, edge.concept_id, edge.dim_id, slot_of(edge))


cdef inline uint32_t node_tag(const Edges* table, int64_t id) noexcept nogil:
    return slot_tag(hash_pair(<uint64_t>id, table.seed, table.secret) & table.mask)

assert sizeof(EdgeRecord) == 64
# The last moment at which something was guessed, of any table.
cdef uint32_t last_moment = 0

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
    cdef uint32_t tag = node_tag(table, id), number
    cdef size_t at = tag
    while True:
        number = slots_next(&table.by_id, tag, &at)
        if number == SLOT_NONE or table.nodes[number].id == id:
            return number


cdef uint32_t find_first(Edges* table, int64_t id, uint32_t* guess) noexcept:
    """Return the first of an id's own edges, ONLY_MENTIONED or SLOT_NONE; set a guess.

    An edge that was guessed is compared before it is taken. That there is none is true
    as long as `moment_of` says so: no moment is used twice, not even by two tables.
    """
    global last_moment
    cdef uint32_t* moment = moment_of(table, id)
    cdef uint32_t node = find_node(table, id), first = SLOT_NONE
    if node != SLOT_NONE:
        first = table.nodes[node].first
        if first != SLOT_NONE:
            guess[0] = first if first < NO_EDGE else 0
            return first
        first = ONLY_MENTIONED
    if moment[0] == NO_EDGE:
        if last_moment == MENTIONED - 1:
            guess[0] = 0
            return first
        last_moment += 1
        moment[0] |= last_moment
    guess[0] = moment[0] | (MENTIONED if first == ONLY_MENTIONED else 0)
    return first


cdef bint climbs_to(
    const Edges* table, int64_t start, int64_t dim_id, int64_t target
) noexcept:
    """Return whether the way up through single parents meets the target."""
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

cdef void* grow_lines(
    void* old, uint32_t used, size_t wanted, size_t size
) except NULL nogil:
    # In whole cache lines, so that an edge is one and not two.
    cdef void* grown = NULL if wanted >= UINT32_MAX else memory_take(wanted * size)
    if grown == NULL:
        no_memory()
    if used:
        memcpy(grown, old, used * size)
    free(old)
    return grown


cdef int reserve_edges(Edges* table, size_t more) except -1 nogil:
    """Make room for more edges, and for three nodes beside."""
    cdef size_t wanted = table.count + more
    if slots_reserve(&table.by_place, more) or slots_reserve(&table.by_id, 3):
        no_memory()
    if wanted > table.capacity:
        wanted = max(wanted, table.capacity + table.capacity // 2, <size_t>64)
        table.edges = <EdgeRecord*>grow_lines(
            table.edges, table.count, wanted, sizeof(EdgeRecord)
        )
        table.capacity = <uint32_t>wanted
    wanted = table.node_count + 3
    if wanted > table.node_capacity:
        wanted = max(wanted, table.node_capacity + table.node_capacity // 2, <size_t>64)
        table.nodes = <Node*>grow_lines(
            table.nodes, table.node_count, wanted, sizeof(Node)
        )
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
    """Return the node of an id, made if need be; there must be room."""
    cdef uint32_t number = find_node(table, id)
    cdef Node* node
    if number != SLOT_NONE:
        return &table.nodes[number]
    node = &table.nodes[table.node_count]
    node.id = id
    node.mentions = 0
    node.first = SLOT_NONE
    slots_insert(&table.by_id, node_tag(table, id), table.node_count)
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
    slots_remove(&table.by_id, node_tag(table, id), number)
    if number != last:
        node[0] = table.nodes[last]
        slots_renumber(&table.by_id, node_tag(table, node.id), last, number)
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
    slots_insert(&table.by_place, edge_tag(table, edge), number)
    table.count += 1
    mention_all(table, edge, 1)
    return 0


cdef int drop_edge(Edges* table, uint32_t number) except -1:
    """Take an edge out; the last one moves to its place."""
    cdef EdgeRecord edge = table.edges[number]
    cdef uint32_t last = table.count - 1
    relink(table, &edge, edge.next, edge.previous)
    slots_remove(&table.by_place, edge_tag(table, &edge), number)
    mention_all(table, &edge, -1)
    table.count = last
    if number != last:
        table.edges[number] = table.edges[last]
        edge = table.edges[number]
        relink(table, &edge, number, number)
        slots_renumber(&table.by_place, edge_tag(table, &edge), last, number)
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


# ---- Graph ----


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

    cdef Edges table

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
        """Return whether the walk up from a concept in one dimension meets another.

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
