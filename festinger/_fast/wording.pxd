"""The lines of the chosen concepts."""

from libc.stdint cimport int64_t

from festinger._fast.lines cimport Lines
from festinger._fast.records cimport Record


cdef struct Chars:
    const char* data
    size_t length


cdef struct Place:
    # An edge that is told. Its dimension first: places are sorted by what is first.
    Chars dimension
    Chars parent
    int64_t dim_id
    bint belief


cdef void sort_by_chars(void* at, size_t count, size_t size) noexcept
cdef int add_line(
    Lines lines,
    const Record* record,
    const Chars* name,
    const Place* places,
    size_t count,
    object doubted,
) except -1
