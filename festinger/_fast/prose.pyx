"""What of a text is prose, in C.

One pass from mark to mark, as in `_reference/prose.py`, whose rules these are. Marks
are found 64 characters at a time (`prose.h`); what follows one is looked at character
by character.
"""

from cpython.unicode cimport PyUnicode_FromKindAndData
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memchr, memcpy, memset

from festinger._fast.utf8 cimport string_at

from festinger._fast._reference import prose as rules

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    bint Py_UNICODE_ISALNUM(Py_UCS4 character) nogil
    bint Py_UNICODE_ISSPACE(Py_UCS4 character) nogil

cdef extern from "prose.h" nogil:
    enum:
        PROSE_BLOCK

    void prose_narrow(
        const void* data, int size, size_t length, uint8_t* to
    ) noexcept
    uint64_t prose_block(const uint8_t* narrow, size_t at, size_t length) noexcept

cdef extern from *:
    int ctz "__builtin_ctzll"(uint64_t bits) noexcept nogil


cdef enum:
    HIDDEN = 1
    OPAQUE = 0

    REACH = 400  # characters of a sentence
    INDENT_CHARACTERS_MAX = 9
    SINGLE_CHARACTERS_MAX = 64
    SCHEME_CHARACTERS_MAX = 16
    TAG_NAME_CHARACTERS_MAX = 30
    TAG_CHARACTERS_MAX = 300

    # Kinds of closing marks; runs of backticks are a kind for each length behind them.
    DOUBLE = 0
    HIGH = 1
    LOW = 2
    ANGLE = 3
    SINGLE_HIGH = 4
    SINGLE = 5
    STRUCK = 6
    TARGET = 7
    REFERENCE = 8
    IMAGE = 9
    TICKS = 10
    KINDS = TICKS + REACH + 1

assert rules.HIDDEN == chr(HIDDEN) and rules.OPAQUE == chr(OPAQUE)
assert rules.SENTENCE_CHARACTERS_MAX == REACH


cdef struct Text:
    const void* data
    const uint8_t* narrow  # each character as a byte; 255 is any that does not fit
    int size  # bytes of a character
    Py_ssize_t length


cdef struct Blotter:
    Text text
    char* out  # a copy of the text, made at the first blot
    Py_ssize_t done
    Py_ssize_t paragraph  # where the one ends that was looked at last; -1 for none
    Py_ssize_t none_before[KINDS]
    Py_ssize_t found  # where the closing mark that was found begins
    uint64_t steps


# ---- characters ----

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


cdef inline bint is_single(Py_UCS4 c) noexcept nogil:
    return is_word(c) or c in (c".", c"+", c"#", c"'", c"-")


cdef Py_ssize_t find(
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


# ---- emphasis ----

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


def unemphasised(str text not None):
    """Return the text with `*` for each `_` that encloses several words."""
    cdef Text seen
    open_text(&seen, text)
    try:
        # Hardly any text has words in `_`, and then there is a new one to be made.
        return rules.unemphasised(text) if is_emphasised(&seen) else text
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


# ---- blotting ----

def readable(str text not None):
    """Return the text with everything that is not prose blotted out."""
    cdef uint64_t steps = 0
    return blotted(text, &steps)


def steps_of(str text not None):
    """Return how many characters `readable` searches; linear in the text's length."""
    cdef uint64_t steps = 0
    blotted(text, &steps)
    return steps


cdef str blotted(str text, uint64_t* steps):
    cdef Blotter blotter
    open_text(&blotter.text, text)
    blotter.out = NULL
    blotter.steps = 0
    blotter.done = 0
    blotter.paragraph = -1
    memset(blotter.none_before, 0, sizeof(blotter.none_before))
    try:
        blot(&blotter, text, set())
        if blotter.out == NULL:
            return text
        return PyUnicode_FromKindAndData(
            blotter.text.size, blotter.out, blotter.text.length
        )
    finally:
        steps[0] = blotter.steps
        free(blotter.out)
        close_text(&blotter.text)


cdef int blot(Blotter* blotter, str text, set unclosed) except -1:
    """Blot out what begins at one mark after the other."""
    cdef Text* seen = &blotter.text
    cdef Py_ssize_t block = 0, at = 0, place
    cdef uint64_t bits
    while block < seen.length:
        bits = prose_block(seen.narrow, block, seen.length)
        while bits:
            place = block + ctz(bits)
            bits &= bits - 1
            if place < at:
                continue
            at = max(special(blotter, text, place, unclosed), place + 1)
        block += PROSE_BLOCK
        if block < at:
            block = at - at % PROSE_BLOCK
    return 0


cdef Py_ssize_t special(
    Blotter* blotter, str given, Py_ssize_t at, set unclosed
) except -1:
    """Blot out what begins at a place, if anything does; return where to go on."""
    cdef Text* text = &blotter.text
    cdef Py_UCS4 mark = char_at(text, at), following = peek(text, at + 1)
    if mark == c"`":
        return ticks(blotter, at)
    if mark == c"'":
        return quote(blotter, at, at + 1, SINGLE) if is_word(following) else at + 1
    if mark == c'"':
        return quote(blotter, at, at + 1, DOUBLE)
    if mark == c"<":
        if following in (c"/", c"!") or is_letter(following):
            return tag(blotter, given, at, unclosed)
    elif mark == c"]":
        if following == c"(":
            return link(blotter, at, TARGET, HIDDEN)
        if following == c"[":
            return link(blotter, at, REFERENCE, HIDDEN)
    elif mark == c"!":
        if following == c"[":
            return link(blotter, at, IMAGE, OPAQUE)
    elif mark == c":":
        if following == c"/" and peek(text, at + 2) == c"/":
            return address(blotter, at)
    elif mark == c"~":
        if following == c"~":
            return tildes(blotter, at)
    elif mark == c"i":
        if peek(text, at + 2) == c"n" and given.startswith("iknowthat", at):
            return own_line(blotter, given, at)
    elif mark == 0x201C:
        return quote(blotter, at, at + 1, HIGH)
    elif mark == 0x201E:
        return quote(blotter, at, at + 1, LOW)
    elif mark == 0xAB:
        return quote(blotter, at, at + 1, ANGLE)
    elif mark == 0x2018:
        return quote(blotter, at, at + 1, SINGLE_HIGH)
    return at + 1


cdef Py_ssize_t cover(
    Blotter* blotter, Py_ssize_t start, Py_ssize_t end, int character
) except -1:
    cdef Text* text = &blotter.text
    cdef Py_ssize_t i
    start = max(start, blotter.done)
    if start >= end:
        return end
    if blotter.out == NULL:
        blotter.out = <char*>malloc(text.length * text.size)
        if blotter.out == NULL:
            raise MemoryError
        memcpy(blotter.out, text.data, text.length * text.size)
    blotter.done = end
    if text.size == 1:
        memset(blotter.out + start, character, end - start)
    elif text.size == 2:
        for i in range(start, end):
            (<uint16_t*>blotter.out)[i] = character
    else:
        for i in range(start, end):
            (<uint32_t*>blotter.out)[i] = character
    return end


# ---- code ----

cdef bint opens_line(const Text* text, Py_ssize_t start) noexcept nogil:
    cdef Py_ssize_t at = start
    while at > 0 and char_at(text, at - 1) in (c" ", c"\t", c">"):
        at -= 1
        if start - at > INDENT_CHARACTERS_MAX:
            return False
    return at == 0 or (
        char_at(text, at - 1) == c"\n" and start - at < INDENT_CHARACTERS_MAX
    )


cdef Py_ssize_t end_of_run(
    const Text* text, Py_UCS4 mark, Py_ssize_t at, Py_ssize_t end
) noexcept nogil:
    while at < end and char_at(text, at) == mark:
        at += 1
    return at


cdef Py_ssize_t ticks(Blotter* blotter, Py_ssize_t start) except -1:
    cdef Text* text = &blotter.text
    cdef Py_ssize_t end = end_of_run(text, c"`", start, text.length)
    blotter.steps += end - start
    if end - start >= 3 and opens_line(text, start):
        return fence(blotter, start, end, c"`", end - start)
    if end - start > REACH:
        return end
    return enclosed(blotter, start, end, TICKS + <int>(end - start))


cdef Py_ssize_t tildes(Blotter* blotter, Py_ssize_t start) except -1:
    cdef Text* text = &blotter.text
    if peek(text, start + 2) != c"~":
        return quote(blotter, start, start + 2, STRUCK)
    if opens_line(text, start):
        return fence(blotter, start, start + 3, c"~", 3)
    return start + 3


cdef Py_ssize_t fence(
    Blotter* blotter, Py_ssize_t start, Py_ssize_t end, Py_UCS4 mark, Py_ssize_t size
) except -1:
    """A fenced block; one that is never closed reaches to the text's end."""
    cdef Text* text = &blotter.text
    cdef Py_ssize_t at = end, first
    while True:
        at = find(text, c"\n", at, text.length)
        if at == text.length:
            return cover(blotter, start, at, OPAQUE)
        at += 1
        while at < text.length and char_at(text, at) in (c" ", c"\t", c">"):
            at += 1
        first = at
        at = end_of_run(text, mark, at, min(first + size, text.length))
        if at - first == size:
            return cover(blotter, start, at, OPAQUE)


# ---- pairs of marks ----

cdef Py_ssize_t quote(
    Blotter* blotter, Py_ssize_t start, Py_ssize_t end, int kind
) except -1:
    # 5", don't
    if kind in (SINGLE, DOUBLE) and is_alnum(peek(&blotter.text, start - 1)):
        return end
    return enclosed(blotter, start, end, kind)


cdef Py_ssize_t enclosed(
    Blotter* blotter, Py_ssize_t start, Py_ssize_t end, int kind
) except -1:
    """Blot out what is enclosed in two marks, unless it is a single word."""
    cdef Py_ssize_t behind = closing(blotter, kind, end), at
    if behind < 0:
        return end
    if 0 < blotter.found - end <= SINGLE_CHARACTERS_MAX:
        at = end
        while at < blotter.found and is_single(char_at(&blotter.text, at)):
            at += 1
        if at == blotter.found:
            return behind
    return cover(blotter, start, behind, OPAQUE)


cdef Py_ssize_t link(
    Blotter* blotter, Py_ssize_t start, int kind, int character
) except -1:
    cdef Py_ssize_t behind = closing(blotter, kind, start + 2)
    return start + 2 if behind < 0 else cover(blotter, start, behind, character)


cdef Py_ssize_t closing(Blotter* blotter, int kind, Py_ssize_t start) noexcept:
    """Find a closing mark in the same paragraph and within a sentence's length.

    Returns:
        The place behind it, or -1; where it begins is `found`.
    """
    cdef Py_ssize_t begin = max(start, blotter.none_before[kind]), behind = -1
    cdef Py_ssize_t limit = min(start + REACH, end_of_paragraph(blotter, start))
    if begin < limit:
        behind = search(blotter, kind, begin, limit)
        blotter.steps += (limit if behind < 0 else behind) - begin
    if behind < 0:
        blotter.none_before[kind] = max(begin, limit)
    return behind


cdef Py_ssize_t search(
    Blotter* blotter, int kind, Py_ssize_t at, Py_ssize_t end
) noexcept nogil:
    cdef const Text* text = &blotter.text
    cdef Py_UCS4 first = 0, second = 0, character
    cdef Py_ssize_t size = kind - TICKS, behind
    if kind > TICKS:
        first = c"`"
    elif kind == DOUBLE:
        first = c'"'
    elif kind == SINGLE:
        first = c"'"
    elif kind == STRUCK:
        first = c"~"
    elif kind == TARGET:
        first = c")"
    elif kind == REFERENCE:
        first = c"]"
    elif kind == ANGLE:
        first = 0xBB
    elif kind == SINGLE_HIGH:
        first = 0x2019
    elif kind == IMAGE:
        first, second = c")", c"]"
    else:
        first, second = 0x201D, 0x201C
    while True:
        if second:
            while at < end:
                character = char_at(text, at)
                if character == first or character == second:
                    break
                at += 1
        else:
            at = find(text, first, at, end)
        if at >= end:
            return -1
        behind = at + 1
        if kind > TICKS:
            behind = end_of_run(text, first, at, end)
        if closes(text, kind, at, behind, end, size):
            blotter.found = at
            return behind + (kind == STRUCK)
        at = behind


cdef bint closes(
    const Text* text,
    int kind,
    Py_ssize_t at,
    Py_ssize_t behind,
    Py_ssize_t end,
    Py_ssize_t size,
) noexcept nogil:
    """Whether the mark at a place closes what a mark of its kind has opened."""
    # Nothing is seen from the end on, as if the text ended there.
    cdef Py_UCS4 following = char_at(text, behind) if behind < end else c" "
    if kind > TICKS:
        return behind - at == size and peek(text, at - 1) != c"`"
    if kind == STRUCK:
        return following == c"~"
    if kind == SINGLE:
        return not is_word(following) and not Py_UNICODE_ISSPACE(peek(text, at - 1))
    if kind == SINGLE_HIGH:
        return not is_word(following)
    return kind != IMAGE or following != c"("


cdef Py_ssize_t end_of_paragraph(Blotter* blotter, Py_ssize_t start) noexcept nogil:
    cdef const Text* text = &blotter.text
    cdef Py_ssize_t at = start, line
    if start <= blotter.paragraph:
        return blotter.paragraph
    while True:
        line = find(text, c"\n", at, text.length)
        at = line + 1
        while at < text.length and char_at(text, at) in (c" ", c"\t", c"\r"):
            at += 1
        if at >= text.length or char_at(text, at) == c"\n":
            break
    if at >= text.length:
        line = text.length
    blotter.steps += line - start
    blotter.paragraph = line
    return line


# ---- tags, addresses and our own lines ----

cdef Py_ssize_t tag(
    Blotter* blotter, str given, Py_ssize_t start, set unclosed
) except -1:
    cdef Text* text = &blotter.text
    cdef Py_ssize_t at = start + 1, name_end, end
    if char_at(text, at) == c"!":
        return comment(blotter, given, start)
    closes_one = char_at(text, at) == c"/"
    at += closes_one
    if not is_letter(peek(text, at)):
        return start + 1
    end = at + 1
    while end - at <= TAG_NAME_CHARACTERS_MAX and is_name(peek(text, end)):
        end += 1
    name_end = end
    while end < text.length and char_at(text, end) not in (c"<", c">"):
        if end - name_end == TAG_CHARACTERS_MAX:
            return start + 1
        end += 1
    if peek(text, end) != c">":
        return start + 1
    end += 1
    blotter.steps += end - start
    if not closes_one and char_at(text, end - 2) != c"/":
        name = given[at:name_end].lower()
        if name in rules.ELEMENTS:
            if name not in unclosed:
                closing_tag = rules.end_of_element(given, name, end)
                if closing_tag >= 0:
                    return cover(blotter, start, closing_tag, OPAQUE)
                unclosed.add(name)
            if name == "recollection":
                return cover(blotter, start, text.length, OPAQUE)
    return cover(blotter, start, end, HIDDEN)


cdef inline bint is_name(Py_UCS4 c) noexcept nogil:
    return c == c"-" or is_word(c)


cdef Py_ssize_t comment(Blotter* blotter, str given, Py_ssize_t start) except -1:
    cdef Py_ssize_t end
    if not given.startswith("<!--", start):
        return start + 1
    end = given.find("-->", start + 4)
    return cover(
        blotter, start, blotter.text.length if end < 0 else end + 3, HIDDEN
    )


cdef Py_ssize_t address(Blotter* blotter, Py_ssize_t start) except -1:
    cdef Text* text = &blotter.text
    cdef Py_ssize_t scheme = start, end = start + 3
    cdef Py_UCS4 character
    while scheme > blotter.done and start - scheme < SCHEME_CHARACTERS_MAX:
        if not is_alnum(char_at(text, scheme - 1)):
            break
        scheme -= 1
    while end < text.length:
        character = char_at(text, end)
        if character in (c"<", c">", c")", c"]", c'"', c"'"):
            break
        if Py_UNICODE_ISSPACE(character):
            break
        end += 1
    blotter.steps += end - scheme
    return cover(blotter, scheme, end, OPAQUE)


cdef Py_ssize_t own_line(Blotter* blotter, str given, Py_ssize_t start) except -1:
    """Our own hint, wherever it comes back: it is full of cues (B7)."""
    cdef Py_ssize_t line = given.rfind("\n", blotter.done, start) + 1
    cdef Py_ssize_t end = given.find("\n", start)
    return cover(
        blotter,
        max(line, blotter.done),
        blotter.text.length if end < 0 else end,
        OPAQUE,
    )
