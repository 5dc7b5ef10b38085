"""What a memory knows of words, for the rules that ask."""

from libc.stdint cimport uint64_t

from festinger._fast.vocabulary cimport Vocabulary


cdef class Wordbook:
    cdef object dictionary
    cdef uint64_t* marks  # if the dictionary cannot change
    cdef uint64_t mask
    cdef Vocabulary vocabulary

    cdef int mark_all(self) except -1
    cpdef bint is_everyday(self, str token) except -1
    cpdef bint is_known(self, str token) except -1
