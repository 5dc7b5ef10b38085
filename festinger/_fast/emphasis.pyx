"""Words that underscores emphasise, in C.

A `_` is a character of a word, so that one around several words would make two odd ones
of the first and the last. Hardly any text has such: here it is only found whether this
one may, and `masking.py` writes the new text.
"""

from festinger._fast.texts cimport (
    REACH,
    Py_UNICODE_ISSPACE,
    Text,
    char_at,
    close_text,
    find,
    is_alnum,
    is_word,
    open_text,
    peek,
)

from festinger._fast import masking


cpdef str unemphasised(str text):
    """Return the text with `*` for each `_` that encloses several words."""
    cdef Text seen
    if text is None:
        raise TypeError("there is no text")
    open_text(&seen, text)
    try:
        # Hardly any text has words in `_`, and then there is a new one to be made.
        return masking.unemphasised(text) if is_emphasised(&seen) else text
    finally:
        close_text(&seen)


cdef bint is_emphasised(const Text* text) noexcept:
    """Whether there is a `_` that may enclose several words."""
    cdef Py_ssize_t at = 0, opened = 0
    cdef int size = 0, length
    while True:
        at = find(text, c"_", at, text.length)
        if at == text.length:
            return False
        length = opening(text, at)
        if length:
            size, at = length, at + length
            opened = at
            continue
        length = closing_underscores(text, at)
        if length and length == size and may_enclose_words(text, opened, at):
            return True
        if length:
            size = 0
        at += length if length else 1


cdef inline int opening(const Text* text, Py_ssize_t at) noexcept nogil:
    """How long a `_` or `__` is that opens at a place, or 0."""
    if is_word(peek(text, at - 1)):
        return 0
    if peek(text, at + 1) != c"_":
        return is_alnum(peek(text, at + 1))
    return 2 * is_alnum(peek(text, at + 2))


cdef inline int closing_underscores(const Text* text, Py_ssize_t at) noexcept nogil:
    """How long a `_` or `__` is that closes at a place, or 0."""
    cdef Py_UCS4 before = peek(text, at - 1)
    if before == c"_" or Py_UNICODE_ISSPACE(before):
        return 0
    if peek(text, at + 1) != c"_":
        return not is_word(peek(text, at + 1))
    return 0 if is_word(peek(text, at + 2)) else 2


cdef bint may_enclose_words(
    const Text* text, Py_ssize_t start, Py_ssize_t end
) noexcept nogil:
    """Whether there is a blank between two places of a line, or of a few."""
    if end - start > REACH:
        return False
    while start < end:
        if Py_UNICODE_ISSPACE(char_at(text, start)):
            return True
        start += 1
    return False
