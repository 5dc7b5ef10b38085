"""A scan's C arrays, for the vocabulary that reads them."""

from libc.stdint cimport uint32_t, uint64_t


cdef struct Token:
    uint64_t hash
    uint32_t start  # characters of the text, half open
    uint32_t end
    uint32_t offset  # bytes of `lowered`
    uint32_t length
    uint32_t flags


cdef class Scan:
    cdef readonly str text
    cdef readonly uint64_t steps
    cdef Token* tokens
    cdef Py_ssize_t length
    # The lowered text in UTF-8, and behind it tokens that are not in it as they are;
    # 16 bytes are readable from each token's first.
    cdef char* lowered

    cdef Token* token(self, Py_ssize_t position) except NULL
    cdef str string(self, const Token* token)


cdef uint64_t hash_secret() noexcept nogil
