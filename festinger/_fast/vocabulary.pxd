"""The vocabulary's C side."""

from libc.stdint cimport int64_t, uint32_t

from festinger._fast.records cimport Record, Table


cdef class Vocabulary:
    cdef Table table
    cdef list moves
    # The threshold of the last reading, and the encounters that reach it.
    cdef double threshold
    cdef int64_t enough

    cdef int add_token(
        self,
        str token,
        object id,
        object encounters,
        double last_seen,
        double novelty,
        bint dictionary,
    ) except -1
    cdef int meet_batch(
        self, list tokens, list ids, Py_ssize_t start, double now, object dictionary
    ) except -1
    cpdef bint is_placed(self, str token) except -1
    cdef uint32_t number_of_token(self, str token) except? 0xFFFFFFFF
    cdef Record* record(self, id) except NULL
    cdef str string(self, const Record* record)
