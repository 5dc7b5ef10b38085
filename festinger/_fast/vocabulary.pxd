"""The record of a token: one cache line."""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from festinger._fast.index cimport Index


cdef struct Record:
    # A token of up to 16 bytes, zero-padded; of a longer one its hash, and where it
    # stands among the names.
    uint64_t key[2]
    int64_t id
    int64_t encounters
    int64_t delta  # encounters since the last drain
    double last_seen
    double novelty
    uint32_t stamp  # the last reading that met it
    uint16_t length
    uint8_t dictionary
    uint8_t spare


cdef class Vocabulary:
    cdef Record* records
    cdef uint32_t count
    cdef uint32_t capacity
    cdef Index by_token
    cdef Index by_id
    # The long names, one behind the other, with gaps where tokens were forgotten.
    cdef char* names
    cdef size_t names_used
    cdef size_t names_capacity
    cdef size_t names_dead
    # Records with a delta; may name one twice, or one without a delta.
    cdef uint32_t* dirty
    cdef size_t dirty_count
    cdef size_t dirty_capacity
    cdef uint32_t stamp
    cdef uint64_t seed
    cdef uint64_t mask
    cdef list moves

    cdef int add_token(
        self,
        str token,
        object id,
        object encounters,
        double last_seen,
        double novelty,
        bint dictionary,
    ) except -1
    cdef uint32_t number_of_token(self, str token) except? 0xFFFFFFFF
    cdef Record* record(self, id) except NULL
    cdef str string(self, const Record* record)
