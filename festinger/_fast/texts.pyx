"""A text as it is looked at for what is prose.

Its characters stay where Python has them, one, two or four bytes each. Beside them is
one byte for each, so that a mark is found as fast in any text: those that do not fit
are all 255, and only then is the character itself looked at. Where a character is a
byte, the two are the same memory.
"""

from libc.stdint cimport uint8_t
from libc.stdlib cimport free, malloc

from festinger._fast import values

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)

cdef extern from "prose.h" nogil:
    void prose_narrow(
        const void* data, int size, size_t length, uint8_t* to
    ) noexcept

assert values.SENTENCE_CHARACTERS_MAX == REACH


cdef int open_text(Text* text, str given) except -1:
    cdef uint8_t* narrow
    text.data = PyUnicode_DATA(given)
    text.size = PyUnicode_KIND(given)
    text.length = len(given)
    text.narrow = <const uint8_t*>text.data
    if text.size > 1:
        narrow = <uint8_t*>malloc(text.length)
        if narrow == NULL:
            raise MemoryError
        prose_narrow(text.data, text.size, text.length, narrow)
        text.narrow = narrow
    return 0


cdef void close_text(Text* text) noexcept:
    if text.size > 1:
        free(<void*>text.narrow)
