"""Which cue words of a text lead to a statement, in C.

Most do not, and the word behind them shows it. Of the others, what a pattern needs is
looked for on the right, and a subject on the left.
"""

cimport cython
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport uint32_t

from festinger._fast.kindtable cimport (
    AND,
    ARTICLE,
    BACK,
    BARE,
    COPULA,
    DENIAL,
    GENUS,
    HEAD,
    JOIN,
    KEYWORD,
    LONGER,
    OF,
    OPENING,
    OR,
    POINTER,
    THE,
    VERB,
    fill_kinds,
    needed,
)
from festinger._fast.reading cimport CAPITAL, CONCEPT
from festinger._fast.scanner cimport Scan
from festinger._fast.surroundings cimport (
    ANYTHING,
    BLANK,
    LINE,
    PARTED,
    View,
    ahead,
    between,
    is_ascii,
    is_blank,
    is_hint,
    is_hint_before,
    is_loose,
    is_plain,
    is_short,
    kinds_at,
    may_stand_within,
    open_view,
    stands_apart,
    term_at,
)
from festinger._fast.terms cimport TOKEN_COMPOUND, TOKEN_PATTERN, Token
from festinger._fast.wordtable cimport CLOSED

from festinger._fast.kinds import check

cdef enum:
    # Limits of the scanner of cues.
    ADVERBS_MAX = 6
    NAME_WORDS_MAX = 5
    CUES_HERE_MAX = 256  # for which no memory is asked for
    SENTENCE_CHARACTERS_MAX = 400


cdef struct Places:
    uint32_t* at  # positions of words
    uint32_t* starts  # characters before each
    size_t count


# ---- right of a cue word ----

cdef inline bint leads_nowhere(const View* view, Py_ssize_t at) noexcept nogil:
    """Whether a cue word and the one behind it are, plainly, words of no pattern.

    So it is with two cue words of three, and then both questions below are answered.
    It is one answer without a branch, since nobody could foresee its parts.
    """
    cdef const Token* token = &view.tokens[at]
    cdef uint32_t end = token[1].end
    cdef bint plain
    # What a compound ends in need not be what stands in the text.
    plain = (token[0].term | token[1].term) & (TOKEN_PATTERN | TOKEN_COMPOUND) == 0
    plain &= is_blank(view, at + 1)
    plain &= (view.text[end - 2] != c"l") | (view.text[end - 1] != c"y")
    if view.wide:
        plain = plain and is_plain(view, at + 1)
    return plain


cdef bint may_match(
    View* view, Py_ssize_t at, uint32_t kinds, uint32_t behind
) noexcept nogil:
    """Whether the words behind a cue word are those of a pattern, whatever is between.

    Two thirds of all cue words are an "is" or an "are" of no pattern.
    """
    cdef Py_ssize_t i = at + 1, last = view.count - 1
    if at == last:
        return False
    if not kinds & COPULA:
        if kinds & KEYWORD:
            return True
        return behind & needed(kinds) != 0
    while i < last and i - at < ADVERBS_MAX and may_stand_within(view, i, behind):
        i += 1
        behind = kinds_at(view, i)
    view.steps += i - at
    if behind & THE:
        return i < last and kinds_at(view, i + 1) & GENUS
    return behind & (ARTICLE | HEAD) != 0


cdef bint may_be_followed(
    View* view, Py_ssize_t at, uint32_t kinds, uint32_t behind
) noexcept nogil:
    """Whether a pattern may follow a cue word, if blanks are all that is between."""
    cdef int gap
    if kinds & KEYWORD:
        return True
    if kinds & COPULA:
        return may_follow_copula(view, at, behind)
    if not kinds & (VERB | BARE | HEAD) or at + 1 == view.count:
        return False
    gap = ahead(view, at + 1)
    if gap == ANYTHING or (kinds & VERB and gap == PARTED):
        return True
    if gap == PARTED or not is_ascii(view, at + 1):
        return gap != PARTED
    return behind & needed(kinds) != 0


cdef bint may_follow_copula(
    View* view, Py_ssize_t at, uint32_t kinds
) noexcept nogil:
    cdef Py_ssize_t i = at + 1
    cdef uint32_t before = 0
    cdef int gap
    while i < view.count:
        gap = ahead(view, i)
        # "Not only" is asked for without a look at what is between.
        if before & DENIAL and is_loose(view, i):
            return True
        if gap == PARTED:
            return False
        if gap == ANYTHING or i - at > ADVERBS_MAX or not is_ascii(view, i):
            return True
        if not may_stand_within(view, i, kinds):
            break
        i += 1
        before, kinds = kinds, kinds_at(view, i) if i < view.count else 0
    view.steps += i - at
    if i == view.count:
        return False
    if kinds & ARTICLE:
        return True
    if not kinds & (THE | HEAD) or i + 1 == view.count:
        return False
    if not is_ascii(view, i + 1):
        return True
    if kinds & HEAD:
        gap = ahead(view, i + 1)
        kinds = kinds_at(view, i + 1) & needed(kinds)
        return gap == ANYTHING or (gap == BLANK and kinds)
    # What "the" defines is asked for without a look at what is between.
    return is_loose(view, i + 1) or kinds_at(view, i + 1) & GENUS != 0


# ---- left of a cue word ----

cdef bint may_be_preceded(Scan scan, View* view, Py_ssize_t at) except -1:
    """Whether a subject may end before a cue."""
    cdef uint32_t kinds
    cdef int gap
    # Adverbs: "now also is", "no longer runs on".
    while at > 0:
        gap = between(view, at)
        if gap not in (BLANK, LINE):
            break
        if is_hint_before(view, at) or not is_ascii(view, at - 1):
            return True
        kinds = kinds_at(view, at - 1)
        if kinds & (LONGER | DENIAL):
            return True
        if kinds_at(view, at) & BARE:
            # Nothing but a denial makes a statement of it: "doesn't run on".
            return not stands_apart(view, at - 1)
        if not kinds & BACK:
            break
        at -= 1
        view.steps += 1
    if at == 0:
        return False
    kinds = kinds_at(view, at - 1)
    # "… and is" may carry on the subject of another statement.
    if gap == ANYTHING or kinds & AND or not stands_apart(view, at - 1):
        return True
    if gap == PARTED:
        return is_short(view, at - 1) or is_hint_before(view, at)
    return may_end_subject(scan, view, at - 1)


cdef bint may_end_subject(Scan scan, View* view, Py_ssize_t last) except -1:
    """Whether a word may be the last of a subject."""
    cdef uint32_t flags = term_at(view, last).flags, kinds
    cdef Py_ssize_t first = last
    cdef int gap
    if flags & CLOSED or not flags & CONCEPT:
        return may_be_alias(scan, view, last)
    while True:
        if first == 0:
            return True
        gap = between(view, first)
        if gap != BLANK or not is_ascii(view, first - 1):
            return True
        kinds = kinds_at(view, first - 1)
        if kinds & OPENING or not stands_apart(view, first - 1):
            return True
        flags = term_at(view, first - 1).flags
        if flags & CLOSED or last - first + 1 == NAME_WORDS_MAX:
            break
        first -= 1
        view.steps += 1
        if not flags & CONCEPT:
            return False
    if view.tokens[last].term & TOKEN_COMPOUND and is_hint(
        view, view.tokens[last].start
    ):
        return True
    return may_begin_behind(scan, view, first, last)


cdef bint may_be_alias(Scan scan, View* view, Py_ssize_t at) except -1:
    """Whether a word may be an abbreviation: "Information Technology or IT"."""
    cdef int gap
    if at == 0 or not is_capital(scan, at):
        return False
    gap = between(view, at)
    if gap == PARTED:
        return False
    return gap == ANYTHING or not is_ascii(view, at - 1) or kinds_at(view, at - 1) & OR


cdef bint may_begin_behind(
    Scan scan, View* view, Py_ssize_t first, Py_ssize_t last
) except -1:
    """Whether the words of a subject may begin behind the word before them."""
    cdef uint32_t kinds = kinds_at(view, first - 1)
    cdef bint alone = first == last
    if kinds & (OF | OR | THE) and not (alone and is_capital(scan, last)):
        return False
    if kinds & (OF | OR):
        return True
    if kinds & (ARTICLE | THE):
        first -= 1
        if first == 0 or between(view, first) != BLANK:
            return True
        if not is_ascii(view, first - 1) or not stands_apart(view, first - 1):
            return True
        kinds = kinds_at(view, first - 1)
    return kinds & JOIN and not kinds & POINTER


cdef bint is_capital(Scan scan, Py_ssize_t at) except -1:
    return scan.flags(at) & CAPITAL


# ---- in Python ----

@cython.final
cdef class Leads:
    """Finds the cue words of a text that lead to a statement.

    Args:
        kinds: The kinds of each word, by `kinds`; in lower case, of at most 16 bytes.
    """

    def __cinit__(self, dict words not None):
        check(words)
        fill_kinds(&self.table, words)

    cpdef tuple find(self, Scan scan):
        """Return the cue words behind which stands what a pattern needs, if any states.

        Returns:
            Two lists of positions, in order. Those of the first are followed by the
            words of a pattern. Of those of the second nothing around them shows that
            they are no part of a statement. Each of either list may share a sentence
            with one of the other, and so both are empty or none is.
        """
        if scan is None:
            raise TypeError("there is no scan")
        return self.judged(scan, scan.cue_at, scan.cue_count)

    cdef tuple judged(self, Scan scan, const uint32_t* cues, size_t count):
        """Those of some cue words that lead to a statement, and that may state."""
        cdef View view
        cdef Places leads, hopes
        cdef uint32_t here[5 * CUES_HERE_MAX]
        cdef uint32_t* likely
        cdef size_t i
        leads.at = here
        if count > CUES_HERE_MAX:
            leads.at = <uint32_t*>PyMem_Malloc(5 * count * sizeof(uint32_t))
            if leads.at == NULL:
                raise MemoryError
        leads.starts = leads.at + count
        hopes.at, hopes.starts = leads.at + 2 * count, leads.at + 3 * count
        likely = leads.at + 4 * count
        leads.count = hopes.count = 0
        open_view(&view, &self.table, scan)
        try:
            for i in range(keep_likely(likely, &view, cues, count)):
                judge(scan, &view, likely[i], &leads, &hopes)
            self.steps = count + view.steps
            # Who is near to one of the others is so to one that stays.
            keep_near(&leads, &hopes)
            keep_near(&hopes, &leads)
            return list_of(&leads), list_of(&hopes)
        finally:
            if leads.at != here:
                PyMem_Free(leads.at)


cdef size_t keep_likely(
    uint32_t* likely, const View* view, const uint32_t* cues, size_t count
) noexcept nogil:
    """Write down the cue words that may lead somewhere, and return their number."""
    cdef size_t followed = count, kept = 0, i
    # There is no word behind the last one.
    if count and cues[count - 1] + 1 == <uint32_t>view.count:
        followed -= 1
    for i in range(followed):
        likely[kept] = cues[i]
        kept += 1 - leads_nowhere(view, cues[i])
    if followed < count:
        likely[kept] = cues[followed]
        kept += 1
    return kept


cdef int judge(
    Scan scan, View* view, Py_ssize_t at, Places* leads, Places* hopes
) except -1:
    cdef uint32_t kinds = kinds_at(view, at), behind = 0
    # "Are" is a cue word, but begins no pattern.
    if kinds == 0:
        return 0
    if at + 1 < view.count:
        behind = kinds_at(view, at + 1)
    if may_match(view, at, kinds, behind):
        put(leads, scan, at)
    if may_be_followed(view, at, kinds, behind) and may_be_preceded(scan, view, at):
        put(hopes, scan, at)
    return 0


cdef int put(Places* places, Scan scan, Py_ssize_t at) except -1:
    places.at[places.count] = <uint32_t>at
    places.starts[places.count] = scan.character_at(scan.tokens[at].start)
    places.count += 1
    return 0


cdef void keep_near(Places* places, const Places* others) noexcept nogil:
    """Keep those that may share a sentence with one of the others."""
    cdef size_t i, other = 0, kept = 0
    cdef uint32_t start
    for i in range(places.count):
        start = places.starts[i]
        while (
            other < others.count
            and others.starts[other] + SENTENCE_CHARACTERS_MAX < start
        ):
            other += 1
        if other == others.count:
            break
        if others.starts[other] <= start + SENTENCE_CHARACTERS_MAX:
            places.at[kept], places.starts[kept] = places.at[i], start
            kept += 1
    places.count = kept


cdef list list_of(const Places* places):
    cdef size_t i
    return [places.at[i] for i in range(places.count)]
