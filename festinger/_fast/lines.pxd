"""The lines of a block as bytes."""

cimport cython
from libc.stdint cimport int64_t

from festinger._fast.rooms cimport Sheet
from festinger._fast.unmade cimport Unmade


cdef struct Written:
    # A line's text, where in it the name of its concept stands, and why it is there.
    size_t start
    size_t length
    size_t name_start
    size_t name_length
    bint hint  # then the rest is not told
    bint contested
    bint novel
    double novelty
    int64_t encounters


@cython.no_gc
cdef class Lines(Unmade):
    cdef Sheet sheet
    cdef char* text  # the lines, with a line break behind each
    cdef size_t used
    cdef Written* written
    cdef size_t told

    cdef int reserve(self, size_t more) except -1
    cdef Written* begin(self, size_t length) except NULL
    cdef void end(self, size_t length) noexcept


cdef Lines new_lines(size_t count)
cdef Lines with_hints(Lines lines, list tokens)
cdef object kind_of(const Written* written)
cdef str why_of(const Written* written)
