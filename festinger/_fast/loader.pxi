"""Load a memory from Postgres' binary COPY streams."""

# ---- stream ----
#
# A stream is a signature, a header, rows of length-prefixed fields and a trailer, all
# big endian. It comes in parts, cut anywhere: a row is taken when all of it has come.
# The functions move `Stream.at`, and raise ValueError with what is wrong and at which
# byte of the whole stream. They need the GIL only to raise.


cdef extern from * nogil:
    """
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define STREAM_SWAP(bits, value) (value)
#else
#define STREAM_SWAP(bits, value) __builtin_bswap##bits(value)
#endif

static inline int16_t stream_int2(const uint8_t *data)
{
    uint16_t value;
    memcpy(&value, data, 2);
    return (int16_t)STREAM_SWAP(16, value);
}

static inline int32_t stream_int4(const uint8_t *data)
{
    uint32_t value;
    memcpy(&value, data, 4);
    return (int32_t)STREAM_SWAP(32, value);
}

static inline int64_t stream_int8(const uint8_t *data)
{
    uint64_t value;
    memcpy(&value, data, 8);
    return (int64_t)STREAM_SWAP(64, value);
}

static inline double stream_float8(const uint8_t *data)
{
    int64_t bits = stream_int8(data);
    double value;
    memcpy(&value, &bits, 8);
    return value;
}
    """
    int16_t stream_int2(const uint8_t *data) noexcept
    int32_t stream_int4(const uint8_t *data) noexcept
    int64_t stream_int8(const uint8_t *data) noexcept
    double stream_float8(const uint8_t *data) noexcept


cdef enum:
    # A longer field is no part of a memory, and is not waited for.
    FIELD_BYTES_MAX = 65535


cdef struct Stream:
    const uint8_t* data  # the part at hand
    Py_ssize_t length
    Py_ssize_t at
    Py_ssize_t wanted  # from `at` on, at least, before there is a whole row
    int64_t before  # bytes of the stream before the part
    int64_t rows  # that were added, or about to be
    bint begun  # the header was read
    bint ended  # the trailer was read
    bint adding  # what is wrong is in the values of the row, not in the stream


cdef inline int begin_stream(Stream* stream) except -1 nogil:
    """Read the header if all of it has come; the first row is next then."""
    cdef const char* signature = b"PGCOPY\n\xff\r\n\0"
    cdef int64_t flags, extension
    cdef Py_ssize_t i
    for i in range(min(stream.length, 11)):
        if stream.data[i] != <uint8_t>signature[i]:
            with gil:
                raise ValueError("no PGCOPY signature, at byte 0")
    stream.wanted = 19
    if stream.length < stream.wanted:
        return 0
    flags = stream_int4(stream.data + 11)
    extension = stream_int4(stream.data + 15)
    if flags:
        with gil:
            raise ValueError(f"unknown flags {flags:#x}, at byte 11")
    if not 0 <= extension <= FIELD_BYTES_MAX:
        with gil:
            raise ValueError(f"header extension of {extension} bytes, at byte 15")
    stream.wanted += extension
    if stream.length >= stream.wanted:
        stream.at = stream.wanted
        stream.begun = True
    return 0


cdef inline bint row_has_come(Stream* stream, int columns) noexcept nogil:
    """Return whether a whole row is there, or one of which more can only be worse."""
    cdef Py_ssize_t end = stream.at + 2
    cdef int64_t given
    cdef int _
    if end <= stream.length and stream_int2(stream.data + stream.at) == columns:
        for _ in range(columns):
            end += 4
            if end > stream.length:
                break
            given = stream_int4(stream.data + end - 4)
            if not -1 <= given <= FIELD_BYTES_MAX:
                return True
            end += max(given, 0)
    stream.wanted = end - stream.at
    return end <= stream.length


cdef inline bint next_row(Stream* stream, int columns) except -1 nogil:
    """Advance to the next row's first field; false if it has not come."""
    cdef int count
    if not stream.begun or not row_has_come(stream, columns):
        return False
    count = stream_int2(stream.data + stream.at)
    if count != columns and count != -1:
        with gil:
            raise ValueError(
                f"{count} columns instead of {columns}, "
                f"at byte {stream.before + stream.at}"
            )
    stream.at += 2
    if count == columns:
        return True
    stream.ended = True
    if stream.at != stream.length:
        with gil:
            raise ValueError(
                f"data after the trailer, at byte {stream.before + stream.at}"
            )
    return False


cdef inline const uint8_t* take_field(
    Stream* stream, const char* type_name, Py_ssize_t size, Py_ssize_t* length
) except? NULL nogil:
    """Take a field of a row that has come; a size of -1 is any size.

    If it is NULL, return NULL and a length of -1.
    """
    cdef int64_t given = stream_int4(stream.data + stream.at)
    stream.at += 4
    length[0] = given
    if given == -1:
        return NULL
    if not 0 <= given <= FIELD_BYTES_MAX:
        with gil:
            raise ValueError(
                f"a field of {given} bytes, at byte {stream.before + stream.at - 4}"
            )
    if size != -1 and given != size:
        with gil:
            raise ValueError(
                f"{type_name.decode()} of {given} bytes, "
                f"at byte {stream.before + stream.at - 4}"
            )
    stream.at += given
    return stream.data + stream.at - given


cdef inline const uint8_t* take_value(
    Stream* stream, int column, const char* type_name, Py_ssize_t size,
    Py_ssize_t* length
) except NULL nogil:
    """Take a field that must not be NULL."""
    cdef const uint8_t* data = take_field(stream, type_name, size, length)
    if data == NULL:
        with gil:
            raise ValueError(
                f"NULL in column {column}, at byte {stream.before + stream.at - 4}"
            )
    return data


cdef inline int64_t take_int8(Stream* stream, int column) except? -2 nogil:
    cdef Py_ssize_t length = 0
    return stream_int8(take_value(stream, column, b"int8", 8, &length))


cdef inline int16_t take_int2(Stream* stream, int column) except? -2 nogil:
    cdef Py_ssize_t length = 0
    return stream_int2(take_value(stream, column, b"int2", 2, &length))


cdef inline double take_float8(Stream* stream, int column) except? -2 nogil:
    cdef Py_ssize_t length = 0
    return stream_float8(take_value(stream, column, b"float8", 8, &length))


cdef inline double take_time(Stream* stream, int column) except? -2 nogil:
    """Take a timestamptz, as seconds since the epoch."""
    cdef Py_ssize_t length = 0
    cdef int64_t given = stream_int8(
        take_value(stream, column, b"timestamptz", 8, &length)
    )
    if given == INT64_MAX:
        return INFINITY
    if given == INT64_MIN:
        return -INFINITY
    # Postgres counts microseconds, from the year 2000.
    return (<double>given + 946684800000000.0) / 1e6


cdef inline bint take_bool(Stream* stream, int column) except -1 nogil:
    cdef Py_ssize_t length = 0
    return take_value(stream, column, b"bool", 1, &length)[0] != 0


# ---- rows ----
#
# A row's slots are known as soon as it is read, so rows come in batches, whose slots
# are prefetched before the first of them is added.


cdef enum:
    CONCEPT_COLUMNS = 6
    WORD_COLUMNS = 4
    ENCOUNTER_COLUMNS = 3
    EDGE_COLUMNS = 10


cdef struct Incoming:
    Name name
    int64_t id
    int64_t encounters
    double last_seen
    double novelty
    bint dictionary


cdef void open_stream(Stream* stream, bytes data) noexcept:
    """Begin with the first part of a stream, which must outlive this."""
    memset(stream, 0, sizeof(Stream))
    stream.data = data
    stream.length = len(data)


cdef int close_stream(Stream* stream) except -1:
    """Check that the whole stream has come."""
    cdef int64_t end = stream.before + stream.length
    if not stream.begun and end < 11:
        raise ValueError("no PGCOPY signature, at byte 0")
    if not stream.ended:
        raise ValueError(f"the stream ends too early, at byte {end}")
    return 0


cdef int raise_with_row(const Stream* stream, error) except -1:
    """Raise an error again; one that came from a row's values says from which."""
    if stream.adding and isinstance(error, ValueError):
        raise ValueError(f"row {stream.rows}: {error}") from None
    raise error


# ---- concepts ----

cdef int64_t load_concepts(Table* table, bytes data) except -1:
    """Add the concepts of a whole stream, with their counters: all or none."""
    cdef Stream stream
    cdef uint32_t before = table.count
    cdef size_t names_before = table.names_used
    open_stream(&stream, data)
    try:
        begin_stream(&stream)
        feed_concepts(table, &stream, CONCEPT_COLUMNS)
        close_stream(&stream)
    except BaseException as error:
        truncate(table, before, names_before)
        raise_with_row(&stream, error)
    fit_records(table)
    return stream.rows


cdef int feed_words(Table* table, Stream* stream) except -1 nogil:
    """Add the concepts that have come, without counters."""
    return feed_concepts(table, stream, WORD_COLUMNS)


cdef int feed_concepts(Table* table, Stream* stream, int columns) except -1 nogil:
    cdef Incoming batch[BATCH]
    cdef int size = BATCH, i
    while size == BATCH:
        size = 0
        reserve_records(table, BATCH)
        while size < BATCH and next_row(stream, columns):
            read_concept(stream, &batch[size], columns)
            hash_name(table, &batch[size].name)
            memory_prefetch(
                slots_home(&table.by_token, token_tag(table, batch[size].name.hash))
            )
            memory_prefetch(slots_home(&table.by_id, id_tag(table, batch[size].id)))
            size += 1
        stream.adding = True
        for i in range(size):
            stream.rows += 1
            add_concept(table, &batch[i])
        stream.adding = False
    return 0


cdef int read_concept(Stream* stream, Incoming* row, int columns) except -1 nogil:
    """Take the fields of a row, and check that the token is UTF-8."""
    cdef Py_ssize_t length = 0, i
    cdef const uint8_t* data
    cdef uint8_t wide = 0
    row.id = take_int8(stream, 1)
    data = take_value(stream, 2, b"text", -1, &length)
    row.name.data = <const char*>data
    row.name.length = length
    for i in range(length):
        wide |= data[i]
    if wide & 0x80 and not utf8_is_valid(data, length):
        with gil:
            raise ValueError(
                "text that is not UTF-8, "
                f"at byte {stream.before + stream.at - length}"
            )
    row.encounters = 0
    row.last_seen = 0.0
    if columns == CONCEPT_COLUMNS:
        row.encounters = take_int8(stream, 3)
        data = take_field(stream, b"float8", 8, &length)
        row.last_seen = 0.0 if data == NULL else stream_float8(data)
    row.novelty = take_float8(stream, columns - 1)
    row.dictionary = take_bool(stream, columns)
    return 0


cdef int add_concept(Table* table, const Incoming* row) except -1 nogil:
    if row.id < 1:
        with gil:
            raise ValueError(f"id {row.id} is not a positive 64-bit integer")
    if row.encounters < 0:
        with gil:
            raise ValueError(f"encounters {row.encounters} is not a count")
    return insert(
        table,
        &row.name,
        row.id,
        row.encounters,
        row.last_seen,
        row.novelty,
        row.dictionary,
    )


# ---- counters ----

cdef int feed_encounters(Table* table, Stream* stream) except -1 nogil:
    """Give the concepts that are there the counters that have come."""
    cdef Incoming batch[BATCH]
    cdef int size = BATCH, i
    cdef uint32_t number
    while size == BATCH:
        size = 0
        while size < BATCH and next_row(stream, ENCOUNTER_COLUMNS):
            batch[size].id = take_int8(stream, 1)
            batch[size].encounters = take_int8(stream, 2)
            batch[size].last_seen = take_time(stream, 3)
            memory_prefetch(slots_home(&table.by_id, id_tag(table, batch[size].id)))
            size += 1
        stream.adding = True
        for i in range(size):
            stream.rows += 1
            if batch[i].encounters < 0:
                with gil:
                    raise ValueError(
                        f"encounters {batch[i].encounters} is not a count"
                    )
            number = find_id(table, batch[i].id)
            if number != SLOT_NONE:
                table.records[number].encounters = batch[i].encounters
                table.records[number].last_seen = batch[i].last_seen
        stream.adding = False
    return 0


# ---- edges ----

cdef int64_t load_edges(Edges* table, bytes data) except -1:
    """Add the edges of a whole stream, whose times are seconds: all or none."""
    cdef Stream stream
    cdef uint32_t before = table.count
    open_stream(&stream, data)
    try:
        begin_stream(&stream)
        feed_edges(table, &stream, False)
        close_stream(&stream)
    except BaseException as error:
        while table.count > before:
            drop_edge(table, table.count - 1)
        raise_with_row(&stream, error)
    fit_edges(table)
    return stream.rows


cdef int feed_edges(Edges* table, Stream* stream, bint stamped) except -1 nogil:
    """Add the edges that have come; `stamped` ones have a timestamp of Postgres'."""
    cdef EdgeRecord batch[BATCH]
    cdef int size = BATCH, i
    while size == BATCH:
        size = 0
        reserve_edges(table, BATCH)
        while size < BATCH and next_row(stream, EDGE_COLUMNS):
            read_edge(stream, &batch[size], stamped)
            memory_prefetch(
                slots_home(&table.by_place, edge_tag(table, &batch[size]))
            )
            memory_prefetch(
                slots_home(&table.by_id, node_tag(table, batch[size].concept_id))
            )
            size += 1
        stream.adding = True
        for i in range(size):
            stream.rows += 1
            add_edge(table, &batch[i])
        stream.adding = False
    return 0


cdef int read_edge(Stream* stream, EdgeRecord* edge, bint stamped) except -1 nogil:
    memset(edge, 0, sizeof(EdgeRecord))
    edge.concept_id = take_int8(stream, 1)
    edge.parent_id = take_int8(stream, 2)
    edge.dim_id = take_int8(stream, 3)
    edge.is_isa = take_bool(stream, 4)
    edge.confidence = take_float8(stream, 5)
    if stamped:
        edge.last_confirmed = take_time(stream, 6)
    else:
        edge.last_confirmed = take_float8(stream, 6)
    edge.source = take_int2(stream, 7)
    edge.modality = take_int2(stream, 8)
    edge.assertion_id = take_int8(stream, 9)
    edge.many = take_bool(stream, 10)
    return 0


cdef int add_edge(Edges* table, const EdgeRecord* edge) except -1 nogil:
    if edge.concept_id < 1 or edge.parent_id < 1 or edge.dim_id < 1:
        with gil:
            name, id = (
                ("concept_id", edge.concept_id)
                if edge.concept_id < 1
                else ("parent_id", edge.parent_id)
                if edge.parent_id < 1
                else ("dim_id", edge.dim_id)
            )
            raise ValueError(f"{name} {id} is not a positive bigint")
    if (
        find_edge(table, edge.concept_id, edge.dim_id, slot_of(edge)) != SLOT_NONE
    ):
        with gil:
            raise ValueError(
                f"an edge of {edge.concept_id} in {edge.dim_id} is there already"
            )
    return hold(table, edge)


# ---- Loader ----
#
# The tables belong to nobody else until they are complete, so that they fill without
# the GIL, and corrupt data leaves nothing behind.


cdef enum:
    WORDS
    ENCOUNTERS
    EDGES
    STREAMS


@cython.final
cdef class Loader:
    """Three streams of one memory: words, then their encounters; edges at any time.

    `seed` and `mask_bits` shape the hash tables: tests use them to force collisions.
    """

    cdef Vocabulary vocabulary
    cdef Graph graph
    cdef Stream[STREAMS] streams
    # What has come of a stream and could not be read yet.
    cdef list rests
    cdef bint[STREAMS] busy

    def __cinit__(self, *, seed=SEED, mask_bits=64):
        self.vocabulary = Vocabulary(seed=seed, mask_bits=mask_bits)
        self.graph = Graph(seed=seed, mask_bits=mask_bits)
        self.rests = [bytearray() for _ in range(STREAMS)]
        memset(self.streams, 0, sizeof(self.streams))
        memset(self.busy, 0, sizeof(self.busy))

    def words(self, bytes part not None):
        """Take a part of the words.

        Its columns are id int8, token text, novelty float8 and dictionary bool.

        Raises:
            ValueError: The stream is corrupt, or has a token or an id twice. The
                loader is of no use any more.
        """
        self.feed(WORDS, part)

    def encounters(self, bytes part not None):
        """Take a part of the counters.

        Its columns are id int8, encounters int8 and last_seen timestamptz. Those of a
        word that is not there are left out.

        Raises:
            ValueError: The stream is corrupt, or comes before the words have ended.
                The loader is of no use any more.
        """
        if not self.streams[WORDS].ended:
            raise ValueError("encounters before the words have ended")
        self.feed(ENCOUNTERS, part)

    def edges(self, bytes part not None):
        """Take a part of the edges.

        Its columns are those of `Graph.load_copy`, but last_confirmed timestamptz.

        Raises:
            ValueError: The stream is corrupt, or names a place twice. The loader is
                of no use any more.
        """
        self.feed(EDGES, part)

    def close(self):
        """Return the vocabulary and the graph, when all streams have ended.

        Raises:
            ValueError: One of them has not.
        """
        cdef int kind
        for kind in range(STREAMS):
            self.claim(kind)
        # It stays claimed: the tables are somebody else's now.
        for kind in range(STREAMS):
            close_stream(&self.streams[kind])
        fit_records(&self.vocabulary.table)
        fit_edges(&self.graph.table)
        return self.vocabulary, self.graph

    cdef int claim(self, int kind) except -1:
        if self.busy[kind]:
            raise ValueError("the loader is closed, broken or in use")
        self.busy[kind] = True
        return 0

    cdef int feed(self, int kind, bytes part) except -1:
        cdef Stream* stream = &self.streams[kind]
        cdef bytearray rest = self.rests[kind]
        if not part:
            return 0
        self.claim(kind)
        if stream.ended:
            raise ValueError(f"data after the trailer, at byte {stream.before}")
        if rest:
            rest += part
            if len(rest) < stream.wanted:
                stream.length = len(rest)
                self.busy[kind] = False
                return 0
            part = bytes(rest)
        stream.data = part
        stream.length = len(part)
        stream.at = 0
        try:
            with nogil:
                self.take(kind, stream)
        except ValueError as error:
            raise_with_row(stream, error)
        self.rests[kind] = bytearray(part[stream.at :])
        stream.before += stream.at
        stream.length -= stream.at
        self.busy[kind] = False
        return 0

    cdef int take(self, int kind, Stream* stream) except -1 nogil:
        if not stream.begun:
            begin_stream(stream)
        if kind == WORDS:
            return feed_words(&self.vocabulary.table, stream)
        if kind == ENCOUNTERS:
            return feed_encounters(&self.vocabulary.table, stream)
        return feed_edges(&self.graph.table, stream, True)
