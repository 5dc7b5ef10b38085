"""The word lists as a hash table, and the secret that all hashes share."""

from libc.stdint cimport uint32_t, uint64_t


cdef enum:
    # Flags of a word; the first two are those of `values`.
    CLOSED = 8
    CUE = 16
    BREAKS = 32  # ends a run of capitalised words

    WORD_BYTES_MAX = 16
    WORD_SLOTS = 512
    WORD_BUCKETS = 256


cdef struct Word:
    uint64_t key[2]  # as key_of makes it; no key of a token is zero
    uint32_t flags


# Without collisions: a bucket's factor is chosen so that each of its words gets a slot
# to itself. So looking up is one comparison and no branch.
cdef struct WordTable:
    uint64_t factors[WORD_BUCKETS]
    Word words[WORD_SLOTS]


cdef uint64_t hash_secret() noexcept
cdef const WordTable* word_table() noexcept


cdef inline size_t word_slot(uint64_t hash, uint64_t factor) noexcept nogil:
    return hash * factor >> 55


cdef inline uint32_t word_flags(
    const WordTable* table, uint64_t hash, const uint64_t* key
) noexcept nogil:
    """Flags of a token of at most 16 bytes; none if it is on no list."""
    cdef const Word* word = &table.words[word_slot(hash, table.factors[hash >> 56])]
    cdef uint32_t same = (word.key[0] == key[0]) & (word.key[1] == key[1])
    return word.flags & (0 - same)
