"""What a text was found to hold."""

cimport cython
from libc.stdint cimport int64_t, uint32_t

from festinger._fast.scanner cimport Scan
from festinger._fast.unmade cimport Unmade


@cython.no_gc
cdef class Salient(Unmade):
    cdef int64_t* ids
    cdef uint32_t* records  # where they were found, or SLOT_NONE: a guess
    cdef size_t told


@cython.no_gc
cdef class Strangers(Unmade):
    cdef Scan scan  # until the strings are made
    cdef uint32_t* terms  # of the scan
    cdef size_t told


cdef Salient new_salient(size_t room)
cdef Salient salient_of(object ids)
cdef Strangers new_strangers(Scan scan)
