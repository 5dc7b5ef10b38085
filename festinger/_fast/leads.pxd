"""The finder of leads, for the walk over a text."""

from libc.stdint cimport uint32_t, uint64_t

from festinger._fast.kindtable cimport KindTable
from festinger._fast.scanner cimport Scan


cdef class Leads:
    cdef KindTable table
    cdef readonly uint64_t steps  # of the last search; linear in the text's length

    cpdef tuple find(self, Scan scan)
    cdef tuple judged(self, Scan scan, const uint32_t* cues, size_t count)
