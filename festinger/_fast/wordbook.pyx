"""What a memory knows of words, in C; the rules are `_reference/wordbook.py`'s."""

cimport cython

from festinger._fast.vocabulary cimport Vocabulary


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

    cpdef bint is_everyday(self, str token) except -1:
        """Whether a token is a word of the dictionary."""
        return token in self.dictionary

    cpdef bint is_known(self, str token) except -1:
        """Whether a fact placed a concept."""
        return self.vocabulary.is_placed(token)
