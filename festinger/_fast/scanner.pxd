"""A scan's C arrays, for the vocabulary that reads them."""

from libc.stdint cimport uint32_t, uint64_t

from festinger._fast.characters cimport UPPER, class_of
from festinger._fast.reading cimport CAPITAL, COMPOUND
from festinger._fast.rooms cimport Shelf
from festinger._fast.terms cimport (
    TOKEN_COMPOUND,
    TOKEN_TERM,
    Key,
    Term,
    Terms,
    Token,
)


cdef enum:
    VALUES = 31  # of a term's flags, those of `values`


cdef class Scan:
    cdef readonly str text
    cdef readonly uint64_t steps
    cdef readonly bint underscored
    cdef readonly bint fenced
    cdef Py_ssize_t length
    cdef Terms table
    cdef const Token* tokens
    cdef const Key* keys
    cdef const Term* terms  # numbered from 1
    cdef const uint32_t* cue_at  # positions
    cdef size_t cue_count
    cdef uint32_t term_count  # with the one that is none
    cdef const char* lowered
    cdef Py_ssize_t text_bytes
    cdef bint wide
    cdef Shelf shelf
    cdef uint32_t* characters  # before each block of the text; made when asked for
    cdef list strings  # of the terms; made when asked for

    cdef const Token* token(self, Py_ssize_t position) except NULL
    cpdef Py_ssize_t start(self, Py_ssize_t position) except -1
    cpdef Py_ssize_t end(self, Py_ssize_t position) except -1
    cpdef uint32_t flags(self, Py_ssize_t position) except? 0xFFFFFFFF
    cdef str string(self, uint32_t term)
    cdef bint stands(self, const char* data, size_t length) noexcept
    cdef bint in_path(self, Py_ssize_t position) noexcept
    cdef uint32_t character_at(self, uint32_t byte) except? 0xFFFFFFFF


cdef inline uint32_t flags_of(
    Scan scan, Py_ssize_t position, uint32_t first
) except? 0xFFFFFFFF:
    """The flags of a token whose first character is known."""
    cdef uint32_t term = scan.tokens[position].term
    cdef uint32_t flags = scan.terms[term & TOKEN_TERM].flags & VALUES
    if c"A" <= first <= c"Z" or (first >= 128 and class_of(first) & UPPER):
        flags |= CAPITAL
    return flags | COMPOUND if term & TOKEN_COMPOUND else flags
