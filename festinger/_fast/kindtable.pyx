"""Kinds of words, laid out as a hash table with linear probing."""

from libc.string cimport memset

from festinger._fast.bits cimport set_bit
from festinger._fast.hash cimport hash_key, key_of
from festinger._fast.wordtable cimport WORD_BYTES_MAX, hash_secret

from festinger._fast import kinds as names


cdef enum:
    WORDS_MAX = 1 << (TABLE_BITS - 1)

for _name, _bits in [
    ("COPULA", COPULA), ("KEYWORD", KEYWORD), ("VERB", VERB), ("BARE", BARE),
    ("HEAD", HEAD), ("WITHIN", WITHIN), ("ADVERB", ADVERB), ("BACK", BACK),
    ("LONGER", LONGER), ("HEDGE", HEDGE), ("DENIAL", DENIAL), ("ARTICLE", ARTICLE),
    ("THE", THE), ("GENUS", GENUS), ("POINTER", POINTER), ("JOIN", JOIN),
    ("OPENING", OPENING), ("AND", AND), ("OR", OR), ("SHORT", SHORT), ("OF", OF),
    ("PREPOSITIONS", PREPOSITIONS), ("NEEDS", NEEDS),
]:
    assert getattr(names, _name) == _bits, _name


cdef int fill_kinds(KindTable* table, dict words) except -1:
    """Lay out the kinds of each word, which is of at most 16 bytes."""
    cdef uint64_t key[2]
    cdef bytes data
    cdef size_t slot
    if len(words) > WORDS_MAX:
        raise ValueError(f"{len(words)} words; at most {WORDS_MAX} can be told")
    memset(table, 0, sizeof(KindTable))
    for word, kinds in words.items():
        data = word.encode()
        if not 0 < len(data) <= WORD_BYTES_MAX:
            raise ValueError(f"{word!r} is not of 1 to {WORD_BYTES_MAX} bytes")
        key_of(data, len(data), key)
        slot = home(hash_key(data, len(data), key, hash_secret()))
        while is_taken(table, slot):
            slot = following(slot)
        set_bit(table.taken, slot)
        table.slots[slot].key[0], table.slots[slot].key[1] = key[0], key[1]
        table.slots[slot].kinds = kinds
    return 0
