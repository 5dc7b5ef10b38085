"""The sentences of a text that contain cue words."""

# ---- gaps ----
#
# What stands between two words, and around a sentence; the rules are explained in
# `tests/oracle/sentences.py` and `tests/oracle/around.py`.


cdef enum:
    # What a gap holds, as `values` has it.
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

    # What around a sentence may take it back, as `values` has it.
    STRUCK = 1
    REMARKED = 2
    LED = 4

    SENTENCE_CHARACTERS_MAX = 400


cdef struct Prose:
    # A text with everything that is not prose masked out.
    const void* data
    int size  # bytes of a character
    Py_ssize_t length


cdef inline uint32_t prose_char(const Prose* text, Py_ssize_t at) noexcept nogil:
    return string_at(text.data, text.size, at)


cdef enum:
    WRAP_COLUMN_MIN = 60
    TAIL_CHARACTERS = 12
    QUOTE_CHARACTERS = 12  # of a line's beginning
    LED_CHARACTERS_MAX = 600
    STRIDE = 128  # characters that are asked at once for a line break

assert values.LED_CHARACTERS_MAX == LED_CHARACTERS_MAX
assert values.SENTENCE_CHARACTERS_MAX == SENTENCE_CHARACTERS_MAX
for _name, _bits in [
    ("COMMA", COMMA), ("COLON", COLON), ("DASH", DASH), ("OPEN", OPEN),
    ("CLOSE", CLOSE), ("END", END), ("ODD", ODD), ("QUOTED", QUOTED),
    ("POSSESSIVE", POSSESSIVE), ("WRAP", WRAP), ("PLAIN", PLAIN), ("STOP", STOP),
    ("BREAK", BREAK), ("STRUCK", STRUCK), ("REMARKED", REMARKED), ("LED", LED),
]:
    assert getattr(values, _name) == _bits, _name

cdef inline bint is_break(uint32_t c) noexcept nogil:
    return c == c"\n" or c == c"\r"


cdef int marks_of(const Prose* text, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    """Read the characters of a gap, with STOP and BREAK among the marks."""
    cdef int marks = STOP if prose_char(text, start) == c"." else 0
    cdef Py_ssize_t i = start, begin
    cdef uint32_t character
    while end - i > 1 and prose_char(text, i) in (c"'", 0x2019):
        if prose_char(text, i + 1) not in (c"s", c"S"):
            break
        marks |= POSSESSIVE
        i += 2
    begin = i
    while i < end:
        character = prose_char(text, i)
        if character == c"-":
            marks |= DASH if is_dash(text, begin, i, end) else ODD
        elif character == c".":
            # " .gitignore" and "..": a full stop that ends nothing is no end.
            if i > begin and prose_char(text, i - 1) == c" " and i + 1 == end:
                marks |= ODD
            else:
                marks |= END
        elif is_break(character):
            marks |= BREAK
        else:
            marks |= gap_mark(character)
        i += 1
    return marks


cdef int gap_mark(uint32_t c) noexcept nogil:
    """Say what a character does; a dash, a full stop and a line break ask for more."""
    if c in (c" ", c"\t", 0x0B, 0x0C, 0xA0, 0x2009, 0x202F, 0x3000):
        return 0
    if c in (c"*", c"[", c"]", c"_", c"'", 0x2019, c"`", 1):
        return 0
    if c in (c",", 0xFF0C, 0x3001):
        return COMMA
    if c in (c"!", c"?", c";", c"|", 0x2026, 0x3002, 0xFF01, 0xFF1F, 0xFF1B):
        return END
    if c in (c":", 0xFF1A):
        return COLON
    if c in (c"(", 0xFF08):
        return OPEN
    if c in (c")", 0xFF09):
        return CLOSE
    if c in (c'"', 0x201C, 0x201D, 0x201E, 0xAB, 0xBB, 0x2039, 0x203A, 0x2018):
        return QUOTED
    return DASH if c in (0x2014, 0x2013) else ODD


cdef bint is_dash(
    const Prose* text, Py_ssize_t begin, Py_ssize_t at, Py_ssize_t end
) noexcept nogil:
    cdef uint32_t before = prose_char(text, at - 1) if at > begin else 0
    cdef uint32_t behind = prose_char(text, at + 1) if at + 1 < end else 0
    return before == c"-" or behind == c"-" or (before == c" " and behind == c" ")


cdef bint ends_line(
    const Prose* text, Py_ssize_t start, Py_ssize_t end, int marks, bint is_open
) noexcept nogil:
    """Return whether a line break within a gap ends the sentence.

    Args:
        is_open: Whether the words around the gap are of one sentence.
    """
    cdef Py_ssize_t at = start, line = start, low, high
    while not is_break(prose_char(text, at)):
        at += 1
    if prose_char(text, at) == c"\r" and prose_char(text, at + 1) == c"\n":
        at += 1
    at += 1
    if begins_block(text, at, end) or marks & COLON:
        return True
    low = max(0, start - SENTENCE_CHARACTERS_MAX)
    while line > low and not is_break(prose_char(text, line - 1)):
        line -= 1
    while line < start and prose_char(text, line) in (c" ", c"\t"):
        line += 1
    if line < start and prose_char(text, line) == c"#":
        return True
    if marks & (COMMA | DASH | OPEN | POSSESSIVE) or is_open:
        return False
    high = min(end + WRAP_COLUMN_MIN, text.length)
    at = end
    while at < high and not Py_UNICODE_ISSPACE(prose_char(text, at)):
        at += 1
    return start - line + 1 + at - end <= WRAP_COLUMN_MIN


cdef bint begins_block(
    const Prose* text, Py_ssize_t line, Py_ssize_t end
) noexcept nogil:
    """Return whether the rest of a gap begins a paragraph, an item or a table's row."""
    cdef Py_ssize_t at
    for at in range(line, end):
        if is_break(prose_char(text, at)):
            return True
    at = line
    while at < end and prose_char(text, at) in (c" ", c"\t"):
        at += 1
    if at >= end:
        return False
    if prose_char(text, at) in (c"#", c">", c"|", c"=", c"`"):
        return True
    if prose_char(text, at) not in (
        c"-", c"*", c"+", 0x2022, 0xB7, 0x2013, 0x25E6, 0x2023
    ):
        return False
    return at + 1 < end and prose_char(text, at + 1) == c" "


cdef bint is_quoted_line(const Prose* text, Py_ssize_t start) noexcept nogil:
    """Return whether a `>` is before a place, on its line."""
    cdef Py_ssize_t at = start
    while at > 0 and start - at < QUOTE_CHARACTERS:
        at -= 1
        if is_break(prose_char(text, at)):
            return False
        if prose_char(text, at) == c">":
            return True
    return False


cdef bint is_asked(const Prose* text, Py_ssize_t end) noexcept nogil:
    """Return whether a question mark is among what closes a sentence."""
    cdef Py_ssize_t at
    cdef uint32_t character
    for at in range(end, min(end + TAIL_CHARACTERS, text.length)):
        character = prose_char(text, at)
        if character == c"\n" or is_alnum(character):
            return False
        if character in (c"?", 0xFF1F):
            return True
    return False


# ---- around a sentence ----

cdef int around_sentence(
    const Prose* text, Py_ssize_t start, Py_ssize_t end
) noexcept nogil:
    """Say what stands around a sentence that may take it back.

    Args:
        start: Where its first word begins.
        end: Where its last word ends.
    """
    cdef int found = 0
    if start and is_struck(text, start):
        found |= STRUCK
    if may_be_remarked(text, end):
        found |= REMARKED
    if may_be_led(text, start):
        found |= LED
    return found


cdef inline bint is_struck(const Prose* text, Py_ssize_t start) noexcept nogil:
    cdef uint32_t before = prose_char(text, start - 1)
    if before in (c"+", c"-"):
        return start == 1 or prose_char(text, start - 2) == c"\n"
    if before == c" " and start > 1:
        before = prose_char(text, start - 2)
    return before in (0x274C, 0x2717, 0x2718, 0x1F6AB)


cdef inline bint may_be_remarked(const Prose* text, Py_ssize_t end) noexcept nogil:
    cdef uint32_t first, second
    if end < text.length and prose_char(text, end) in (c".", c"!"):
        end += 1
    if end + 2 >= text.length or prose_char(text, end) != c" ":
        return False
    # The first letter may be a capital, the second is none.
    first, second = prose_char(text, end + 1) | 0x20, prose_char(text, end + 2)
    if second == c"r":
        return first in (c"t", c"w")
    if second == c"i":
        return first in (c"r", c"k")
    if second == c"o":
        return first in (c"c", c"n")
    if second == c"a":
        return first in (c"c", c"f")
    return (
        (first == c"y" and second == c"e")
        or (first == c"i" and second == c"s")
        or (first == c"j" and second in (c"u", c"k"))
    )


cdef inline bint may_be_led(const Prose* text, Py_ssize_t start) noexcept nogil:
    cdef Py_ssize_t low = max(0, start - LED_CHARACTERS_MAX)
    cdef Py_ssize_t last = break_before(text, low, start), line
    while last >= low and prose_char(text, last) in (
        c" ", c"\t", c"\r", c"\n", c"*", c"_"
    ):
        last -= 1
    if last < low:
        return False
    if prose_char(text, last) in (c":", c"?"):
        return True
    line = break_before(text, low, last) + 1
    if line == 0:
        return False
    while line < last and prose_char(text, line) in (c" ", c"\t"):
        line += 1
    return prose_char(text, line) in (
        c"-", c"*", c"+", 0x2022, c"0", c"1", c"2", c"3", c"4", c"5", c"6", c"7", c"8",
        c"9",
    )


cdef Py_ssize_t break_before(
    const Prose* text, Py_ssize_t low, Py_ssize_t at
) noexcept nogil:
    """Return the last line break between two places; -1 if there is none."""
    cdef const uint8_t* bytes = <const uint8_t*>text.data
    cdef uint8_t seen
    cdef int i
    while text.size == 1 and at - low >= STRIDE:
        seen = 0
        for i in range(STRIDE):
            seen |= bytes[at - STRIDE + i] == c"\n"
        if seen:
            break
        at -= STRIDE
    while at > low:
        at -= 1
        if prose_char(text, at) == c"\n":
            return at
    return -1


# ---- Lists ----
#
# Which words are on which lists: a hash table by a word's key.


cdef enum:
    SLOT_BITS = 12
    NUMBER_BITS = 16  # of a slot; the others are of the hash
    LIST_WORDS_MAX = 1 << (SLOT_BITS - 1)


cdef struct Listed:
    uint64_t key[2]  # as key_of makes it
    uint64_t lists


cdef inline size_t list_home(uint64_t hash) noexcept nogil:
    return hash >> (64 - SLOT_BITS)


cdef inline uint32_t number_of(uint32_t slot) noexcept nogil:
    return slot & ((1 << NUMBER_BITS) - 1)

cdef uint64_t ONES = 0x0101010101010101
cdef uint64_t HIGHS = 0x8080808080808080
cdef uint64_t ENDS_IN_LY = values.ENDS_IN_LY
cdef uint64_t ENDS_IN_ED = values.ENDS_IN_ED
cdef uint64_t ENDS_IN_ING = values.ENDS_IN_ING
cdef uint64_t HYPHENATED = values.HYPHENATED

cdef inline size_t next_list(size_t slot) noexcept nogil:
    return (slot + 1) & ((1 << SLOT_BITS) - 1)


cdef inline uint64_t spelled(
    const Key* key, const char* word, size_t length
) noexcept nogil:
    """Return the flags of a word's spelling."""
    cdef uint64_t lists = 0
    if length >= 2 and word[length - 2] == c"l" and word[length - 1] == c"y":
        lists = ENDS_IN_LY
    elif length >= 2 and word[length - 2] == c"e" and word[length - 1] == c"d":
        lists = ENDS_IN_ED
    elif length >= 3 and word[length - 1] == c"g" and word[length - 2] == c"n":
        lists = ENDS_IN_ING if word[length - 3] == c"i" else 0
    return lists | HYPHENATED if has_hyphen(key, word, length) else lists


cdef inline bint has_hyphen(
    const Key* key, const char* word, size_t length
) noexcept nogil:
    """Return whether there is one; the key is the first bytes of the word."""
    cdef uint64_t first = key.words[0] ^ (ONES * c"-")
    cdef uint64_t second = key.words[1] ^ (ONES * c"-")
    cdef size_t i
    # Of the bytes that were hyphens, and are 0 now, the highest bit is left.
    if ((first - ONES) & ~first | (second - ONES) & ~second) & HIGHS:
        return True
    for i in range(KEY_BYTES, length):
        if word[i] == c"-":
            return True
    return False


@cython.final
cdef class Lists:
    """Lists that hold words.

    Args:
        words: The lists of each word, one bit each; in lower case, of at most 16 bytes.
    """

    # Of a word's hash the highest bits lead to a slot, which has the lowest beside the
    # word's number, from 1; so a word that is on no list costs a glance at one slot.
    cdef uint32_t[1 << SLOT_BITS] slots
    cdef Listed[LIST_WORDS_MAX] words
    cdef size_t count

    cdef inline void fetch(self, uint64_t hash) noexcept nogil:
        """Fetch the slot of a word that will be asked about."""
        memory_prefetch(&self.slots[list_home(hash)])

    cdef inline void fetch_listed(self, uint64_t hash) noexcept nogil:
        """Fetch what the slot leads to, which was fetched before."""
        memory_prefetch(&self.words[number_of(self.slots[list_home(hash)])])

    def __cinit__(self, dict words not None):
        cdef uint64_t key[2]
        cdef uint64_t hash
        cdef bytes data
        cdef size_t slot
        if len(words) >= LIST_WORDS_MAX:
            most = LIST_WORDS_MAX - 1
            raise ValueError(f"{len(words)} words; at most {most} can be told")
        memset(self.slots, 0, sizeof(self.slots))
        for word, lists in words.items():
            data = word.encode()
            if not 0 < len(data) <= WORD_BYTES_MAX:
                raise ValueError(f"{word!r} is not of 1 to {WORD_BYTES_MAX} bytes")
            key_of(data, len(data), key)
            hash = hash_key(data, len(data), key, hash_secret())
            slot = list_home(hash)
            while self.slots[slot]:
                slot = next_list(slot)
            self.count += 1
            self.words[self.count].key[0] = key[0]
            self.words[self.count].key[1] = key[1]
            self.words[self.count].lists = lists
            self.slots[slot] = <uint32_t>(hash << NUMBER_BITS) | <uint32_t>self.count

    def of(self, str word not None):
        """Return the lists that a word is on, and what its spelling tells of it."""
        cdef Py_ssize_t length = 0
        cdef const char* data
        cdef Key key
        cdef Term term
        try:
            data = PyUnicode_AsUTF8AndSize(word, &length)
        except UnicodeEncodeError:
            return 0
        term.length = length
        key_of(data, length, key.words)
        if not 0 < length <= WORD_BYTES_MAX:
            return spelled(&key, data, length)
        term.hash = hash_key(data, length, key.words, hash_secret())
        return self.of_term(&key, &term, data)

    cdef uint64_t of_term(
        self, const Key* key, const Term* term, const char* word
    ) noexcept nogil:
        """Return the lists of a term of a scan."""
        cdef size_t slot = list_home(term.hash)
        cdef uint32_t seen = self.slots[slot]
        cdef uint32_t tag = <uint32_t>(term.hash << NUMBER_BITS)
        cdef const Listed* listed
        while seen:
            if (seen ^ tag) >> NUMBER_BITS == 0:
                listed = &self.words[number_of(seen)]
                if listed.key[0] == key.words[0] and listed.key[1] == key.words[1]:
                    return listed.lists | spelled(key, word, term.length)
            slot = next_list(slot)
            seen = self.slots[slot]
        return spelled(key, word, term.length)


# ---- SentenceReader ----
#
# Unlike in the oracle a gap is read once: the walk to the sentence's end makes the
# sentence.


cdef struct WordPlace:
    uint64_t lists
    PyObject* string  # the word's, when somebody has asked for it
    uint32_t start  # characters of the text, half open
    uint32_t end
    uint32_t token
    uint16_t gap
    uint16_t flags


cdef enum:
    # No word is shorter than a character.
    SENTENCE_WORDS_MAX = SENTENCE_CHARACTERS_MAX + 2

# What one text's sentences leave to those of the next.
cdef WordPlace* spare = NULL
cdef uint64_t LIST_SHORT = values.SHORT
cdef uint64_t OPEN_END = values.OPEN_END
cdef uint64_t OPEN_START = values.OPEN_START


@cython.final
cdef class Sentence:
    """One sentence: its words, and what stands between them."""

    cdef readonly Py_ssize_t count
    cdef readonly bint asked
    cdef readonly bint quoted
    cdef readonly str text
    cdef Scan scan
    cdef Prose prose
    # One behind the last word belongs to none.
    cdef WordPlace* places

    def __cinit__(self):
        global spare
        self.places, spare = spare, NULL
        if self.places == NULL:
            self.places = <WordPlace*>malloc(SENTENCE_WORDS_MAX * sizeof(WordPlace))
        if self.places == NULL:
            raise MemoryError

    def __dealloc__(self):
        global spare
        self.forget()
        if spare == NULL:
            spare = self.places
        else:
            free(self.places)

    cdef void forget(self) noexcept:
        """Give back the strings that were asked for."""
        cdef Py_ssize_t at
        for at in range(self.count):
            Py_CLEAR(self.places[at].string)
        self.count = 0

    cdef const WordPlace* place(self, Py_ssize_t at) except NULL:
        """Return a word's place, or the one behind the last word."""
        if not 0 <= at <= self.count:
            raise IndexError("no word of the sentence")
        return &self.places[at]

    def lists(self, Py_ssize_t at):
        """Return which lists hold a word, one bit each."""
        return self.place(at).lists

    def flags(self, Py_ssize_t at):
        """Return the flags of a word's token."""
        return self.place(at).flags

    def gap(self, Py_ssize_t at):
        """Return what stands between a word and the one before it."""
        return self.place(at).gap

    def start(self, Py_ssize_t at):
        """Return the place of a word's first character in the text."""
        return self.place(at).start

    def end(self, Py_ssize_t at):
        """Return the place behind a word's last character in the text."""
        return self.place(at).end

    def among(self, Py_ssize_t first, Py_ssize_t end):
        """Return the lists that hold any word of a range."""
        cdef uint64_t found = 0
        cdef Py_ssize_t at
        for at in range(first, end):
            found |= self.place(at).lists
        return found

    def follows(self, Py_ssize_t at, uint64_t lists):
        """Return whether a word of the lists stands here after a plain gap."""
        cdef const WordPlace* place
        if at >= self.count:
            return False
        place = self.place(at)
        return place.lists & lists != 0 and place.gap & ~PLAIN == 0

    def is_wrapped_at(self, Py_ssize_t at):
        """Return whether only a line wrap stands before a word."""
        return self.place(at).gap == WRAP

    cpdef str word(self, Py_ssize_t at):
        """Return the token at a place."""
        cdef WordPlace* place = &self.places[at]
        if not 0 <= at < self.count:
            raise IndexError("no word of the sentence")
        if place.string == NULL:
            # The scan's own strings are of all its terms, of which few are asked for.
            word = string_of(self.scan, place.token)
            Py_INCREF(word)
            place.string = <PyObject*>word
        return <str>place.string

    cpdef bint reads(self, Py_ssize_t at, str word) except -1:
        """Return whether a word stands at a place."""
        cdef const Term* term
        if not 0 <= at < self.count:
            return False
        if word is None or not PyUnicode_IS_COMPACT_ASCII(word):
            return self.word(at) == word
        # As it stands in the scan: no string need be made to tell.
        term = term_at_token(self.scan, self.places[at].token)
        return term.length == <size_t>len(word) and not memcmp(
            self.scan.lowered + term.offset, PyUnicode_DATA(word), term.length
        )

    cpdef int surroundings(self) except -1:
        """Return what stands around the sentence that may take it back; mostly 0."""
        if self.count == 0:
            raise IndexError("no word of the sentence")
        return around_sentence(
            &self.prose, self.places[0].start, self.places[self.count - 1].end
        )


cdef inline Py_ssize_t start_of(Scan scan, Py_ssize_t at) except -1:
    """Return the place of a token's first character."""
    cdef uint32_t start = scan.tokens[at].start
    return scan.character_at(start) if scan.wide else start


cdef inline Py_ssize_t end_of(Scan scan, Py_ssize_t at) except -1:
    cdef uint32_t end = scan.tokens[at].end
    return scan.character_at(end) if scan.wide else end


cdef inline int gap_of(
    SentenceReader reader,
    Py_ssize_t before,
    Py_ssize_t end,
    Py_ssize_t behind,
    Py_ssize_t start,
) except -1:
    """Read the gap between two tokens: nine in ten are a blank."""
    if start - end == 1 and prose_char(&reader.prose, end) == c" ":
        return 0
    return reader.gap(before, end, behind, start)


cdef inline const Term* term_at_token(Scan scan, Py_ssize_t token) noexcept:
    return &scan.terms[scan.tokens[token].term & TOKEN_TERM]


cdef str string_of(Scan scan, Py_ssize_t token):
    cdef const Term* term = term_at_token(scan, token)
    if not scan.wide:
        word = PyUnicode_New(term.length, 127)
        memcpy(PyUnicode_DATA(word), scan.lowered + term.offset, term.length)
        return word
    return PyUnicode_DecodeUTF8(scan.lowered + term.offset, term.length, NULL)


cdef class SentenceReader:
    """Finds the sentence around one cue after the other, moving forward only.

    There is one sentence at a time: the next is written over it.
    """

    cdef readonly Scan scan
    cdef readonly Lists lists
    cdef readonly str text
    cdef readonly Py_ssize_t done
    cdef readonly uint64_t steps
    cdef Prose prose
    cdef Sentence found
    # Up to which token it is known that no sentence begins.
    cdef Py_ssize_t searched
    cdef Py_ssize_t begin
    cdef bint cut

    def __init__(self, Scan scan not None, str text not None, Lists lists not None):
        if len(text) != len(scan.text):
            raise ValueError("the prose is not as long as the text")
        self.scan = scan
        self.text = text
        self.lists = lists
        self.prose.data = PyUnicode_DATA(text)
        self.prose.size = PyUnicode_KIND(text)
        self.prose.length = len(text)
        self.found = Sentence()
        self.found.scan = scan
        self.found.text = text
        self.found.prose = self.prose

    cpdef Py_ssize_t around(self, Py_ssize_t cue) except -2:
        """Return where the sentence of a cue begins."""
        cdef Scan scan = self.scan
        cdef Py_ssize_t first, at
        if not 0 <= cue < scan.length:
            raise IndexError("position out of range")
        self.done = cue + 1
        if self.is_masked(cue):
            return -1
        first = self.beginning(cue)
        if end_of(scan, cue) - start_of(scan, first) > SENTENCE_CHARACTERS_MAX:
            return -1
        at = self.walk(first)
        self.done = self.searched = max(at, first + 1)
        # What is cut off is no sentence of its own: its cues are too far from `first`.
        self.begin = first if self.cut else self.searched
        return first

    cpdef Sentence sentence(self, Py_ssize_t first):
        """Return the sentence that `around` has just found to begin at a token."""
        cdef Sentence found = self.found
        cdef WordPlace* place = found.places
        cdef Py_ssize_t i
        # Nobody asks about these words but here, so they are far.
        for i in range(found.count):
            self.lists.fetch(term_at_token(self.scan, found.places[i].token).hash)
        for i in range(found.count):
            place = &found.places[i]
            self.lists.fetch_listed(term_at_token(self.scan, place.token).hash)
        for i in range(found.count):
            place = &found.places[i]
            place.lists = self.lists_of(place.token)
            # Of a word that stands in the prose, which is as the text is there.
            place.flags = flags_of(
                self.scan, place.token, prose_char(&self.prose, place.start)
            )
        found.quoted = is_quoted_line(&self.prose, start_of(self.scan, first))
        found.asked = is_asked(&self.prose, place.end)
        return found

    cdef Py_ssize_t beginning(self, Py_ssize_t cue) except -1:
        """Walk left to the sentence's first word, never over the same gap twice."""
        cdef Scan scan = self.scan
        cdef Py_ssize_t at = cue, start = start_of(scan, cue)
        while at > self.searched:
            self.steps += 1
            if gap_of(self, at - 1, end_of(scan, at - 1), at, start) & END:
                self.begin = at
                break
            at -= 1
            start = start_of(scan, at)
        else:
            at = self.begin
        self.searched = cue
        while at < cue and self.is_masked(at):
            at += 1
            self.steps += 1
        return at

    cdef Py_ssize_t walk(self, Py_ssize_t first) except -1:
        """Walk right to the token behind a sentence, and write it down."""
        cdef Scan scan = self.scan
        cdef Sentence found = self.found
        cdef WordPlace* place = found.places
        cdef Py_ssize_t begin = start_of(scan, first), start, end, last = -1, at = first
        cdef int gap = 0
        # "$HOME is", "%s is": what is named begins before its first word.
        if begin and prose_char(&self.prose, begin - 1) in (
            c"$", c"%", c"&", c"/", c"=", c"{", c"\\"
        ):
            gap = ODD
        self.cut = False
        found.forget()
        while at < scan.length:
            self.steps += 1
            start, end = start_of(scan, at), end_of(scan, at)
            if end - begin > SENTENCE_CHARACTERS_MAX:
                self.cut = True
                break
            if prose_char(&self.prose, start) <= 1:
                at += 1
                continue
            if last >= 0:
                gap = gap_of(self, last, (place - 1).end, at, start)
                if gap & END:
                    break
            place.start, place.end = start, end
            place.token = at
            place.string = NULL
            place.gap = gap
            place += 1
            last = at
            at += 1
        found.count = place - found.places
        place.gap = gap | END
        place.lists = place.flags = 0
        return at

    cdef int gap(
        self, Py_ssize_t before, Py_ssize_t end, Py_ssize_t behind, Py_ssize_t start
    ) except -1:
        """Read the gap between two tokens, where it is more than a blank."""
        cdef Prose* text = &self.prose
        cdef int marks
        if start <= end:
            return ODD
        if start - end > SENTENCE_CHARACTERS_MAX:
            return END
        self.steps += start - end
        marks = marks_of(text, end, start)
        if marks & STOP:
            marks &= ~STOP
            if self.is_abbreviated(before):
                marks = marks & ~END | COMMA
        if marks & BREAK:
            marks &= ~BREAK
            ends = ends_line(text, end, start, marks, self.goes_on(before, behind))
            marks |= END if ends else WRAP
        return marks

    cdef bint goes_on(self, Py_ssize_t before, Py_ssize_t behind) except -1:
        """Return whether words between which a line ends are of one sentence."""
        cdef uint32_t first
        if self.lists_of(before) & OPEN_END:
            return True
        first = prose_char(&self.prose, start_of(self.scan, behind))
        return c"a" <= first <= c"z" and self.lists_of(behind) & OPEN_START != 0

    cdef bint is_masked(self, Py_ssize_t at) except -1:
        return prose_char(&self.prose, start_of(self.scan, at)) <= 1

    cdef uint64_t lists_of(self, Py_ssize_t at) noexcept:
        cdef Scan scan = self.scan
        cdef uint32_t number = scan.tokens[at].term & TOKEN_TERM
        cdef const Term* term = &scan.terms[number]
        return self.lists.of_term(
            &scan.keys[number], term, scan.lowered + term.offset
        )

    cdef bint is_abbreviated(self, Py_ssize_t at) except -1:
        """Return whether a full stop behind a word may end no sentence."""
        cdef Scan scan = self.scan
        cdef uint32_t number = scan.tokens[at].term & TOKEN_TERM
        cdef const Term* term = &scan.terms[number]
        cdef char letter
        if self.lists_of(at) & LIST_SHORT:
            return True
        if term.length == 1:
            letter = scan.lowered[term.offset]
            return c"a" <= letter <= c"z" and letter != c"i"
        if term.length > 4 or characters(scan.lowered + term.offset, term.length) != 1:
            return False
        return string_of(scan, at).isalpha()
