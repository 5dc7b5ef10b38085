"""The graph's C side."""

from festinger._fast.edges cimport Edges


cdef class Graph:
    cdef Edges table
