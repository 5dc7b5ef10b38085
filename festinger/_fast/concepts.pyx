"""Loading concepts from Postgres' binary COPY, all rows of a stream or none."""

from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int64_t, uint8_t, uint32_t

from festinger._fast.records cimport (
    Name,
    Table,
    hash_name,
    insert,
    reserve_records,
    truncate,
)
from festinger._fast.stream cimport (
    Stream,
    next_row,
    open_stream,
    read_float8,
    take_bool,
    take_field,
    take_float8,
    take_int8,
)


cdef enum:
    COLUMNS = 6


cdef int64_t load_concepts(Table* table, bytes data) except -1:
    cdef Stream stream
    cdef Incoming row
    cdef uint32_t before = table.count
    cdef size_t names_before = table.names_used
    cdef int64_t rows = 0
    open_stream(&stream, data)
    # Once to see that it is whole, once to take it.
    while next_row(&stream, COLUMNS):
        take_row(&stream, &row)
        rows += 1
    open_stream(&stream, data)
    try:
        reserve_records(table, rows)
        while next_row(&stream, COLUMNS):
            take_row(&stream, &row)
            add_row(table, &row, table.count - before + 1)
    except BaseException:
        truncate(table, before, names_before)
        raise
    return rows


cdef struct Incoming:
    int64_t id
    const char* token
    Py_ssize_t length
    int64_t encounters
    double last_seen
    double novelty
    bint dictionary


cdef int take_row(Stream* stream, Incoming* row) except -1:
    """Take the fields of a row, and check that the token is UTF-8."""
    cdef Py_ssize_t length = 0, i
    cdef const uint8_t* data
    cdef uint8_t wide = 0
    row.id = take_int8(stream, 1)
    data = take_field(stream, 2, "text", -1, &length)
    if data == NULL:
        raise ValueError(f"NULL in column 2, at byte {stream.at - 4}")
    row.token = <const char*>data
    row.length = length
    for i in range(length):
        wide |= data[i]
    if wide & 0x80:
        try:
            PyUnicode_DecodeUTF8(row.token, length, NULL)
        except UnicodeDecodeError:
            raise ValueError(
                f"text that is not UTF-8, at byte {stream.at - length}"
            ) from None
    row.encounters = take_int8(stream, 3)
    data = take_field(stream, 4, "float8", 8, &length)
    row.last_seen = 0.0 if data == NULL else read_float8(data)
    row.novelty = take_float8(stream, 5)
    row.dictionary = take_bool(stream, 6)
    return 0


cdef int add_row(Table* table, const Incoming* row, uint32_t number) except -1:
    cdef Name name
    name.data = row.token
    name.length = row.length
    hash_name(table, &name)
    try:
        if row.id < 1:
            raise ValueError(f"id {row.id} is not a positive 64-bit integer")
        if row.encounters < 0:
            raise ValueError(f"encounters {row.encounters} is not a count")
        insert(
            table,
            &name,
            row.id,
            row.encounters,
            row.last_seen,
            row.novelty,
            row.dictionary,
        )
    except ValueError as error:
        raise ValueError(f"row {number}: {error}") from None
    return 0
