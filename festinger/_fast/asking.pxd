"""The unknown of a telling."""

from libc.stdint cimport int64_t, uint32_t

from festinger._fast.candidates cimport Candidate
from festinger._fast.considering cimport Candidates
from festinger._fast.rooms cimport Bench
from festinger._fast.vocabulary cimport Vocabulary


cdef enum:
    PICKED = 8


cdef class Unknown:
    cdef Vocabulary vocabulary
    cdef object mentioned
    cdef Candidates heap
    cdef Bench bench  # what all of the telling was made of; the heap is on it
    cdef uint32_t first[PICKED]  # places of the first few, in order
    cdef size_t picked  # how many were told

    cdef const Candidate* following(self) except? NULL
    cdef bint is_mentioned(self, int64_t id) except -1
