"""The word lists as a hash table, and the secret that all hashes share."""

from libc.stdint cimport uint32_t, uint64_t


cdef extern from "wordlist.h" nogil:
    enum:
        # Flags of a word; the first two are those of `values`.
        CLOSED "WORD_CLOSED"
        CUE "WORD_CUE"
        BREAKS "WORD_BREAKS"
        PATTERN "WORD_PATTERN"

        WORD_SLOTS

    ctypedef struct Word:
        uint64_t key[2]
        uint32_t flags

    ctypedef struct WordTable:
        uint64_t factors[256]
        Word words[512]

    size_t word_slot(uint64_t hash, uint64_t factor) noexcept
    uint32_t word_flags(
        const WordTable* table, uint64_t hash, const uint64_t* key
    ) noexcept


cdef enum:
    WORD_BYTES_MAX = 16


cdef uint64_t hash_secret() noexcept
cdef const WordTable* word_table() noexcept
