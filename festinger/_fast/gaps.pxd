"""What stands between two words, and around a sentence, read in C."""

from libc.stdint cimport uint32_t

from festinger._fast.utf8 cimport string_at


cdef enum:
    # What a gap holds, as `marks` has it.
    COMMA = 1
    COLON = 2
    DASH = 4
    OPEN = 8
    CLOSE = 16
    END = 32
    ODD = 64
    QUOTED = 128
    POSSESSIVE = 256
    WRAP = 512
    PLAIN = 512
    STOP = 1024
    BREAK = 2048

    # What around a sentence may take it back, as `marks` has it.
    STRUCK = 1
    REMARKED = 2
    LED = 4

    SENTENCE_CHARACTERS_MAX = 400


cdef struct Prose:
    # A text with everything that is not prose blotted out.
    const void* data
    int size  # bytes of a character
    Py_ssize_t length


cdef inline uint32_t char_at(const Prose* text, Py_ssize_t at) noexcept nogil:
    return string_at(text.data, text.size, at)


cdef int marks_of(const Prose* text, Py_ssize_t start, Py_ssize_t end) noexcept nogil
cdef bint ends_line(
    const Prose* text, Py_ssize_t start, Py_ssize_t end, int marks, bint is_open
) noexcept nogil
cdef bint is_quoted_line(const Prose* text, Py_ssize_t start) noexcept nogil
cdef bint is_asked(const Prose* text, Py_ssize_t end) noexcept nogil
cdef int surroundings_of(
    const Prose* text, Py_ssize_t start, Py_ssize_t end
) noexcept nogil
