"""Postgres' binary COPY format, read field by field.

A stream is a signature, a header, rows of length-prefixed fields and a trailer, all
big endian. The functions move `Stream.at`, and raise ValueError with what is wrong and
at which byte.
"""

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t


cdef extern from "stream.h" nogil:
    int16_t stream_int2(const uint8_t *data) noexcept
    int32_t stream_int4(const uint8_t *data) noexcept
    int64_t stream_int8(const uint8_t *data) noexcept
    double stream_float8(const uint8_t *data) noexcept


cdef struct Stream:
    const uint8_t* data
    Py_ssize_t length
    Py_ssize_t at


cdef inline const uint8_t* take(Stream* stream, Py_ssize_t size) except NULL:
    if stream.length - stream.at < size:
        raise ValueError(f"the stream ends too early, at byte {stream.length}")
    stream.at += size
    return stream.data + stream.at - size


cdef inline int open_stream(Stream* stream, bytes data) except -1:
    """Check the header; the stream then stands before its first row."""
    cdef int64_t flags, extension
    if not data.startswith(b"PGCOPY\n\xff\r\n\0"):
        raise ValueError("no PGCOPY signature, at byte 0")
    stream.data = data
    stream.length = len(data)
    stream.at = 11
    flags = stream_int4(take(stream, 4))
    extension = stream_int4(take(stream, 4))
    if flags:
        raise ValueError(f"unknown flags {flags:#x}, at byte 11")
    if not 0 <= extension <= stream.length - stream.at:
        raise ValueError(f"header extension of {extension} bytes, at byte 15")
    stream.at += extension
    return 0


cdef inline bint next_row(Stream* stream, int columns) except -1:
    """Go on to the next row's first field; false at the trailer."""
    cdef int count = stream_int2(take(stream, 2))
    if count == -1:
        if stream.at != stream.length:
            raise ValueError(f"data after the trailer, at byte {stream.at}")
        return False
    if count != columns:
        raise ValueError(
            f"{count} columns instead of {columns}, at byte {stream.at - 2}"
        )
    return True


cdef inline const uint8_t* take_field(
    Stream* stream, int column, str type_name, Py_ssize_t size, Py_ssize_t* length
) except? NULL:
    """Take a field; NULL and a length of -1 if it is NULL. A size of -1 is any size."""
    cdef int32_t given = stream_int4(take(stream, 4))
    if given == -1:
        length[0] = -1
        return NULL
    if not 0 <= given <= stream.length - stream.at:
        raise ValueError(f"a field of {given} bytes, at byte {stream.at - 4}")
    if size != -1 and given != size:
        raise ValueError(f"{type_name} of {given} bytes, at byte {stream.at - 4}")
    stream.at += given
    length[0] = given
    return stream.data + stream.at - given


cdef inline const uint8_t* take_value(
    Stream* stream, int column, str type_name, Py_ssize_t size
) except NULL:
    """Take a field that must not be NULL and has a fixed size."""
    cdef Py_ssize_t length = 0
    cdef const uint8_t* data = take_field(stream, column, type_name, size, &length)
    if data == NULL:
        raise ValueError(f"NULL in column {column}, at byte {stream.at - 4}")
    return data


cdef inline int64_t take_int8(Stream* stream, int column) except? -2:
    return stream_int8(take_value(stream, column, "int8", 8))


cdef inline int16_t take_int2(Stream* stream, int column) except? -2:
    return stream_int2(take_value(stream, column, "int2", 2))


cdef inline double take_float8(Stream* stream, int column) except? -2:
    return stream_float8(take_value(stream, column, "float8", 8))


cdef inline bint take_bool(Stream* stream, int column) except -1:
    return take_value(stream, column, "bool", 1)[0] != 0
