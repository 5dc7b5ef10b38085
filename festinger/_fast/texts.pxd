"""A text's characters, looked at one by one, and what they are."""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memchr

from festinger._fast.utf8 cimport string_at

cdef extern from "Python.h":
    bint Py_UNICODE_ISALNUM(Py_UCS4 character) nogil
    bint Py_UNICODE_ISSPACE(Py_UCS4 character) nogil


cdef enum:
    REACH = 400  # characters of a sentence


cdef struct Text:
    const void* data
    const uint8_t* narrow  # each character as a byte; 255 is any that does not fit
    int size  # bytes of a character
    Py_ssize_t length


cdef int open_text(Text* text, str given) except -1
cdef void close_text(Text* text) noexcept


cdef inline Py_UCS4 char_at(const Text* text, Py_ssize_t at) noexcept nogil:
    cdef uint8_t character = text.narrow[at]
    return character if character < 255 else string_at(text.data, text.size, at)


cdef inline Py_UCS4 peek(const Text* text, Py_ssize_t at) noexcept nogil:
    """The character at a place, or a blank where there is none."""
    if not 0 <= at < text.length:
        return c" "
    return char_at(text, at)


cdef inline bint is_letter(Py_UCS4 c) noexcept nogil:
    """Whether it is one of ASCII's."""
    return c"a" <= (<uint32_t>c | 32) <= c"z"


cdef inline bint is_alnum(Py_UCS4 c) noexcept nogil:
    if <uint32_t>c < 128:
        return is_letter(c) or c"0" <= <uint32_t>c <= c"9"
    return Py_UNICODE_ISALNUM(c)


cdef inline bint is_word(Py_UCS4 c) noexcept nogil:
    return c == c"_" or is_alnum(c)


cdef inline Py_ssize_t find(
    const Text* text, Py_UCS4 wanted, Py_ssize_t at, Py_ssize_t end
) noexcept nogil:
    """Where a character is first met, or the end."""
    cdef const uint8_t* place
    cdef int narrow = min(<uint32_t>wanted, 255)
    while at < end:
        place = <const uint8_t*>memchr(text.narrow + at, narrow, end - at)
        if place == NULL:
            break
        at = place - text.narrow
        if char_at(text, at) == wanted:
            return at
        at += 1
    return end
