"""What stands around a word, in C.

What is asked of a neighbour is its kinds. What stands between two words is of four
sorts: blanks, blanks with a line break, a mark that surely parts them, and anything
else, of which nothing is taken for granted: markup may hide words there.
"""

from libc.stdint cimport uint8_t
from libc.string cimport memcmp

from festinger._fast.characters cimport characters
from festinger._fast.kindtable cimport SHORT

cdef extern from "surroundings.h" nogil:
    enum:
        MARK_ANYTHING
        MARK_BLANK
        MARK_PARTS

    const uint8_t marks_before[256]
    const uint8_t marks_ahead[256]


cdef enum:
    SENTENCE_CHARACTERS_MAX = 400

    # A longer gap is no blank: it may end a sentence.
    BLANKS_MAX = 64


cdef void open_view(View* view, const KindTable* kinds, Scan scan) noexcept:
    view.kinds = kinds
    view.tokens = scan.tokens
    view.terms = scan.terms
    view.keys = scan.keys
    view.text = scan.lowered
    view.count = scan.length
    view.wide = scan.wide
    view.steps = 0


# ---- words ----

cdef bint is_adverb(const View* view, const Term* term) noexcept nogil:
    """Whether a word ends in "ly" and is long enough for an adverb."""
    cdef const char* word = view.text + term.offset
    if word[term.length - 2] != c"l" or word[term.length - 1] != c"y":
        return False
    return characters(word, term.length) >= ADVERB_CHARACTERS_MIN


cdef bint is_plain(const View* view, Py_ssize_t at) noexcept nogil:
    """Whether no character of a word is beyond ASCII."""
    cdef uint32_t i
    cdef uint8_t wide = 0
    for i in range(view.tokens[at].start, view.tokens[at].end):
        wide |= <uint8_t>view.text[i]
    return wide < 0x80


cdef bint stands_apart(const View* view, Py_ssize_t at) noexcept nogil:
    """Whether a blank is before a word, so that it is no part of an address."""
    cdef uint32_t start = view.tokens[at].start
    return start == 0 or marks_before[<uint8_t>view.text[start - 1]] == MARK_BLANK


cdef bint is_short(const View* view, Py_ssize_t at) noexcept nogil:
    return kinds_at(view, at) & SHORT or term_at(view, at).length == 1


# ---- what stands between them ----

cdef int gap_before(const View* view, Py_ssize_t at) noexcept nogil:
    """As `between`, where it is more than one blank."""
    cdef uint32_t start = view.tokens[at - 1].end, end = view.tokens[at].start, i
    cdef int mark, seen = BLANK
    if start >= end or end - start > BLANKS_MAX:
        return ANYTHING
    for i in range(start, end):
        mark = marks_before[<uint8_t>view.text[i]]
        if mark == MARK_ANYTHING:
            return ANYTHING
        if mark == MARK_PARTS:
            seen = PARTED
        elif seen == BLANK and view.text[i] in (c"\n", c"\r"):
            seen = LINE
    return seen


cdef int gap_ahead(const View* view, Py_ssize_t at) noexcept nogil:
    """As `ahead`, where it is more than one blank."""
    cdef uint32_t start = view.tokens[at - 1].end, end = view.tokens[at].start, i
    cdef int mark
    if start >= end or end - start > BLANKS_MAX:
        return ANYTHING
    for i in range(start, end):
        mark = marks_ahead[<uint8_t>view.text[i]]
        if mark != MARK_BLANK:
            return PARTED if mark == MARK_PARTS else ANYTHING
    return BLANK


cdef bint is_loose(const View* view, Py_ssize_t at) noexcept nogil:
    """Whether more than blanks is before a word, or it may begin an address."""
    return between(view, at) != BLANK or view.text[view.tokens[at].end] == c":"


cdef bint is_hint(const View* view, uint32_t end) noexcept nogil:
    """Whether what stands before a byte, on its line, may be our own hint (B7)."""
    cdef uint32_t i = end
    while i > 0 and view.text[i - 1] != c"\n":
        i -= 1
        if end - i > SENTENCE_CHARACTERS_MAX:
            return True
        if view.text[i] == c"i" and memcmp(view.text + i, b"iknowthat", 9) == 0:
            return True
    return False


cdef bint is_hint_before(const View* view, Py_ssize_t at) noexcept nogil:
    """Whether a line that may be our own hint ends right before a word."""
    cdef uint32_t i = view.tokens[at - 1].end
    while i < view.tokens[at].start:
        if view.text[i] == c"\n":
            return is_hint(view, view.tokens[at - 1].end)
        i += 1
    return False
