"""What stands around a word: its neighbours' kinds, and the gaps between them."""

from libc.stdint cimport uint32_t, uint64_t

from festinger._fast.kindtable cimport HEDGE, WITHIN, KindTable, kinds_of
from festinger._fast.scanner cimport Scan
from festinger._fast.terms cimport TOKEN_TERM, Key, Term, Token


cdef enum:
    # What stands between two words.
    ANYTHING = 0
    BLANK = 1
    LINE = 2
    PARTED = 3

    ADVERB_CHARACTERS_MIN = 5


cdef struct View:
    # The kinds, and a scan's arrays.
    const KindTable* kinds
    const Token* tokens
    const Term* terms
    const Key* keys
    const char* text  # lowered, and beyond ASCII as it is
    Py_ssize_t count
    bint wide
    uint64_t steps


cdef void open_view(View* view, const KindTable* kinds, Scan scan) noexcept
cdef bint is_adverb(const View* view, const Term* term) noexcept nogil
cdef bint is_plain(const View* view, Py_ssize_t at) noexcept nogil
cdef bint stands_apart(const View* view, Py_ssize_t at) noexcept nogil
cdef bint is_short(const View* view, Py_ssize_t at) noexcept nogil
cdef int gap_before(const View* view, Py_ssize_t at) noexcept nogil
cdef int gap_ahead(const View* view, Py_ssize_t at) noexcept nogil
cdef bint is_loose(const View* view, Py_ssize_t at) noexcept nogil
cdef bint is_hint(const View* view, uint32_t end) noexcept nogil
cdef bint is_hint_before(const View* view, Py_ssize_t at) noexcept nogil


cdef inline const Term* term_at(const View* view, Py_ssize_t at) noexcept nogil:
    return &view.terms[view.tokens[at].term & TOKEN_TERM]


cdef inline uint32_t kinds_at(const View* view, Py_ssize_t at) noexcept nogil:
    cdef uint32_t number = view.tokens[at].term & TOKEN_TERM
    return kinds_of(view.kinds, view.terms[number].hash, view.keys[number].words)


cdef inline bint is_blank(const View* view, Py_ssize_t at) noexcept nogil:
    """Whether one blank is all that stands before a word that is not the first."""
    cdef uint32_t end = view.tokens[at - 1].end
    return (view.tokens[at].start == end + 1) & (view.text[end] == c" ")


cdef inline int between(const View* view, Py_ssize_t at) noexcept nogil:
    """What stands before a word that is not the first."""
    return BLANK if is_blank(view, at) else gap_before(view, at)


cdef inline int ahead(const View* view, Py_ssize_t at) noexcept nogil:
    """What stands before a word that is not the first, for who comes from the left."""
    return BLANK if is_blank(view, at) else gap_ahead(view, at)


cdef inline bint is_ascii(const View* view, Py_ssize_t at) noexcept nogil:
    return not view.wide or is_plain(view, at)


cdef inline bint may_stand_within(
    const View* view, Py_ssize_t at, uint32_t kinds
) noexcept nogil:
    """Whether a word may stand between a copula and the rest of its pattern."""
    cdef const Term* term
    if kinds & WITHIN:
        return True
    term = term_at(view, at)
    if term.length < ADVERB_CHARACTERS_MIN or kinds & HEDGE:
        return False
    return is_adverb(view, term)
