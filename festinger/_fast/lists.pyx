"""Which words are on which lists, in C."""

cimport cython
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from festinger._fast.hash cimport KEY_BYTES, hash_key, key_of
from festinger._fast.terms cimport Key, Term
from festinger._fast.wordtable cimport WORD_BYTES_MAX, hash_secret

from festinger._fast import values

cdef extern from "Python.h":
    const char* PyUnicode_AsUTF8AndSize(object text, Py_ssize_t* size) except NULL


cdef uint64_t ONES = 0x0101010101010101
cdef uint64_t HIGHS = 0x8080808080808080

cdef uint64_t ENDS_IN_LY = values.ENDS_IN_LY
cdef uint64_t ENDS_IN_ED = values.ENDS_IN_ED
cdef uint64_t ENDS_IN_ING = values.ENDS_IN_ING
cdef uint64_t HYPHENATED = values.HYPHENATED


cdef inline size_t following(size_t slot) noexcept nogil:
    return (slot + 1) & ((1 << SLOT_BITS) - 1)


cdef inline uint64_t spelled(
    const Key* key, const char* word, size_t length
) noexcept nogil:
    """What a word's spelling tells of it."""
    cdef uint64_t lists = 0
    if length >= 2 and word[length - 2] == c"l" and word[length - 1] == c"y":
        lists = ENDS_IN_LY
    elif length >= 2 and word[length - 2] == c"e" and word[length - 1] == c"d":
        lists = ENDS_IN_ED
    elif length >= 3 and word[length - 1] == c"g" and word[length - 2] == c"n":
        lists = ENDS_IN_ING if word[length - 3] == c"i" else 0
    return lists | HYPHENATED if has_hyphen(key, word, length) else lists


cdef inline bint has_hyphen(
    const Key* key, const char* word, size_t length
) noexcept nogil:
    """Whether there is one; the key is the first bytes of the word."""
    cdef uint64_t first = key.words[0] ^ (ONES * c"-")
    cdef uint64_t second = key.words[1] ^ (ONES * c"-")
    cdef size_t i
    # Of the bytes that were hyphens, and are 0 now, the highest bit is left.
    if ((first - ONES) & ~first | (second - ONES) & ~second) & HIGHS:
        return True
    for i in range(KEY_BYTES, length):
        if word[i] == c"-":
            return True
    return False


@cython.final
cdef class Lists:
    """Which words are on which lists.

    Args:
        words: The lists of each word, one bit each; in lower case, of at most 16 bytes.
    """

    def __cinit__(self, dict words not None):
        cdef uint64_t key[2]
        cdef uint64_t hash
        cdef bytes data
        cdef size_t slot
        if len(words) >= WORDS_MAX:
            raise ValueError(f"{len(words)} words; at most {WORDS_MAX - 1} can be told")
        memset(self.slots, 0, sizeof(self.slots))
        for word, lists in words.items():
            data = word.encode()
            if not 0 < len(data) <= WORD_BYTES_MAX:
                raise ValueError(f"{word!r} is not of 1 to {WORD_BYTES_MAX} bytes")
            key_of(data, len(data), key)
            hash = hash_key(data, len(data), key, hash_secret())
            slot = home(hash)
            while self.slots[slot]:
                slot = following(slot)
            self.count += 1
            self.words[self.count].key[0] = key[0]
            self.words[self.count].key[1] = key[1]
            self.words[self.count].lists = lists
            self.slots[slot] = <uint32_t>(hash << NUMBER_BITS) | <uint32_t>self.count

    def of(self, str word not None):
        """Return the lists that a word is on, and what its spelling tells of it."""
        cdef Py_ssize_t length = 0
        cdef const char* data
        cdef Key key
        cdef Term term
        try:
            data = PyUnicode_AsUTF8AndSize(word, &length)
        except UnicodeEncodeError:
            return 0
        term.length = length
        key_of(data, length, key.words)
        if not 0 < length <= WORD_BYTES_MAX:
            return spelled(&key, data, length)
        term.hash = hash_key(data, length, key.words, hash_secret())
        return self.of_term(&key, &term, data)

    cdef uint64_t of_term(
        self, const Key* key, const Term* term, const char* word
    ) noexcept nogil:
        """The same of a term of a scan."""
        cdef size_t slot = home(term.hash)
        cdef uint32_t seen = self.slots[slot]
        cdef uint32_t tag = <uint32_t>(term.hash << NUMBER_BITS)
        cdef const Listed* listed
        while seen:
            if (seen ^ tag) >> NUMBER_BITS == 0:
                listed = &self.words[number_of(seen)]
                if listed.key[0] == key.words[0] and listed.key[1] == key.words[1]:
                    return listed.lists | spelled(key, word, term.length)
            slot = following(slot)
            seen = self.slots[slot]
        return spelled(key, word, term.length)
