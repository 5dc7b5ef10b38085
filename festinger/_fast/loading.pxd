"""Loading from Postgres' binary COPY."""

from libc.stdint cimport int64_t

from festinger._fast.edges cimport Edges
from festinger._fast.records cimport Table


cdef int64_t load_concepts(Table* table, bytes data) except -1
cdef int64_t load_edges(Edges* table, bytes data) except -1
