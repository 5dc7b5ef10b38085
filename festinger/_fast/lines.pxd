"""The lines of a block as bytes."""

cimport cython
from libc.stdint cimport int64_t

from festinger._fast.unmade cimport Unmade


cdef struct Written:
    # A line's text, which begins with the name of its concept; and why it is there.
    size_t start
    size_t length
    size_t name
    bint contested
    bint novel
    double novelty
    int64_t encounters


@cython.no_gc
cdef class Lines(Unmade):
    cdef char* text  # the lines, with a line break behind each
    cdef size_t used
    cdef size_t room
    cdef Written* written
    cdef size_t told
    cdef list behind  # lines that were made elsewhere
    cdef Lines owner  # of the bytes, if another

    cdef Written* begin(self, size_t length) except NULL
    cdef void end(self, size_t length) noexcept
    cdef Lines with_behind(self, list lines)


cdef Lines new_lines(size_t count)
cdef str why_of(const Written* written)
cdef object new_line(object concept, object text, object kind, object why)
