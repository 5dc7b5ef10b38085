"""A scan's C arrays, for the vocabulary that reads them."""

from libc.stdint cimport uint64_t

from festinger._fast.reading cimport Token


cdef class Scan:
    cdef readonly str text
    cdef readonly uint64_t steps
    cdef Token* tokens
    cdef Py_ssize_t length
    cdef char* lowered  # the reader's output

    cdef Token* token(self, Py_ssize_t position) except NULL
    cdef str string(self, const Token* token)
