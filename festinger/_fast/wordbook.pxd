"""What a memory knows of words, for the rules that ask."""

from festinger._fast.vocabulary cimport Vocabulary


cdef class Wordbook:
    cdef object dictionary
    cdef Vocabulary vocabulary

    cpdef bint is_everyday(self, str token) except -1
    cpdef bint is_known(self, str token) except -1
