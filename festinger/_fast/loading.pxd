"""Loading from Postgres' binary COPY."""

from libc.stdint cimport int64_t

from festinger._fast.edges cimport Edges
from festinger._fast.records cimport Table
from festinger._fast.stream cimport Stream


cdef void open_stream(Stream* stream, bytes data) noexcept
cdef int close_stream(Stream* stream) except -1
cdef int raise_with_row(const Stream* stream, error) except -1
cdef int64_t load_concepts(Table* table, bytes data) except -1
cdef int64_t load_edges(Edges* table, bytes data) except -1
cdef int feed_words(Table* table, Stream* stream) except -1 nogil
cdef int feed_encounters(Table* table, Stream* stream) except -1 nogil
cdef int feed_edges(Edges* table, Stream* stream, bint stamped) except -1 nogil
