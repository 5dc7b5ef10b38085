"""The unknown of a telling."""

from libc.stdint cimport int64_t

from festinger._fast.candidates cimport Candidate
from festinger._fast.considering cimport Candidates
from festinger._fast.vocabulary cimport Vocabulary


cdef class Unknown:
    cdef Vocabulary vocabulary
    cdef object mentioned
    cdef Candidates heap
    cdef size_t picked

    cdef const Candidate* following(self) except? NULL
    cdef bint is_mentioned(self, int64_t id) except -1
