"""Postgres' binary COPY format, read field by field.

A stream is a signature, a header, rows of length-prefixed fields and a trailer, all
big endian. It is read in parts, which may be cut anywhere: a row is taken when all of
it has come. The functions move `Stream.at`, and raise ValueError with what is wrong and
at which byte of the whole stream. They need no GIL, but to raise.
"""

from libc.stdint cimport INT64_MAX, INT64_MIN, int16_t, int32_t, int64_t, uint8_t
from libc.math cimport INFINITY


cdef extern from "stream.h" nogil:
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


cdef inline int begin(Stream* stream) except -1 nogil:
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
    """Whether a whole row is there, or one of which more can only be worse."""
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
    """Go on to the next row's first field; false if it has not come, or never will."""
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
    """A timestamptz, as seconds since the epoch."""
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
