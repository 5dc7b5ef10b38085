"""A scan: what `reading` makes of a text, as Python sees it."""

cimport cython
from cpython.mem cimport PyMem_Free
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport uint8_t
from libc.string cimport memset

from festinger._fast.reading cimport Reader, Token, read_all
from festinger._fast.wordtable cimport CUE

from collections.abc import Sequence

from festinger._fast import alphabet

cdef extern from "Python.h":
    const char* PyUnicode_AsUTF8AndSize(object text, Py_ssize_t* size) except NULL

# Offsets are 32 bits, and a pair of CJK characters takes twice its bytes.
cdef enum:
    TEXT_BYTES_MAX = 0x3FFFFFFF


@cython.final
cdef class Scan:
    """The tokens of one text, in order. Immutable; made by `scan`."""

    def __cinit__(self, str text not None):
        cdef Reader reader
        cdef Py_ssize_t length = 0
        cdef object data
        self.text = alphabet.compose(text)
        try:
            data = self.text
            memset(&reader, 0, sizeof(reader))
            reader.text = <const uint8_t*>PyUnicode_AsUTF8AndSize(data, &length)
        except UnicodeEncodeError:
            # Lone surrogates: three bytes each, and no class of ours.
            data = self.text.encode("utf-8", "surrogatepass")
            reader.text = data
            length = len(data)
        if length > TEXT_BYTES_MAX:
            raise ValueError(f"a text of {length} bytes; at most 1 GiB can be scanned")
        reader.length = length
        try:
            read_all(&reader)
        finally:
            # Freed in __dealloc__, also when reading failed.
            self.lowered = reader.out
            self.tokens = reader.tokens
            self.length = reader.count
            self.steps = reader.steps

    def __dealloc__(self):
        PyMem_Free(self.tokens)
        PyMem_Free(self.lowered)

    cdef Token* token(self, Py_ssize_t position) except NULL:
        if position < 0:
            position += self.length
        if not 0 <= position < self.length:
            raise IndexError("position out of range")
        return &self.tokens[position]

    cdef str string(self, const Token* token):
        return PyUnicode_DecodeUTF8(self.lowered + token.offset, token.length, NULL)

    def span(self, Py_ssize_t position):
        """Return where a token stands: half-open character offsets in `text`."""
        cdef Token* token = self.token(position)
        return token.start, token.end

    def flags(self, Py_ssize_t position):
        """Return a token's flags: CONCEPT, CAPITAL, COMPOUND, CLOSED, CUE."""
        return self.token(position).flags

    def cues(self):
        """Return the positions of the cue words, in order."""
        cdef Py_ssize_t i
        return [i for i in range(self.length) if self.tokens[i].flags & CUE]

    def index(self, value, start=0, stop=None):
        """Return the first position of a token."""
        return Sequence.index(self, value, start, stop)

    def count(self, value):
        """Return how often a token occurs."""
        return Sequence.count(self, value)

    def __len__(self):
        return self.length

    def __getitem__(self, position):
        if isinstance(position, slice):
            return [
                self.string(self.token(i))
                for i in range(*position.indices(self.length))
            ]
        return self.string(self.token(position))

    def __iter__(self):
        cdef Py_ssize_t i
        for i in range(self.length):
            yield self.string(&self.tokens[i])

    def __reversed__(self):
        cdef Py_ssize_t i
        for i in range(self.length - 1, -1, -1):
            yield self.string(&self.tokens[i])

    def __contains__(self, value):
        return any(value == token for token in self)

    def __repr__(self):
        return f"Scan({list(self)!r})"


Sequence.register(Scan)


def scan(str text not None):
    """Split a text into tokens.

    Args:
        text: Any string: NUL and lone surrogates are characters like other
            punctuation.
    """
    return Scan(text)
