"""The record of an edge, and of a concept that edges name."""

from libc.stdint cimport int16_t, int64_t, uint8_t, uint32_t, uint64_t

from festinger._fast.slots cimport Slots


cdef struct EdgeRecord:
    int64_t concept_id
    int64_t parent_id
    int64_t dim_id
    int64_t assertion_id
    double confidence
    double last_confirmed
    # The concept's other edges, as a list that goes both ways; SLOT_NONE ends it.
    uint32_t next
    uint32_t previous
    int16_t source
    int16_t modality
    uint8_t is_isa
    uint8_t spare[3]


cdef struct Node:
    int64_t id
    int64_t mentions
    uint32_t first  # of its own edges
    uint32_t spare


cdef class Graph:
    cdef EdgeRecord* edges
    cdef uint32_t count
    cdef uint32_t capacity
    cdef Node* nodes
    cdef uint32_t node_count
    cdef uint32_t node_capacity
    cdef Slots by_place  # concept and dimension to edge: the collision index
    cdef Slots by_id  # id to node
    cdef uint64_t seed
    cdef uint64_t mask
