"""The lists of words as a hash table."""

from libc.stdint cimport uint32_t, uint64_t

from festinger._fast.hash cimport memory_prefetch
from festinger._fast.terms cimport Key, Term


cdef enum:
    SLOT_BITS = 12
    NUMBER_BITS = 16  # of a slot; the others are of the hash
    WORDS_MAX = 1 << (SLOT_BITS - 1)


cdef struct Listed:
    uint64_t key[2]  # as key_of makes it
    uint64_t lists


cdef inline size_t home(uint64_t hash) noexcept nogil:
    return hash >> (64 - SLOT_BITS)


cdef inline uint32_t number_of(uint32_t slot) noexcept nogil:
    return slot & ((1 << NUMBER_BITS) - 1)


cdef class Lists:
    # Of a word's hash the highest bits lead to a slot, which has the lowest beside the
    # word's number, from 1; so a word that is on no list costs a glance at one slot.
    cdef uint32_t[1 << SLOT_BITS] slots
    cdef Listed[WORDS_MAX] words
    cdef size_t count

    cdef inline void fetch(self, uint64_t hash) noexcept nogil:
        """Fetch the slot of a word that will be asked about."""
        memory_prefetch(&self.slots[home(hash)])

    cdef inline void fetch_listed(self, uint64_t hash) noexcept nogil:
        """Fetch what the slot leads to, which was fetched before."""
        memory_prefetch(&self.words[number_of(self.slots[home(hash)])])

    cdef uint64_t of_term(
        self, const Key* key, const Term* term, const char* word
    ) noexcept nogil
