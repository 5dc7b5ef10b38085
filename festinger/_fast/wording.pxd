"""The lines of the chosen concepts."""

from libc.stdint cimport int64_t

from festinger._fast.candidates cimport Candidate
from festinger._fast.lines cimport Lines
from festinger._fast.records cimport Record


cdef struct Chars:
    const char* data
    size_t length


cdef struct Chosen:
    # A concept that is told. Its name first, by which these are sorted.
    Chars name
    const Candidate* candidate
    size_t first  # of its places
    size_t count


cdef struct Place:
    # An edge that is told. Its dimension first: places are sorted by what is first.
    Chars dimension
    Chars parent
    int64_t dim_id
    bint belief


ctypedef fused Sorted:
    Chosen
    Place


cdef void sort_by_chars(Sorted* all, size_t count) noexcept
cdef int add_line(
    Lines lines,
    const Record* record,
    const Chars* name,
    const Place* places,
    size_t count,
    object doubted,
) except -1
