"""Which cue words of a text may lead to a statement."""

# ---- kinds of words ----
#
# A hash table with linear probing.


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

    TABLE_BITS = 11


cdef struct KindEntry:
    uint64_t key[2]  # as key_of makes it; no key of a token is zero
    uint32_t kinds


cdef struct KindTable:
    # Which slots are taken, one bit each: most words are of no kind, and that is told
    # without a glance at the slots, which are not near.
    uint64_t taken[1 << (TABLE_BITS - 6)]
    KindEntry slots[1 << TABLE_BITS]


cdef inline size_t kind_home(uint64_t hash) noexcept nogil:
    return hash >> (64 - TABLE_BITS)


cdef inline size_t next_kind(size_t slot) noexcept nogil:
    return (slot + 1) & ((1 << TABLE_BITS) - 1)


cdef inline bint is_taken(const KindTable* table, size_t slot) noexcept nogil:
    return has_bit(table.taken, slot)


cdef inline uint32_t kinds_of(
    const KindTable* table, uint64_t hash, const uint64_t* key
) noexcept nogil:
    """Return the kinds of a word; none if it is not there."""
    cdef size_t slot = kind_home(hash)
    cdef const KindEntry* kind
    while is_taken(table, slot):
        kind = &table.slots[slot]
        if kind.key[0] == key[0] and kind.key[1] == key[1]:
            return kind.kinds
        slot = next_kind(slot)
    return 0


cdef inline uint32_t needed(uint32_t kinds) noexcept nogil:
    """Return the kinds of which one must follow."""
    return (kinds >> NEEDS & PREPOSITIONS) | (ADVERB if kinds & VERB else 0)


cdef enum:
    KIND_WORDS_MAX = 1 << (TABLE_BITS - 1)

for _name, _bits in [
    ("COPULA", COPULA), ("KEYWORD", KEYWORD), ("VERB", VERB), ("BARE", BARE),
    ("HEAD", HEAD), ("WITHIN", WITHIN), ("ADVERB", ADVERB), ("BACK", BACK),
    ("LONGER", LONGER), ("HEDGE", HEDGE), ("DENIAL", DENIAL), ("ARTICLE", ARTICLE),
    ("THE", THE), ("GENUS", GENUS), ("POINTER", POINTER), ("JOIN", JOIN),
    ("OPENING", OPENING), ("AND", AND), ("OR", OR), ("SHORT", SHORT), ("OF", OF),
    ("PREPOSITIONS", PREPOSITIONS), ("NEEDS", NEEDS),
]:
    assert getattr(kinds, _name) == _bits, _name

cdef int fill_kinds(KindTable* table, dict words) except -1:
    """Lay out the kinds of each word, which is of at most 16 bytes."""
    cdef uint64_t key[2]
    cdef bytes data
    cdef size_t slot
    if len(words) > KIND_WORDS_MAX:
        raise ValueError(f"{len(words)} words; at most {KIND_WORDS_MAX} can be told")
    memset(table, 0, sizeof(KindTable))
    for word, kinds in words.items():
        data = word.encode()
        if not 0 < len(data) <= WORD_BYTES_MAX:
            raise ValueError(f"{word!r} is not of 1 to {WORD_BYTES_MAX} bytes")
        key_of(data, len(data), key)
        slot = kind_home(hash_key(data, len(data), key, hash_secret()))
        while is_taken(table, slot):
            slot = next_kind(slot)
        set_bit(table.taken, slot)
        table.slots[slot].key[0], table.slots[slot].key[1] = key[0], key[1]
        table.slots[slot].kinds = kinds
    return 0


# ---- context of a word ----
#
# Of a neighbour only its kinds matter. A gap is one of four sorts: blanks, blanks with
# a line break, a mark that surely parts two words, and anything else, of which nothing
# is taken for granted: markup may hide words there.


cdef enum:
    # What stands between two words.
    ANYTHING = 0
    BLANK = 1
    LINE = 2
    PARTED = 3

    ADVERB_CHARACTERS_MIN = 5


cdef struct CueContext:
    # The kinds, and a scan's arrays.
    const KindTable* kinds
    const Token* tokens
    const Term* terms
    const Key* keys
    const char* text  # lowered, and beyond ASCII as it is
    Py_ssize_t count
    bint wide
    uint64_t steps


cdef inline const Term* term_at(
    const CueContext* context, Py_ssize_t at
) noexcept nogil:
    return &context.terms[context.tokens[at].term & TOKEN_TERM]


cdef inline uint32_t kinds_at(const CueContext* context, Py_ssize_t at) noexcept nogil:
    cdef uint32_t number = context.tokens[at].term & TOKEN_TERM
    return kinds_of(
        context.kinds, context.terms[number].hash, context.keys[number].words
    )


cdef inline bint is_blank(const CueContext* context, Py_ssize_t at) noexcept nogil:
    """Return whether just one blank stands before a word that is not the first."""
    cdef uint32_t end = context.tokens[at - 1].end
    return (context.tokens[at].start == end + 1) & (context.text[end] == c" ")


cdef inline int between(const CueContext* context, Py_ssize_t at) noexcept nogil:
    """Return what stands before a word that is not the first."""
    return BLANK if is_blank(context, at) else gap_before(context, at)


cdef inline int ahead(const CueContext* context, Py_ssize_t at) noexcept nogil:
    """Return what stands before a word that is not the first, seen from the left."""
    return BLANK if is_blank(context, at) else gap_ahead(context, at)


cdef inline bint is_ascii(const CueContext* context, Py_ssize_t at) noexcept nogil:
    return not context.wide or is_plain(context, at)


cdef inline bint may_stand_within(
    const CueContext* context, Py_ssize_t at, uint32_t kinds
) noexcept nogil:
    """Return whether a word may stand between a copula and the rest of its pattern."""
    cdef const Term* term
    if kinds & WITHIN:
        return True
    term = term_at(context, at)
    if term.length < ADVERB_CHARACTERS_MIN or kinds & HEDGE:
        return False
    return is_adverb(context, term)


cdef extern from "prose.h" nogil:
    enum:
        MARK_ANYTHING
        MARK_BLANK
        MARK_PARTS

    const uint8_t marks_before[256]
    const uint8_t marks_ahead[256]


cdef enum:
    # A longer gap is no blank: it may end a sentence.
    BLANKS_MAX = 64


cdef void open_context(CueContext* context, const KindTable* kinds, Scan scan) noexcept:
    context.kinds = kinds
    context.tokens = scan.tokens
    context.terms = scan.terms
    context.keys = scan.keys
    context.text = scan.lowered
    context.count = scan.length
    context.wide = scan.wide
    context.steps = 0


# ---- words ----

cdef bint is_adverb(const CueContext* context, const Term* term) noexcept nogil:
    """Return whether a word ends in "ly" and is long enough for an adverb."""
    cdef const char* word = context.text + term.offset
    if word[term.length - 2] != c"l" or word[term.length - 1] != c"y":
        return False
    return characters(word, term.length) >= ADVERB_CHARACTERS_MIN


cdef bint is_plain(const CueContext* context, Py_ssize_t at) noexcept nogil:
    """Return whether no character of a word is beyond ASCII."""
    cdef uint32_t i
    cdef uint8_t wide = 0
    for i in range(context.tokens[at].start, context.tokens[at].end):
        wide |= <uint8_t>context.text[i]
    return wide < 0x80


cdef bint stands_apart(const CueContext* context, Py_ssize_t at) noexcept nogil:
    """Return whether a blank is before a word, so that it is no part of an address."""
    cdef uint32_t start = context.tokens[at].start
    return start == 0 or marks_before[<uint8_t>context.text[start - 1]] == MARK_BLANK


cdef bint is_short(const CueContext* context, Py_ssize_t at) noexcept nogil:
    return kinds_at(context, at) & SHORT or term_at(context, at).length == 1


# ---- what stands between them ----

cdef int gap_before(const CueContext* context, Py_ssize_t at) noexcept nogil:
    """Return what `between` returns, where it is more than one blank."""
    cdef uint32_t start = context.tokens[at - 1].end, end = context.tokens[at].start, i
    cdef int mark, seen = BLANK
    if start >= end or end - start > BLANKS_MAX:
        return ANYTHING
    for i in range(start, end):
        mark = marks_before[<uint8_t>context.text[i]]
        if mark == MARK_ANYTHING:
            return ANYTHING
        if mark == MARK_PARTS:
            seen = PARTED
        elif seen == BLANK and context.text[i] in (c"\n", c"\r"):
            seen = LINE
    return seen


cdef int gap_ahead(const CueContext* context, Py_ssize_t at) noexcept nogil:
    """Return what `ahead` returns, where it is more than one blank."""
    cdef uint32_t start = context.tokens[at - 1].end, end = context.tokens[at].start, i
    cdef int mark
    if start >= end or end - start > BLANKS_MAX:
        return ANYTHING
    for i in range(start, end):
        mark = marks_ahead[<uint8_t>context.text[i]]
        if mark != MARK_BLANK:
            return PARTED if mark == MARK_PARTS else ANYTHING
    return BLANK


cdef bint is_loose(const CueContext* context, Py_ssize_t at) noexcept nogil:
    """Return whether more than blanks is before a word, or it may begin an address."""
    return between(context, at) != BLANK or context.text[context.tokens[at].end] == c":"


cdef bint is_hint(const CueContext* context, uint32_t end) noexcept nogil:
    """Return whether the line before a byte may be our own hint (B7)."""
    cdef uint32_t i = end
    while i > 0 and context.text[i - 1] != c"\n":
        i -= 1
        if end - i > SENTENCE_CHARACTERS_MAX:
            return True
        if context.text[i] == c"i" and memcmp(context.text + i, b"iknowthat", 9) == 0:
            return True
    return False


cdef bint is_hint_before(const CueContext* context, Py_ssize_t at) noexcept nogil:
    """Return whether a line that may be our own hint ends right before a word."""
    cdef uint32_t i = context.tokens[at - 1].end
    while i < context.tokens[at].start:
        if context.text[i] == c"\n":
            return is_hint(context, context.tokens[at - 1].end)
        i += 1
    return False


# ---- CueFilter ----
#
# Most cue words lead to no statement, and the word behind them shows it. Of the
# others, what a pattern needs is looked for on the right, and a subject on the left.


cdef enum:
    # Limits of the scanner of cues.
    ADVERBS_MAX = 6
    NAME_WORDS_MAX = 5
    CUES_HERE_MAX = 256  # for which no memory is asked for


cdef struct Places:
    uint32_t* at  # positions of words
    uint32_t* starts  # characters before each
    size_t count


# ---- right of a cue word ----

cdef inline bint leads_nowhere(const CueContext* context, Py_ssize_t at) noexcept nogil:
    """Return whether a cue word and the one behind it are surely of no pattern.

    So it is with two cue words of three, and then both questions below are answered.
    It is one answer without a branch, since nobody could foresee its parts.
    """
    cdef const Token* token = &context.tokens[at]
    cdef uint32_t end = token[1].end
    cdef bint plain
    # What a compound ends in need not be what stands in the text.
    plain = (token[0].term | token[1].term) & (TOKEN_PATTERN | TOKEN_COMPOUND) == 0
    plain &= is_blank(context, at + 1)
    plain &= (context.text[end - 2] != c"l") | (context.text[end - 1] != c"y")
    if context.wide:
        plain = plain and is_plain(context, at + 1)
    return plain


cdef bint may_match(
    CueContext* context, Py_ssize_t at, uint32_t kinds, uint32_t behind
) noexcept nogil:
    """Return whether the words behind a cue word are a pattern's, whatever is between.

    Two thirds of all cue words are an "is" or an "are" of no pattern.
    """
    cdef Py_ssize_t i = at + 1, last = context.count - 1
    if at == last:
        return False
    if not kinds & COPULA:
        if kinds & KEYWORD:
            return True
        return behind & needed(kinds) != 0
    while i < last and i - at < ADVERBS_MAX and may_stand_within(context, i, behind):
        i += 1
        behind = kinds_at(context, i)
    context.steps += i - at
    if behind & THE:
        return i < last and kinds_at(context, i + 1) & GENUS
    return behind & (ARTICLE | HEAD) != 0


cdef bint may_be_followed(
    CueContext* context, Py_ssize_t at, uint32_t kinds, uint32_t behind
) noexcept nogil:
    """Return whether a pattern may follow a cue word with only blanks between."""
    cdef int gap
    if kinds & KEYWORD:
        return True
    if kinds & COPULA:
        return may_follow_copula(context, at, behind)
    if not kinds & (VERB | BARE | HEAD) or at + 1 == context.count:
        return False
    gap = ahead(context, at + 1)
    if gap == ANYTHING or (kinds & VERB and gap == PARTED):
        return True
    if gap == PARTED or not is_ascii(context, at + 1):
        return gap != PARTED
    return behind & needed(kinds) != 0


cdef bint may_follow_copula(
    CueContext* context, Py_ssize_t at, uint32_t kinds
) noexcept nogil:
    cdef Py_ssize_t i = at + 1
    cdef uint32_t before = 0
    cdef int gap
    while i < context.count:
        gap = ahead(context, i)
        # "Not only" is asked for without a look at what is between.
        if before & DENIAL and is_loose(context, i):
            return True
        if gap == PARTED:
            return False
        if gap == ANYTHING or i - at > ADVERBS_MAX or not is_ascii(context, i):
            return True
        if not may_stand_within(context, i, kinds):
            break
        i += 1
        before, kinds = kinds, kinds_at(context, i) if i < context.count else 0
    context.steps += i - at
    if i == context.count:
        return False
    if kinds & ARTICLE:
        return True
    if not kinds & (THE | HEAD) or i + 1 == context.count:
        return False
    if not is_ascii(context, i + 1):
        return True
    if kinds & HEAD:
        gap = ahead(context, i + 1)
        kinds = kinds_at(context, i + 1) & needed(kinds)
        return gap == ANYTHING or (gap == BLANK and kinds)
    # What "the" defines is asked for without a look at what is between.
    return is_loose(context, i + 1) or kinds_at(context, i + 1) & GENUS != 0


# ---- left of a cue word ----

cdef bint may_be_preceded(Scan scan, CueContext* context, Py_ssize_t at) except -1:
    """Return whether a subject may end before a cue."""
    cdef uint32_t kinds
    cdef int gap
    # Adverbs: "now also is", "no longer runs on".
    while at > 0:
        gap = between(context, at)
        if gap not in (BLANK, LINE):
            break
        if is_hint_before(context, at) or not is_ascii(context, at - 1):
            return True
        kinds = kinds_at(context, at - 1)
        if kinds & (LONGER | DENIAL):
            return True
        if kinds_at(context, at) & BARE:
            # Nothing but a denial makes a statement of it: "doesn't run on".
            return not stands_apart(context, at - 1)
        if not kinds & BACK:
            break
        at -= 1
        context.steps += 1
    if at == 0:
        return False
    kinds = kinds_at(context, at - 1)
    # "… and is" may carry on the subject of another statement.
    if gap == ANYTHING or kinds & AND or not stands_apart(context, at - 1):
        return True
    if gap == PARTED:
        return is_short(context, at - 1) or is_hint_before(context, at)
    return may_end_subject(scan, context, at - 1)


cdef bint may_end_subject(Scan scan, CueContext* context, Py_ssize_t last) except -1:
    """Return whether a word may be the last of a subject."""
    cdef uint32_t flags = term_at(context, last).flags, kinds
    cdef Py_ssize_t first = last
    cdef int gap
    if flags & CLOSED or not flags & CONCEPT:
        return may_be_alias(scan, context, last)
    while True:
        if first == 0:
            return True
        gap = between(context, first)
        if gap != BLANK or not is_ascii(context, first - 1):
            return True
        kinds = kinds_at(context, first - 1)
        if kinds & OPENING or not stands_apart(context, first - 1):
            return True
        flags = term_at(context, first - 1).flags
        if flags & CLOSED or last - first + 1 == NAME_WORDS_MAX:
            break
        first -= 1
        context.steps += 1
        if not flags & CONCEPT:
            return False
    if context.tokens[last].term & TOKEN_COMPOUND and is_hint(
        context, context.tokens[last].start
    ):
        return True
    return may_begin_behind(scan, context, first, last)


cdef bint may_be_alias(Scan scan, CueContext* context, Py_ssize_t at) except -1:
    """Return whether a word may be an abbreviation: "Information Technology or IT"."""
    cdef int gap
    if at == 0 or not is_capital(scan, at):
        return False
    gap = between(context, at)
    if gap == PARTED:
        return False
    if gap == ANYTHING or not is_ascii(context, at - 1):
        return True
    return kinds_at(context, at - 1) & OR


cdef bint may_begin_behind(
    Scan scan, CueContext* context, Py_ssize_t first, Py_ssize_t last
) except -1:
    """Return whether the words of a subject may begin behind the word before them."""
    cdef uint32_t kinds = kinds_at(context, first - 1)
    cdef bint alone = first == last
    if kinds & (OF | OR | THE) and not (alone and is_capital(scan, last)):
        return False
    if kinds & (OF | OR):
        return True
    if kinds & (ARTICLE | THE):
        first -= 1
        if first == 0 or between(context, first) != BLANK:
            return True
        if not is_ascii(context, first - 1) or not stands_apart(context, first - 1):
            return True
        kinds = kinds_at(context, first - 1)
    return kinds & JOIN and not kinds & POINTER


cdef bint is_capital(Scan scan, Py_ssize_t at) except -1:
    return scan.flags(at) & CAPITAL


# ---- in Python ----


@cython.final
cdef class CueFilter:
    """Finds the cue words of a text that lead to a statement.

    Args:
        kinds: The kinds of each word, by `kinds`; in lower case, of at most 16 bytes.
    """

    cdef KindTable table
    cdef readonly uint64_t steps  # of the last search; linear in the text's length

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
        """Return those of some cue words that lead to a statement, or may."""
        cdef CueContext context
        cdef Places leads, possible
        cdef uint32_t here[5 * CUES_HERE_MAX]
        cdef uint32_t* likely
        cdef size_t i
        leads.at = here
        if count > CUES_HERE_MAX:
            leads.at = <uint32_t*>PyMem_Malloc(5 * count * sizeof(uint32_t))
            if leads.at == NULL:
                raise MemoryError
        leads.starts = leads.at + count
        possible.at, possible.starts = leads.at + 2 * count, leads.at + 3 * count
        likely = leads.at + 4 * count
        leads.count = possible.count = 0
        open_context(&context, &self.table, scan)
        try:
            for i in range(keep_likely(likely, &context, cues, count)):
                judge(scan, &context, likely[i], &leads, &possible)
            self.steps = count + context.steps
            # Who is near to one of the others is so to one that stays.
            keep_near(&leads, &possible)
            keep_near(&possible, &leads)
            return list_of(&leads), list_of(&possible)
        finally:
            if leads.at != here:
                PyMem_Free(leads.at)


cdef size_t keep_likely(
    uint32_t* likely, const CueContext* context, const uint32_t* cues, size_t count
) noexcept nogil:
    """Write down the cue words that may lead somewhere, and return their number."""
    cdef size_t followed = count, kept = 0, i
    # There is no word behind the last one.
    if count and cues[count - 1] + 1 == <uint32_t>context.count:
        followed -= 1
    for i in range(followed):
        likely[kept] = cues[i]
        kept += 1 - leads_nowhere(context, cues[i])
    if followed < count:
        likely[kept] = cues[followed]
        kept += 1
    return kept


cdef int judge(
    Scan scan, CueContext* context, Py_ssize_t at, Places* leads, Places* possible
) except -1:
    cdef uint32_t kinds = kinds_at(context, at), behind = 0
    # "Are" is a cue word, but begins no pattern.
    if kinds == 0:
        return 0
    if at + 1 < context.count:
        behind = kinds_at(context, at + 1)
    if may_match(context, at, kinds, behind):
        put_place(leads, scan, at)
    if may_be_followed(context, at, kinds, behind):
        if may_be_preceded(scan, context, at):
            put_place(possible, scan, at)
    return 0


cdef int put_place(Places* places, Scan scan, Py_ssize_t at) except -1:
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
