"""Loading from Postgres' binary COPY: all rows of a stream, or none.

A stream is read twice: once to see that it is whole, and once to take it. Where a row's
slots are is known as soon as it is read, so rows come in batches, whose slots are
prefetched before the first of them is added.
"""

from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.string cimport memset

from festinger._fast.edges cimport (
    EdgeRecord,
    Edges,
    drop_edge,
    find_edge,
    hold,
    place_tag,
    reserve_edges,
)
from festinger._fast.edges cimport id_tag as node_tag
from festinger._fast.hash cimport memory_prefetch
from festinger._fast.records cimport (
    Name,
    Table,
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
    next_row,
    open_stream,
    stream_float8,
    take_bool,
    take_field,
    take_float8,
    take_int2,
    take_int8,
)


cdef enum:
    BATCH = 64
    CONCEPT_COLUMNS = 6
    EDGE_COLUMNS = 9


cdef struct Incoming:
    Name name
    int64_t id
    int64_t encounters
    double last_seen
    double novelty
    bint dictionary


# ---- concepts ----

cdef int64_t load_concepts(Table* table, bytes data) except -1:
    cdef Stream stream
    cdef Incoming batch[BATCH]
    cdef uint32_t before = table.count
    cdef size_t names_before = table.names_used
    cdef int64_t rows = 0, done = 0
    cdef int size = 0, i
    open_stream(&stream, data)
    while next_row(&stream, CONCEPT_COLUMNS):
        take_concept(&stream, &batch[0])
        rows += 1
    open_stream(&stream, data)
    try:
        reserve_records(table, rows)
        while done < rows:
            size = min(<int64_t>BATCH, rows - done)
            for i in range(size):
                next_row(&stream, CONCEPT_COLUMNS)
                take_concept(&stream, &batch[i])
                hash_name(table, &batch[i].name)
                memory_prefetch(
                    slots_home(
                        &table.by_token, token_tag(table, batch[i].name.hash)
                    )
                )
                memory_prefetch(
                    slots_home(&table.by_id, id_tag(table, batch[i].id))
                )
            for i in range(size):
                done += 1
                add_concept(table, &batch[i], done)
    except BaseException:
        truncate(table, before, names_before)
        raise
    return rows


cdef int take_concept(Stream* stream, Incoming* row) except -1:
    """Take the fields of a row, and check that the token is UTF-8."""
    cdef Py_ssize_t length = 0, i
    cdef const uint8_t* data
    cdef uint8_t wide = 0
    row.id = take_int8(stream, 1)
    data = take_field(stream, 2, "text", -1, &length)
    if data == NULL:
        raise ValueError(f"NULL in column 2, at byte {stream.at - 4}")
    row.name.data = <const char*>data
    row.name.length = length
    for i in range(length):
        wide |= data[i]
    if wide & 0x80:
        try:
            PyUnicode_DecodeUTF8(row.name.data, length, NULL)
        except UnicodeDecodeError:
            raise ValueError(
                f"text that is not UTF-8, at byte {stream.at - length}"
            ) from None
    row.encounters = take_int8(stream, 3)
    data = take_field(stream, 4, "float8", 8, &length)
    row.last_seen = 0.0 if data == NULL else stream_float8(data)
    row.novelty = take_float8(stream, 5)
    row.dictionary = take_bool(stream, 6)
    return 0


cdef int add_concept(Table* table, const Incoming* row, int64_t number) except -1:
    try:
        if row.id < 1:
            raise ValueError(f"id {row.id} is not a positive 64-bit integer")
        if row.encounters < 0:
            raise ValueError(f"encounters {row.encounters} is not a count")
        insert(
            table,
            &row.name,
            row.id,
            row.encounters,
            row.last_seen,
            row.novelty,
            row.dictionary,
        )
    except ValueError as error:
        raise ValueError(f"row {number}: {error}") from None
    return 0


# ---- edges ----

cdef int64_t load_edges(Edges* table, bytes data) except -1:
    cdef Stream stream
    cdef EdgeRecord batch[BATCH]
    cdef uint32_t before = table.count
    cdef int64_t rows = 0, done = 0
    cdef int size = 0, i
    open_stream(&stream, data)
    while next_row(&stream, EDGE_COLUMNS):
        take_edge(&stream, &batch[0])
        rows += 1
    open_stream(&stream, data)
    try:
        reserve_edges(table, rows)
        while done < rows:
            size = min(<int64_t>BATCH, rows - done)
            for i in range(size):
                next_row(&stream, EDGE_COLUMNS)
                take_edge(&stream, &batch[i])
                memory_prefetch(
                    slots_home(
                        &table.by_place,
                        place_tag(table, batch[i].concept_id, batch[i].dim_id),
                    )
                )
                memory_prefetch(
                    slots_home(&table.by_id, node_tag(table, batch[i].concept_id))
                )
            for i in range(size):
                done += 1
                add_edge(table, &batch[i], done)
    except BaseException:
        while table.count > before:
            drop_edge(table, table.count - 1)
        raise
    return rows


cdef int take_edge(Stream* stream, EdgeRecord* edge) except -1:
    memset(edge, 0, sizeof(EdgeRecord))
    edge.concept_id = take_int8(stream, 1)
    edge.parent_id = take_int8(stream, 2)
    edge.dim_id = take_int8(stream, 3)
    edge.is_isa = take_bool(stream, 4)
    edge.confidence = take_float8(stream, 5)
    edge.last_confirmed = take_float8(stream, 6)
    edge.source = take_int2(stream, 7)
    edge.modality = take_int2(stream, 8)
    edge.assertion_id = take_int8(stream, 9)
    return 0


cdef int add_edge(Edges* table, const EdgeRecord* edge, int64_t number) except -1:
    if edge.concept_id < 1 or edge.parent_id < 1 or edge.dim_id < 1:
        name, id = (
            ("concept_id", edge.concept_id)
            if edge.concept_id < 1
            else ("parent_id", edge.parent_id)
            if edge.parent_id < 1
            else ("dim_id", edge.dim_id)
        )
        raise ValueError(f"row {number}: {name} {id} is not a positive bigint")
    if find_edge(table, edge.concept_id, edge.dim_id) != SLOT_NONE:
        raise ValueError(
            f"row {number}: an edge of {edge.concept_id} in {edge.dim_id} "
            "is there already"
        )
    hold(table, edge)
    return 0
