"""Which cue words of a text lead to a statement, in C.

What is asked of a word is its kinds, which a hash table tells. What stands between two
words is of four sorts: blanks, blanks with a line break, a mark that surely parts them,
and anything else, of which nothing is taken for granted: markup may hide words there.
"""

cimport cython
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp, memset

from festinger._fast.characters cimport characters
from festinger._fast.hash cimport hash_key, key_of
from festinger._fast.scanner cimport Scan
from festinger._fast.terms cimport (
    TOKEN_COMPOUND,
    TOKEN_TERM,
    Key,
    Term,
    Token,
)
from festinger._fast.reading cimport CAPITAL, CONCEPT
from festinger._fast.wordtable cimport CLOSED, CUE, WORD_BYTES_MAX, hash_secret

from festinger._fast import kinds as names

cdef extern from "leads.h" nogil:
    enum:
        LEADS_ANYTHING
        LEADS_BLANK
        LEADS_PARTS

    const uint8_t leads_marks[256]
    const uint8_t leads_marks_ahead[256]


cdef enum:
    # Kinds, as `kinds` has them.
    COPULA = 1 << 0
    KEYWORD = 1 << 1
    VERB = 1 << 2
    BARE = 1 << 3
    HEAD = 1 << 4
    WITHIN = 1 << 5
    ADVERB = 1 << 6
    BACK = 1 << 7
    LONGER = 1 << 8
    HEDGE = 1 << 9
    DENIAL = 1 << 10
    ARTICLE = 1 << 11
    THE = 1 << 12
    GENUS = 1 << 13
    POINTER = 1 << 14
    JOIN = 1 << 15
    OPENING = 1 << 16
    AND = 1 << 17
    OR = 1 << 18
    SHORT = 1 << 19
    OF = 1 << 20
    PREPOSITIONS = 31 << 20
    NEEDS = 5

    # What stands between two words.
    ANYTHING = 0
    BLANK = 1
    LINE = 2
    PARTED = 3

    # Limits of the scanner of cues.
    ADVERBS_MAX = 6
    NAME_WORDS_MAX = 5
    SENTENCE_CHARACTERS_MAX = 400

    # A longer gap is no blank: it may end a sentence.
    BLANKS_MAX = 64

    TABLE_BITS = 11
    WORDS_MAX = 1 << (TABLE_BITS - 1)

for _name, _bits in [
    ("COPULA", COPULA), ("KEYWORD", KEYWORD), ("VERB", VERB), ("BARE", BARE),
    ("HEAD", HEAD), ("WITHIN", WITHIN), ("ADVERB", ADVERB), ("BACK", BACK),
    ("LONGER", LONGER), ("HEDGE", HEDGE), ("DENIAL", DENIAL), ("ARTICLE", ARTICLE),
    ("THE", THE), ("GENUS", GENUS), ("POINTER", POINTER), ("JOIN", JOIN),
    ("OPENING", OPENING), ("AND", AND), ("OR", OR), ("SHORT", SHORT), ("OF", OF),
    ("PREPOSITIONS", PREPOSITIONS), ("NEEDS", NEEDS),
]:
    assert getattr(names, _name) == _bits, _name


cdef struct Kind:
    uint64_t key[2]  # as key_of makes it; no key of a token is zero
    uint32_t kinds


cdef struct View:
    # The table, and a scan's arrays.
    const Kind* table
    const Token* tokens
    const Term* terms
    const Key* keys
    const char* text  # lowered, and beyond ASCII as it is
    Py_ssize_t count
    bint wide
    uint64_t steps


# ---- words ----

cdef inline size_t home(uint64_t hash) noexcept nogil:
    return hash >> (64 - TABLE_BITS)


cdef inline size_t following(size_t slot) noexcept nogil:
    return (slot + 1) & ((1 << TABLE_BITS) - 1)


cdef inline const Term* term_at(const View* view, Py_ssize_t at) noexcept nogil:
    return &view.terms[view.tokens[at].term & TOKEN_TERM]


cdef uint32_t kinds_at(const View* view, Py_ssize_t at) noexcept nogil:
    cdef uint32_t number = view.tokens[at].term & TOKEN_TERM
    cdef const uint64_t* key = view.keys[number].words
    cdef size_t slot = home(view.terms[number].hash)
    while view.table[slot].key[0] != 0:
        if view.table[slot].key[0] == key[0] and view.table[slot].key[1] == key[1]:
            return view.table[slot].kinds
        slot = following(slot)
    return 0


cdef bint may_stand_within(const View* view, Py_ssize_t at) noexcept nogil:
    """Whether a word may stand between a copula and the rest of its pattern."""
    cdef uint32_t kinds = kinds_at(view, at)
    cdef const Term* term = term_at(view, at)
    cdef const char* word = view.text + term.offset
    if kinds & WITHIN:
        return True
    if term.length < 5 or kinds & HEDGE:
        return False
    if word[term.length - 2] != c"l" or word[term.length - 1] != c"y":
        return False
    return characters(word, term.length) > 4


cdef bint is_ascii(const View* view, Py_ssize_t at) noexcept nogil:
    cdef uint32_t i
    cdef uint8_t wide = 0
    if view.wide:
        for i in range(view.tokens[at].start, view.tokens[at].end):
            wide |= <uint8_t>view.text[i]
    return wide < 0x80


cdef bint stands_apart(const View* view, Py_ssize_t at) noexcept nogil:
    """Whether a blank is before a word, so that it is no part of an address."""
    cdef uint32_t start = view.tokens[at].start
    return start == 0 or leads_marks[<uint8_t>view.text[start - 1]] == LEADS_BLANK


cdef bint is_short(const View* view, Py_ssize_t at) noexcept nogil:
    return kinds_at(view, at) & SHORT or term_at(view, at).length == 1


# ---- what stands between them ----

cdef int between(const View* view, Py_ssize_t at) noexcept nogil:
    """What stands before a word that is not the first."""
    cdef uint32_t start = view.tokens[at - 1].end, end = view.tokens[at].start, i
    cdef int mark, seen = BLANK
    if end == start + 1 and view.text[start] == c" ":
        return BLANK
    if start >= end or end - start > BLANKS_MAX:
        return ANYTHING
    for i in range(start, end):
        mark = leads_marks[<uint8_t>view.text[i]]
        if mark == LEADS_ANYTHING:
            return ANYTHING
        if mark == LEADS_PARTS:
            seen = PARTED
        elif seen == BLANK and view.text[i] in (c"\n", c"\r"):
            seen = LINE
    return seen


cdef int ahead(const View* view, Py_ssize_t at) noexcept nogil:
    """What stands before a word that is not the first, for who comes from the left."""
    cdef uint32_t start = view.tokens[at - 1].end, end = view.tokens[at].start, i
    cdef int mark
    if start >= end or end - start > BLANKS_MAX:
        return ANYTHING
    for i in range(start, end):
        mark = leads_marks_ahead[<uint8_t>view.text[i]]
        if mark != LEADS_BLANK:
            return PARTED if mark == LEADS_PARTS else ANYTHING
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


# ---- right of a cue word ----

cdef bint may_match(View* view, Py_ssize_t at) noexcept nogil:
    """Whether the words behind a cue word are those of a pattern, whatever is between.

    Two thirds of all cue words are an "is" or an "are" of no pattern.
    """
    cdef uint32_t kinds = kinds_at(view, at), needed = kinds >> NEEDS & PREPOSITIONS
    cdef uint32_t behind
    cdef Py_ssize_t i = at + 1, last = view.count - 1
    if at == last:
        return False
    if not kinds & COPULA:
        if kinds & KEYWORD:
            return True
        if kinds & VERB:
            needed |= ADVERB
        return kinds_at(view, i) & needed != 0
    while i < last and i - at < ADVERBS_MAX and may_stand_within(view, i):
        i += 1
    view.steps += i - at
    behind = kinds_at(view, i)
    if behind & THE:
        return i < last and kinds_at(view, i + 1) & GENUS
    return behind & (ARTICLE | HEAD) != 0


cdef bint may_be_followed(View* view, Py_ssize_t at) noexcept nogil:
    """Whether a pattern may follow a cue word, if blanks are all that is between."""
    cdef uint32_t kinds = kinds_at(view, at)
    cdef int gap
    if kinds & KEYWORD:
        return True
    if kinds & COPULA:
        return may_follow_copula(view, at)
    if not kinds & (VERB | BARE | HEAD) or at + 1 == view.count:
        return False
    gap = ahead(view, at + 1)
    if gap == ANYTHING or (kinds & VERB and gap == PARTED):
        return True
    if gap == PARTED or not is_ascii(view, at + 1):
        return gap != PARTED
    return kinds_at(view, at + 1) & (
        (kinds >> NEEDS & PREPOSITIONS) | (ADVERB if kinds & VERB else 0)
    ) != 0


cdef bint may_follow_copula(View* view, Py_ssize_t at) noexcept nogil:
    cdef Py_ssize_t i = at + 1
    cdef uint32_t kinds
    cdef int gap
    while i < view.count:
        gap = ahead(view, i)
        # "Not only" is asked for without a look at what is between.
        if i > at + 1 and kinds_at(view, i - 1) & DENIAL and is_loose(view, i):
            return True
        if gap == PARTED:
            return False
        if gap == ANYTHING or i - at > ADVERBS_MAX or not is_ascii(view, i):
            return True
        if not may_stand_within(view, i):
            break
        i += 1
    view.steps += i - at
    if i == view.count:
        return False
    kinds = kinds_at(view, i)
    if kinds & ARTICLE:
        return True
    if not kinds & (THE | HEAD) or i + 1 == view.count:
        return False
    if not is_ascii(view, i + 1):
        return True
    if kinds & HEAD:
        gap = ahead(view, i + 1)
        kinds = kinds_at(view, i + 1) & (kinds >> NEEDS & PREPOSITIONS)
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

    cdef Kind[1 << TABLE_BITS] table
    cdef readonly uint64_t steps  # of the last search; linear in the text's length

    def __cinit__(self, dict words not None):
        cdef uint64_t key[2]
        cdef bytes data
        cdef size_t slot
        if len(words) > WORDS_MAX:
            raise ValueError(f"{len(words)} words; at most {WORDS_MAX} can be told")
        memset(self.table, 0, sizeof(self.table))
        for word, kinds in words.items():
            data = word.encode()
            if not 0 < len(data) <= WORD_BYTES_MAX:
                raise ValueError(f"{word!r} is not of 1 to {WORD_BYTES_MAX} bytes")
            key_of(data, len(data), key)
            slot = home(hash_key(data, len(data), key, hash_secret()))
            while self.table[slot].key[0] != 0:
                slot = following(slot)
            self.table[slot].key[0], self.table[slot].key[1] = key[0], key[1]
            self.table[slot].kinds = kinds

    def find(self, Scan scan not None):
        """Return the cue words behind which stands what a pattern needs, if any states.

        Returns:
            Two lists of positions, in order. Those of the first are followed by the
            words of a pattern. Those of the second are among or near them, and nothing
            around them shows that they are no part of a statement. If the second is
            empty, so is the first.
        """
        cdef View view
        cdef list leads = [], hopes = []
        cdef Py_ssize_t at
        view.table = self.table
        view.tokens = scan.tokens
        view.terms = scan.terms
        view.keys = scan.keys
        view.text = scan.lowered
        view.count = scan.length
        view.wide = scan.wide
        view.steps = 0
        for at in range(view.count):
            if not term_at(&view, at).flags & CUE:
                continue
            if may_match(&view, at):
                leads.append(at)
            if may_be_followed(&view, at) and may_be_preceded(scan, &view, at):
                hopes.append(at)
        self.steps = view.count + view.steps
        hopes = near(scan, hopes, leads)
        return (leads, hopes) if hopes else ([], [])


cdef list near(Scan scan, list hopes, list leads):
    """Those of the hopes that may share a sentence with a lead."""
    cdef Py_ssize_t i = 0, count = len(leads)
    cdef uint32_t start
    cdef list found = []
    starts = [scan.character_at(scan.tokens[<Py_ssize_t>lead].start) for lead in leads]
    for hope in hopes:
        start = scan.character_at(scan.tokens[<Py_ssize_t>hope].start)
        while i < count and <uint32_t>starts[i] + SENTENCE_CHARACTERS_MAX < start:
            i += 1
        if i < count and <uint32_t>starts[i] <= start + SENTENCE_CHARACTERS_MAX:
            found.append(hope)
    return found
