"""What a memory knows of words, in C; the rules are `tests/oracle/wordbook.py`'s.

Most names that are asked about are no everyday words, and to learn that from a set of
many thousands is to wait for far memory. So each word of a dictionary that cannot
change sets a bit, of sixteen for each, and a name whose bit is not set is none.
"""

cimport cython
from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free

from festinger._fast.bits cimport has_bit, set_bit
from festinger._fast.vocabulary cimport Vocabulary


cdef enum:
    MARKS_PER_WORD = 16
    MARKS_MIN = 64


@cython.final
cdef class Wordbook:
    """Tells which words are everyday words, and which concepts are known.

    Args:
        dictionary: The everyday words.
        vocabulary: The concepts, of which those are known that a fact placed.
    """

    def __cinit__(self, dictionary not None, Vocabulary vocabulary not None):
        self.dictionary = dictionary
        self.vocabulary = vocabulary
        if isinstance(dictionary, frozenset):
            self.mark_all()

    def __dealloc__(self):
        free(self.marks)

    cdef int mark_all(self) except -1:
        cdef uint64_t count = MARKS_MIN
        while count < <uint64_t>len(self.dictionary) * MARKS_PER_WORD:
            count *= 2
        self.marks = <uint64_t*>calloc(count // 64, sizeof(uint64_t))
        if self.marks == NULL:
            raise MemoryError
        self.mask = count - 1
        for word in self.dictionary:
            set_bit(self.marks, <uint64_t>hash(word) & self.mask)
        return 0

    cpdef bint is_everyday(self, str token) except -1:
        """Whether a token is a word of the dictionary."""
        if self.marks != NULL and not has_bit(
            self.marks, <uint64_t>hash(token) & self.mask
        ):
            return False
        return token in self.dictionary

    def __contains__(self, token):
        """Whether it is an everyday word."""
        return isinstance(token, str) and self.is_everyday(token)

    cpdef bint is_known(self, str token) except -1:
        """Whether a fact placed a concept."""
        return self.vocabulary.is_placed(token)
