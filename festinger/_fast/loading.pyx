"""Loading from Postgres' binary COPY: the rows of a stream, as far as it has come.

Where a row's slots are is known as soon as it is read, so rows come in batches, whose
slots are prefetched before the first of them is added. None of it needs the GIL, but to
raise.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.string cimport memset

from festinger._fast.edges cimport (
    EdgeRecord,
    Edges,
    drop_edge,
    find_edge,
    fit_edges,
    hold,
    reserve_edges,
    slot_of,
    tag_of,
)
from festinger._fast.edges cimport id_tag as node_tag
from festinger._fast.hash cimport memory_prefetch
from festinger._fast.records cimport (
    Name,
    Table,
    find_id,
    fit_records,
    hash_name,
    id_tag,
    insert,
    reserve_records,
    token_tag,
    truncate,
)
from festinger._fast.slots cimport SLOT_NONE, slots_home
from festinger._fast.stream cimport (
    Stream,
    begin,
    next_row,
    stream_float8,
    take_bool,
    take_field,
    take_float8,
    take_int2,
    take_int8,
    take_time,
    take_value,
)
from festinger._fast.utf8 cimport utf8_is_valid


cdef enum:
    BATCH = 64
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
    """Stand before the first part of a stream, which must outlive this."""
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
        begin(&stream)
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
            take_concept(stream, &batch[size], columns)
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


cdef int take_concept(Stream* stream, Incoming* row, int columns) except -1 nogil:
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
        begin(&stream)
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
            take_edge(stream, &batch[size], stamped)
            memory_prefetch(
                slots_home(&table.by_place, tag_of(table, &batch[size]))
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


cdef int take_edge(Stream* stream, EdgeRecord* edge, bint stamped) except -1 nogil:
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
