"""A sentence's C arrays, for the rules that read them."""

from cpython.object cimport PyObject
from libc.stdint cimport uint16_t, uint32_t, uint64_t

from festinger._fast.gaps cimport Prose
from festinger._fast.lists cimport Lists
from festinger._fast.scanner cimport Scan


cdef struct Place:
    uint64_t lists
    PyObject* string  # the word's, when somebody has asked for it
    uint32_t start  # characters of the text, half open
    uint32_t end
    uint32_t token
    uint16_t gap
    uint16_t flags


cdef class Sentence:
    cdef readonly Py_ssize_t count
    cdef readonly bint asked
    cdef readonly bint quoted
    cdef readonly str text
    cdef Scan scan
    cdef Prose prose
    # One behind the last word belongs to none.
    cdef Place* places

    cdef void forget(self) noexcept

    cpdef str word(self, Py_ssize_t at)
    cpdef bint reads(self, Py_ssize_t at, str word) except -1
    cpdef int surroundings(self) except -1

    cdef const Place* place(self, Py_ssize_t at) except NULL


cdef class SentenceReader:
    cdef readonly Scan scan
    cdef readonly Lists lists
    cdef readonly str text
    cdef readonly Py_ssize_t done
    cdef readonly uint64_t steps
    cdef Prose prose
    cdef Sentence found
    # Up to which token it is known that no sentence begins.
    cdef Py_ssize_t searched
    cdef Py_ssize_t begin
    cdef bint cut

    cpdef Py_ssize_t around(self, Py_ssize_t cue) except -2
    cpdef Sentence sentence(self, Py_ssize_t first)
    cdef Py_ssize_t beginning(self, Py_ssize_t cue) except -1
    cdef Py_ssize_t walk(self, Py_ssize_t first) except -1
    cdef int gap(
        self, Py_ssize_t before, Py_ssize_t end, Py_ssize_t behind, Py_ssize_t start
    ) except -1
    cdef bint goes_on(self, Py_ssize_t before, Py_ssize_t behind) except -1
    cdef bint is_blotted(self, Py_ssize_t at) except -1
    cdef uint64_t lists_of(self, Py_ssize_t at) noexcept
    cdef bint is_abbreviated(self, Py_ssize_t at) except -1
