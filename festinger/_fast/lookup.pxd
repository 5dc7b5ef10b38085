"""Looking up the terms of a text."""

from libc.stdint cimport int64_t

from festinger._fast.records cimport Record, Table
from festinger._fast.scanner cimport Scan


cdef struct Visit:
    double now
    double threshold
    int64_t enough  # encounters for it, or INT64_MAX
    bint count


cdef double saliency(const Record* record) noexcept
cdef int64_t encounters_for(double threshold) noexcept
cdef object look_up(Table* table, Scan scan, const Visit* visit)
