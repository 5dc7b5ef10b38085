"""Kinds of words, and the hash table that tells them by a word's key."""

from libc.stdint cimport uint32_t, uint64_t

from festinger._fast.bits cimport has_bit


cdef enum:
    # Kinds, as `kinds` has them.
    COPULA = 1 << 0
    KEYWORD = 1 << 1
    VERB = 1 << 2
    BARE = 1 << 3
    HEAD = 1 << 4
    WITHIN = 1 << 5
    ADVERB = 1 << 6
    BACK = 1 << 7
    LONGER = 1 << 8
    HEDGE = 1 << 9
    DENIAL = 1 << 10
    ARTICLE = 1 << 11
    THE = 1 << 12
    GENUS = 1 << 13
    POINTER = 1 << 14
    JOIN = 1 << 15
    OPENING = 1 << 16
    AND = 1 << 17
    OR = 1 << 18
    SHORT = 1 << 19
    OF = 1 << 20
    PREPOSITIONS = 31 << 20
    NEEDS = 5

    TABLE_BITS = 11


cdef struct Kind:
    uint64_t key[2]  # as key_of makes it; no key of a token is zero
    uint32_t kinds


cdef struct KindTable:
    # Which slots are taken, one bit each: most words are of no kind, and that is told
    # without a glance at the slots, which are not near.
    uint64_t taken[1 << (TABLE_BITS - 6)]
    Kind slots[1 << TABLE_BITS]


cdef int fill_kinds(KindTable* table, dict words) except -1


cdef inline size_t home(uint64_t hash) noexcept nogil:
    return hash >> (64 - TABLE_BITS)


cdef inline size_t following(size_t slot) noexcept nogil:
    return (slot + 1) & ((1 << TABLE_BITS) - 1)


cdef inline bint is_taken(const KindTable* table, size_t slot) noexcept nogil:
    return has_bit(table.taken, slot)


cdef inline uint32_t kinds_of(
    const KindTable* table, uint64_t hash, const uint64_t* key
) noexcept nogil:
    """The kinds of a word; none if it is not there."""
    cdef size_t slot = home(hash)
    cdef const Kind* kind
    while is_taken(table, slot):
        kind = &table.slots[slot]
        if kind.key[0] == key[0] and kind.key[1] == key[1]:
            return kind.kinds
        slot = following(slot)
    return 0


cdef inline uint32_t needed(uint32_t kinds) noexcept nogil:
    """The kinds of which one must follow."""
    return (kinds >> NEEDS & PREPOSITIONS) | (ADVERB if kinds & VERB else 0)
