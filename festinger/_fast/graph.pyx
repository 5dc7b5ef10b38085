"""The edges and the collision index, in C.

An edge's record is 64 bytes, one cache line. One index leads from (concept, dimension)
to the edge that holds the place, another from an id to its node, where the list of its
own edges begins and its mentions are counted.
"""

cimport cython
from libc.stdint cimport INT64_MAX, UINT32_MAX, int16_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from festinger._fast.graph cimport EdgeRecord, Graph, Node
from festinger._fast.hash cimport hash_pair
from festinger._fast.memory cimport memory_take
from festinger._fast.slots cimport (
    SLOT_NONE,
    slot_tag,
    slots_close,
    slots_insert,
    slots_nbytes,
    slots_next,
    slots_open,
    slots_remove,
    slots_renumber,
    slots_reserve,
)
from festinger._fast.wordtable cimport hash_secret
from festinger._fast.stream cimport (
    Stream,
    next_row,
    open_stream,
    take_bool,
    take_float8,
    take_int2,
    take_int8,
)

from operator import attrgetter

from festinger._fast.values import SEED, Edge


cdef enum:
    COLUMNS = 9

cdef uint64_t secret = hash_secret()
cdef object by_dimension = attrgetter("dim_id")

assert sizeof(EdgeRecord) == 64


cdef int64_t as_id(object id) except? -1:
    """An id as a C integer; 0, which nothing has, if it does not fit."""
    try:
        return id
    except OverflowError:
        return 0


cdef object to_edge(const EdgeRecord* edge):
    # Past the named tuple's own __new__, which costs three times as much.
    return tuple.__new__(
        Edge,
        (
            edge.concept_id,
            edge.parent_id,
            edge.dim_id,
            bool(edge.is_isa),
            edge.confidence,
            edge.last_confirmed,
            edge.source,
            edge.modality,
            edge.assertion_id,
        ),
    )


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
    return 0


@cython.final
cdef class Graph:
    """The held edges: at most one for each concept and dimension.

    `seed` and `mask_bits` shape the hash tables: tests use them to force collisions.
    """

    def __cinit__(self, *, seed=SEED, mask_bits=64):
        if not 0 <= seed < 2**64:
            raise ValueError(f"seed {seed} is not a 64-bit unsigned integer")
        if not 0 <= mask_bits <= 64:
            raise ValueError(f"mask_bits {mask_bits} is not between 0 and 64")
        self.seed = seed
        self.mask = (1 << mask_bits) - 1
        if slots_open(&self.by_place) < 0 or slots_open(&self.by_id) < 0:
            raise MemoryError

    def __dealloc__(self):
        slots_close(&self.by_place)
        slots_close(&self.by_id)
        free(self.edges)
        free(self.nodes)

    def get(self, concept_id, dim_id):
        """Return the edge that holds a concept's place in a dimension, if any."""
        cdef uint32_t number = find(self, as_id(concept_id), as_id(dim_id))
        return None if number == SLOT_NONE else to_edge(&self.edges[number])

    def put(self, edge):
        """Hold an edge, in place of the one at its concept and dimension, if any.

        Raises:
            ValueError: A number of the edge is out of range.
        """
        cdef EdgeRecord record
        from_edge(edge, &record)
        hold(self, &record)

    def remove(self, concept_id, dim_id):
        """Take an edge out, and return it.

        Raises:
            KeyError: None is held there.
        """
        cdef uint32_t number = find(self, as_id(concept_id), as_id(dim_id))
        if number == SLOT_NONE:
            raise KeyError((concept_id, dim_id))
        edge = to_edge(&self.edges[number])
        drop(self, number)
        return edge

    def of(self, concept_id):
        """Return a concept's edges, in order of dimension id.

        A dimension's root edge, which has its own concept as parent and dimension, is
        among them.
        """
        cdef uint32_t number = find_node(self, as_id(concept_id))
        cdef list edges = []
        if number == SLOT_NONE:
            return edges
        number = self.nodes[number].first
        while number != SLOT_NONE:
            edges.append(to_edge(&self.edges[number]))
            number = self.edges[number].next
        edges.sort(key=by_dimension)
        return edges

    def mentions(self, id):
        """Return how many edges name a concept as concept, parent or dimension.

        An edge that names it twice counts once; root edges do not count.
        """
        cdef uint32_t number = find_node(self, as_id(id))
        return 0 if number == SLOT_NONE else self.nodes[number].mentions

    def reaches(self, start_id, dim_id, target_id):
        """Whether the walk up from a concept in one dimension meets another.

        The start itself is met. The walk ends at a root, at a concept without a
        place in the dimension, and where it would go round in a circle.
        """
        cdef int64_t target = as_id(target_id)
        if start_id == target_id:
            return True
        return target > 0 and climbs_to(self, as_id(start_id), as_id(dim_id), target)

    def load_copy(self, bytes data not None):
        """Add the rows of a binary COPY stream.

        Its columns are those of `Edge`: concept_id, parent_id and dim_id int8, is_isa
        bool, confidence and last_confirmed float8, source and modality int2,
        assertion_id int8.

        Returns:
            How many edges were added.

        Raises:
            ValueError: The stream is corrupt, or names a place twice or one that is
                held already. Nothing has been added then.
        """
        cdef Stream stream
        cdef EdgeRecord edge
        cdef uint32_t before = self.count
        cdef int64_t rows = 0
        open_stream(&stream, data)
        # Once to see that it is whole, once to take it.
        while next_row(&stream, COLUMNS):
            take_row(&stream, &edge)
            rows += 1
        open_stream(&stream, data)
        try:
            reserve(self, rows)
            while next_row(&stream, COLUMNS):
                take_row(&stream, &edge)
                add_row(self, &edge, self.count - before + 1)
        except BaseException:
            while self.count > before:
                drop(self, self.count - 1)
            raise
        return rows

    @property
    def nbytes(self):
        """Memory held, in bytes."""
        return (
            self.capacity * sizeof(EdgeRecord)
            + self.node_capacity * sizeof(Node)
            + slots_nbytes(&self.by_place)
            + slots_nbytes(&self.by_id)
        )

    def __len__(self):
        return self.count

    def __iter__(self):
        cdef uint32_t number
        return iter([to_edge(&self.edges[number]) for number in range(self.count)])


# ---- looking up ----

cdef inline uint32_t place_tag(Graph self, int64_t concept_id, int64_t dim_id) noexcept:
    cdef uint64_t hash = hash_pair(
        <uint64_t>concept_id, <uint64_t>dim_id ^ self.seed, secret
    )
    return slot_tag(hash & self.mask)


cdef inline uint32_t id_tag(Graph self, int64_t id) noexcept:
    return slot_tag(hash_pair(<uint64_t>id, self.seed, secret) & self.mask)


cdef uint32_t find(Graph self, int64_t concept_id, int64_t dim_id) noexcept:
    cdef uint32_t tag = place_tag(self, concept_id, dim_id), number
    cdef size_t at = tag
    cdef EdgeRecord* edge
    while True:
        number = slots_next(&self.by_place, tag, &at)
        if number == SLOT_NONE:
            return number
        edge = &self.edges[number]
        if edge.concept_id == concept_id and edge.dim_id == dim_id:
            return number


cdef uint32_t find_node(Graph self, int64_t id) noexcept:
    cdef uint32_t tag = id_tag(self, id), number
    cdef size_t at = tag
    while True:
        number = slots_next(&self.by_id, tag, &at)
        if number == SLOT_NONE or self.nodes[number].id == id:
            return number


cdef bint climbs_to(Graph self, int64_t start, int64_t dim_id, int64_t target) noexcept:
    # Brent: the mark moves up in doubling strides, and a circle comes back to it.
    cdef int64_t at = start, mark = start, parent
    cdef size_t stride = 1, steps = 0
    cdef uint32_t number
    while at != target:
        number = find(self, at, dim_id)
        if number == SLOT_NONE:
            return False
        parent = self.edges[number].parent_id
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

cdef void* grow(void* old, uint32_t used, size_t wanted, size_t size) except NULL:
    # In whole cache lines, so that an edge is one and not two.
    cdef void* grown = NULL if wanted >= UINT32_MAX else memory_take(wanted * size)
    if grown == NULL:
        raise MemoryError
    if used:
        memcpy(grown, old, used * size)
    free(old)
    return grown


cdef int reserve(Graph self, size_t more) except -1:
    """Room for more edges, and for three nodes beside."""
    cdef size_t wanted = self.count + more
    if slots_reserve(&self.by_place, more) or slots_reserve(&self.by_id, 3):
        raise MemoryError
    if wanted > self.capacity:
        wanted = max(wanted, self.capacity + self.capacity // 2, <size_t>64)
        self.edges = <EdgeRecord*>grow(
            self.edges, self.count, wanted, sizeof(EdgeRecord)
        )
        self.capacity = <uint32_t>wanted
    wanted = self.node_count + 3
    if wanted > self.node_capacity:
        wanted = max(wanted, self.node_capacity + self.node_capacity // 2, <size_t>64)
        self.nodes = <Node*>grow(self.nodes, self.node_count, wanted, sizeof(Node))
        self.node_capacity = <uint32_t>wanted
    return 0


cdef Node* node_of(Graph self, int64_t id) noexcept:
    """The node of an id, made if need be; there must be room."""
    cdef uint32_t number = find_node(self, id)
    cdef Node* node
    if number != SLOT_NONE:
        return &self.nodes[number]
    node = &self.nodes[self.node_count]
    node.id = id
    node.mentions = 0
    node.first = SLOT_NONE
    slots_insert(&self.by_id, id_tag(self, id), self.node_count)
    self.node_count += 1
    return node


cdef void mention(Graph self, int64_t id, int by) noexcept:
    """Count a mention, and drop the node if it was its last and it has no edges."""
    cdef Node* node = node_of(self, id)
    cdef uint32_t number, last
    node.mentions += by
    if node.mentions or node.first != SLOT_NONE:
        return
    number = node - self.nodes
    last = self.node_count - 1
    slots_remove(&self.by_id, id_tag(self, id), number)
    if number != last:
        node[0] = self.nodes[last]
        slots_renumber(&self.by_id, id_tag(self, node.id), last, number)
    self.node_count = last


cdef void mention_all(Graph self, const EdgeRecord* edge, int by) noexcept:
    cdef int64_t concept = edge.concept_id, parent = edge.parent_id, dim = edge.dim_id
    if concept == parent and concept == dim:
        mention(self, concept, 0)
        return
    mention(self, concept, by)
    if parent != concept:
        mention(self, parent, by)
    if dim != concept and dim != parent:
        mention(self, dim, by)


cdef int hold(Graph self, const EdgeRecord* edge) except -1:
    """Hold an edge; nothing has changed if there is no memory."""
    cdef uint32_t number
    cdef Node* node
    cdef EdgeRecord* held
    cdef EdgeRecord old
    reserve(self, 1)
    number = find(self, edge.concept_id, edge.dim_id)
    if number != SLOT_NONE:
        held = &self.edges[number]
        old = held[0]
        held[0] = edge[0]
        held.next, held.previous = old.next, old.previous
        # The new mentions first, so that no node goes away to come back.
        mention_all(self, edge, 1)
        mention_all(self, &old, -1)
        return 0
    number = self.count
    held = &self.edges[number]
    held[0] = edge[0]
    node = node_of(self, edge.concept_id)
    held.previous = SLOT_NONE
    held.next = node.first
    if held.next != SLOT_NONE:
        self.edges[held.next].previous = number
    node.first = number
    slots_insert(&self.by_place, place_tag(self, edge.concept_id, edge.dim_id), number)
    self.count += 1
    mention_all(self, edge, 1)
    return 0


cdef int drop(Graph self, uint32_t number) except -1:
    """Take an edge out; the last one moves to its place."""
    cdef EdgeRecord edge = self.edges[number]
    cdef uint32_t last = self.count - 1
    relink(self, &edge, edge.next, edge.previous)
    slots_remove(
        &self.by_place, place_tag(self, edge.concept_id, edge.dim_id), number
    )
    mention_all(self, &edge, -1)
    self.count = last
    if number != last:
        self.edges[number] = self.edges[last]
        edge = self.edges[number]
        relink(self, &edge, number, number)
        slots_renumber(
            &self.by_place, place_tag(self, edge.concept_id, edge.dim_id), last, number
        )
    return 0


cdef void relink(
    Graph self, const EdgeRecord* edge, uint32_t before_it, uint32_t behind_it
) noexcept:
    """Point an edge's neighbours in its concept's list elsewhere.

    `before_it` is what the list names at the edge's place coming from the front,
    `behind_it` coming from the back.
    """
    if edge.previous == SLOT_NONE:
        self.nodes[find_node(self, edge.concept_id)].first = before_it
    else:
        self.edges[edge.previous].next = before_it
    if edge.next != SLOT_NONE:
        self.edges[edge.next].previous = behind_it


# ---- loading ----

cdef int take_row(Stream* stream, EdgeRecord* edge) except -1:
    memset(edge, 0, sizeof(EdgeRecord))
    edge.concept_id = take_int8(stream, 1)
    edge.parent_id = take_int8(stream, 2)
    edge.dim_id = take_int8(stream, 3)
    edge.is_isa = take_bool(stream, 4)
    edge.confidence = take_float8(stream, 5)
    edge.last_confirmed = take_float8(stream, 6)
    edge.source = <int16_t>take_int2(stream, 7)
    edge.modality = <int16_t>take_int2(stream, 8)
    edge.assertion_id = take_int8(stream, 9)
    return 0


cdef int add_row(Graph self, const EdgeRecord* edge, uint32_t number) except -1:
    if edge.concept_id < 1 or edge.parent_id < 1 or edge.dim_id < 1:
        name, id = (
            ("concept_id", edge.concept_id)
            if edge.concept_id < 1
            else ("parent_id", edge.parent_id)
            if edge.parent_id < 1
            else ("dim_id", edge.dim_id)
        )
        raise ValueError(f"row {number}: {name} {id} is not a positive bigint")
    if find(self, edge.concept_id, edge.dim_id) != SLOT_NONE:
        raise ValueError(
            f"row {number}: an edge of {edge.concept_id} in {edge.dim_id} "
            "is there already"
        )
    hold(self, edge)
    return 0
