"""Mask everything in a text that is not prose: code, quotes, markup, addresses."""

# ---- characters ----
#
# Characters stay where Python has them, one, two or four bytes each. Beside them is
# one byte for each, so that a mark is found as fast in any text: those that do not fit
# are all 255, and only then is the character itself read. Where a character is a byte,
# the two are the same memory.


cdef enum:
    REACH = 400  # characters of a sentence


cdef struct Text:
    const void* data
    const uint8_t* narrow  # each character as a byte; 255 is any that does not fit
    int size  # bytes of a character
    Py_ssize_t length


cdef inline Py_UCS4 char_at(const Text* text, Py_ssize_t at) noexcept nogil:
    cdef uint8_t character = text.narrow[at]
    return character if character < 255 else string_at(text.data, text.size, at)


cdef inline Py_UCS4 peek(const Text* text, Py_ssize_t at) noexcept nogil:
    """Return the character at a place, or a blank where there is none."""
    if not 0 <= at < text.length:
        return c" "
    return char_at(text, at)


cdef inline bint is_letter(Py_UCS4 c) noexcept nogil:
    """Return whether it is one of ASCII's."""
    return c"a" <= (<uint32_t>c | 32) <= c"z"


cdef inline bint is_alnum(Py_UCS4 c) noexcept nogil:
    if <uint32_t>c < 128:
        return is_letter(c) or c"0" <= <uint32_t>c <= c"9"
    return Py_UNICODE_ISALNUM(c)


cdef inline bint is_word(Py_UCS4 c) noexcept nogil:
    return c == c"_" or is_alnum(c)


cdef inline Py_ssize_t find_char(
    const Text* text, Py_UCS4 wanted, Py_ssize_t at, Py_ssize_t end
) noexcept nogil:
    """Return where a character is first met, or the end."""
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


cdef extern from "prose.h" nogil:
    void prose_narrow(
        const void* data, int size, size_t length, uint8_t* to
    ) noexcept

assert values.SENTENCE_CHARACTERS_MAX == REACH

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


# ---- the mask ----
#
# The copy is made at the first masked character: a text that is all prose is returned
# as it is. The mask only grows forward, so it knows what need not be searched again:
# the end of the current paragraph, and for each kind of mark a place before which none
# closes. That keeps the whole linear in the text's length, which `steps` counts.


cdef enum:
    HIDDEN = 1
    OPAQUE = 0

    # Kinds of closing marks; runs of backticks are a kind for each length behind them.
    DOUBLE = 0
    HIGH = 1
    LOW = 2
    ANGLE = 3
    SINGLE_HIGH = 4
    SINGLE = 5
    STRUCK_OUT = 6
    TARGET = 7
    REFERENCE = 8
    IMAGE = 9
    TICKS = 10
    CLOSING_KINDS = TICKS + REACH + 1


cdef struct ProseMask:
    Text text
    char* out  # a copy of the text, made when the first is masked
    Py_ssize_t done
    Py_ssize_t paragraph  # where the one ends that was looked at last; -1 for none
    bint begun  # whether anything began; until then nothing is known of the next
    Py_ssize_t none_before[CLOSING_KINDS]
    Py_ssize_t found  # where the closing mark that was found begins
    uint64_t steps


cdef inline void begin_marks(ProseMask* mask) noexcept:
    """Prepare for marks that open something; most prose has none."""
    if not mask.begun:
        memset(mask.none_before, 0, sizeof(mask.none_before))
        mask.begun = True


cdef inline Py_ssize_t end_of_paragraph(
    ProseMask* mask, Py_ssize_t start
) noexcept nogil:
    """Return the end of the paragraph in which something opens, one after the other."""
    if start > mask.paragraph:
        mask.paragraph = paragraph_end(mask, start)
    return mask.paragraph


cdef extern from "prose.h" nogil:
    Py_ssize_t prose_line_before(
        const uint8_t* narrow, size_t low, size_t at
    ) noexcept

assert values.HIDDEN == chr(HIDDEN) and values.OPAQUE == chr(OPAQUE)

cdef int open_mask(ProseMask* mask, str given) except -1:
    open_text(&mask.text, given)
    mask.out = NULL
    mask.steps = 0
    mask.done = 0
    mask.paragraph = -1
    mask.begun = False
    return 0


cdef void close_mask(ProseMask* mask) noexcept:
    free(mask.out)
    close_text(&mask.text)


cdef str copy_of(ProseMask* mask, str given):
    """Return the text as it is masked; itself where nothing is."""
    if mask.out == NULL:
        return given
    return PyUnicode_FromKindAndData(
        mask.text.size, mask.out, mask.text.length
    )


cdef Py_ssize_t cover(
    ProseMask* mask, Py_ssize_t start, Py_ssize_t end, int character
) except -1:
    cdef Text* text = &mask.text
    cdef Py_ssize_t i
    start = max(start, mask.done)
    if start >= end:
        return end
    if mask.out == NULL:
        mask.out = <char*>malloc(text.length * text.size)
        if mask.out == NULL:
            raise MemoryError
        memcpy(mask.out, text.data, text.length * text.size)
    mask.done = end
    if text.size == 1:
        memset(mask.out + start, character, end - start)
    elif text.size == 2:
        for i in range(start, end):
            (<uint16_t*>mask.out)[i] = character
    else:
        for i in range(start, end):
            (<uint32_t*>mask.out)[i] = character
    return end


# ---- paragraphs ----

cdef Py_ssize_t paragraph_of(
    ProseMask* mask, Py_ssize_t place, Py_ssize_t low
) noexcept nogil:
    """Return where the paragraph of a place begins, or a lower bound."""
    cdef const uint8_t* narrow = mask.text.narrow
    cdef Py_ssize_t line = place, at
    while True:
        line = prose_line_before(narrow, low, line)
        at = max(line, low)
        if line < 0:
            break
        while at > low and narrow[at - 1] in (c" ", c"\t", c"\r"):
            at -= 1
        if at > low and narrow[at - 1] == c"\n":
            at = line
            break
    mask.steps += place - at
    return at


cdef Py_ssize_t paragraph_end(ProseMask* mask, Py_ssize_t start) noexcept nogil:
    cdef const Text* text = &mask.text
    cdef Py_ssize_t at = start, line
    while True:
        line = find_char(text, c"\n", at, text.length)
        at = line + 1
        while at < text.length and char_at(text, at) in (c" ", c"\t", c"\r"):
            at += 1
        if at >= text.length or char_at(text, at) == c"\n":
            break
    if at >= text.length:
        line = text.length
    mask.steps += max(line - start, 0)
    return line


# ---- code, quotes, links ----
#
# A mark that opens is closed by one of its kind in the same paragraph and within a
# sentence's length, or it opens nothing. A single word in between is a name in a
# sentence and stays. Only a fence, which begins a line, reaches over paragraphs: to
# one like it, or to the text's end.


cdef enum:
    INDENT_CHARACTERS_MAX = 9
    SINGLE_CHARACTERS_MAX = 64


# ---- code ----

cdef Py_ssize_t ticks(ProseMask* mask, Py_ssize_t start) except -1:
    cdef Text* text = &mask.text
    cdef Py_ssize_t end = end_of_run(text, c"`", start, text.length)
    mask.steps += end - start
    if end - start >= 3 and opens_line(text, start):
        return fence(mask, start, end, c"`", end - start)
    if end - start > REACH:
        return end
    return enclosed(mask, start, end, TICKS + <int>(end - start))


cdef Py_ssize_t tildes(ProseMask* mask, Py_ssize_t start) except -1:
    cdef Text* text = &mask.text
    if peek(text, start + 2) != c"~":
        return quote(mask, start, start + 2, STRUCK_OUT)
    if opens_line(text, start):
        return fence(mask, start, start + 3, c"~", 3)
    return start + 3


cdef Py_ssize_t fence(
    ProseMask* mask, Py_ssize_t start, Py_ssize_t end, Py_UCS4 mark, Py_ssize_t size
) except -1:
    """Mask a fenced block; one that is never closed reaches to the text's end."""
    cdef Text* text = &mask.text
    cdef Py_ssize_t at = end, first
    while True:
        at = find_char(text, c"\n", at, text.length)
        if at == text.length:
            return cover(mask, start, at, OPAQUE)
        at += 1
        while at < text.length and char_at(text, at) in (c" ", c"\t", c">"):
            at += 1
        first = at
        at = end_of_run(text, mark, at, min(first + size, text.length))
        if at - first == size:
            return cover(mask, start, at, OPAQUE)


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


# ---- pairs of marks ----

cdef Py_ssize_t quote(
    ProseMask* mask, Py_ssize_t start, Py_ssize_t end, int kind
) except -1:
    # 5", don't
    if kind in (SINGLE, DOUBLE) and is_alnum(peek(&mask.text, start - 1)):
        return end
    return enclosed(mask, start, end, kind)


cdef Py_ssize_t enclosed(
    ProseMask* mask, Py_ssize_t start, Py_ssize_t end, int kind
) except -1:
    """Mask what is enclosed in two marks, unless it is a single word."""
    cdef Py_ssize_t behind = closing(mask, kind, end), at
    if behind < 0:
        return end
    if 0 < mask.found - end <= SINGLE_CHARACTERS_MAX:
        at = end
        while at < mask.found and is_single(char_at(&mask.text, at)):
            at += 1
        if at == mask.found:
            return behind
    return cover(mask, start, behind, OPAQUE)


cdef inline bint is_single(Py_UCS4 c) noexcept nogil:
    return is_word(c) or c in (c".", c"+", c"#", c"'", c"-")


cdef Py_ssize_t link(
    ProseMask* mask, Py_ssize_t start, int kind, int character
) except -1:
    cdef Py_ssize_t behind = closing(mask, kind, start + 2)
    return start + 2 if behind < 0 else cover(mask, start, behind, character)


cdef Py_ssize_t closing(ProseMask* mask, int kind, Py_ssize_t start) noexcept:
    """Find a closing mark in the same paragraph and within a sentence's length.

    Returns:
        The place behind it, or -1; where it begins is `found`.
    """
    cdef Py_ssize_t begin = max(start, mask.none_before[kind]), behind = -1
    cdef Py_ssize_t limit = min(start + REACH, end_of_paragraph(mask, start))
    if begin < limit:
        behind = search(mask, kind, begin, limit)
        mask.steps += (limit if behind < 0 else behind) - begin
    if behind < 0:
        mask.none_before[kind] = max(begin, limit)
    return behind


cdef Py_ssize_t search(
    ProseMask* mask, int kind, Py_ssize_t at, Py_ssize_t end
) noexcept nogil:
    cdef const Text* text = &mask.text
    cdef Py_UCS4 first = 0, second = 0, character
    cdef Py_ssize_t size = kind - TICKS, behind
    if kind > TICKS:
        first = c"`"
    elif kind == DOUBLE:
        first = c'"'
    elif kind == SINGLE:
        first = c"'"
    elif kind == STRUCK_OUT:
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
            at = find_char(text, first, at, end)
        if at >= end:
            return -1
        behind = at + 1
        if kind > TICKS:
            behind = end_of_run(text, first, at, end)
        if closes(text, kind, at, behind, end, size):
            mask.found = at
            return behind + (kind == STRUCK_OUT)
        at = behind


cdef bint closes(
    const Text* text,
    int kind,
    Py_ssize_t at,
    Py_ssize_t behind,
    Py_ssize_t end,
    Py_ssize_t size,
) noexcept nogil:
    """Return whether the mark at a place closes what a mark of its kind has opened."""
    # Nothing is seen from the end on, as if the text ended there.
    cdef Py_UCS4 following = char_at(text, behind) if behind < end else c" "
    if kind > TICKS:
        return behind - at == size and peek(text, at - 1) != c"`"
    if kind == STRUCK_OUT:
        return following == c"~"
    if kind == SINGLE:
        return not is_word(following) and not Py_UNICODE_ISSPACE(peek(text, at - 1))
    if kind == SINGLE_HIGH:
        return not is_word(following)
    return kind != IMAGE or following != c"("


# ---- tags and addresses ----
#
# A reader of the rendered page sees neither a tag nor a comment. What some elements
# hold is not prose or is quoted, and goes with their tags. The end of an element that
# was once found unclosed is not searched for again, so that many cost no more than
# one.


cdef enum:
    SCHEME_CHARACTERS_MAX = 16
    TAG_NAME_CHARACTERS_MAX = 30
    TAG_CHARACTERS_MAX = 300


cdef Py_ssize_t tag(
    ProseMask* mask, str given, Py_ssize_t start, set unclosed
) except -1:
    cdef Text* text = &mask.text
    cdef Py_ssize_t at = start + 1, name_end, end
    if char_at(text, at) == c"!":
        return comment(mask, given, start)
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
    mask.steps += end - start
    if not closes_one and char_at(text, end - 2) != c"/":
        name = given[at:name_end].lower()
        if name in words.ELEMENTS:
            if name not in unclosed:
                closing_tag = end_of_element(given, name, end)
                if closing_tag >= 0:
                    return cover(mask, start, closing_tag, OPAQUE)
                unclosed.add(name)
            if name == "recollection":
                return cover(mask, start, text.length, OPAQUE)
    return cover(mask, start, end, HIDDEN)


cdef inline bint is_name(Py_UCS4 c) noexcept nogil:
    return c == c"-" or is_word(c)


cdef Py_ssize_t comment(ProseMask* mask, str given, Py_ssize_t start) except -1:
    cdef Py_ssize_t end
    if not given.startswith("<!--", start):
        return start + 1
    end = given.find("-->", start + 4)
    return cover(
        mask, start, mask.text.length if end < 0 else end + 3, HIDDEN
    )


cdef Py_ssize_t address(ProseMask* mask, Py_ssize_t start) except -1:
    cdef Text* text = &mask.text
    cdef Py_ssize_t scheme = start, end = start + 3
    cdef Py_UCS4 character
    while scheme > mask.done and start - scheme < SCHEME_CHARACTERS_MAX:
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
    mask.steps += end - scheme
    return cover(mask, scheme, end, OPAQUE)


cdef Py_ssize_t own_line(ProseMask* mask, str given, Py_ssize_t start) except -1:
    """Mask our own hint, wherever it comes back: it is full of cues (B7)."""
    cdef Py_ssize_t line = given.rfind("\n", mask.done, start) + 1
    cdef Py_ssize_t end = given.find("\n", start)
    return cover(
        mask,
        max(line, mask.done),
        mask.text.length if end < 0 else end,
        OPAQUE,
    )


cdef Py_ssize_t end_of_element(str text, str name, Py_ssize_t start) except -2:
    """Return the place behind the tag that closes an element, or -1."""
    closing = re.compile(rf"</{name}\s*>", re.IGNORECASE).search(text, start)
    return closing.end() if closing else -1


# ---- readable ----
#
# One pass from mark to mark. Marks are found 64 characters at a time (`prose.h`); what
# follows one is read character by character. Where only some places matter, the pass
# leaps from paragraph to paragraph.


cdef extern from "prose.h" nogil:
    enum:
        PROSE_BLOCK

    uint64_t prose_block(const uint8_t* narrow, size_t at, size_t length) noexcept
    size_t prose_skip(const uint8_t* narrow, size_t at, size_t length) noexcept
    size_t prose_far(
        const uint8_t* narrow, size_t at, size_t end, size_t length
    ) noexcept


cdef extern from *:
    int ctz "__builtin_ctzll"(uint64_t bits) noexcept nogil


cdef enum:
    NEAR = 500


cpdef str readable(str text, list near=None, bint fenced=True):
    """Return the text with everything that is not prose masked out.

    Args:
        near: Rising places. Where no sentence around one of them can reach, between the
            beginning of its paragraph and `NEAR` behind it, anything may stay.
        fenced: Whether there may be anything at which a fence or tag begins.
    """
    cdef uint64_t steps = 0
    if text is None:
        raise TypeError("there is no text")
    return masked(text, near, fenced, &steps)


def steps_of(str text not None, list near=None):
    """Return how many characters `readable` searches; linear in the text's length."""
    cdef uint64_t steps = 0
    masked(text, near, True, &steps)
    return steps


cdef str masked(str text, list near, bint fenced, uint64_t* steps):
    cdef ProseMask mask
    open_mask(&mask, text)
    try:
        if near is None:
            mask_from(&mask, text, 0, mask.text.length, set())
        else:
            mask_near(&mask, text, near, fenced)
        return copy_of(&mask, text)
    finally:
        steps[0] = mask.steps
        close_mask(&mask)


cdef int mask_near(
    ProseMask* mask, str text, list near, bint fenced
) except -1:
    """Mask the paragraphs of some places, and those that reach beyond their ends.

    Only a fence, a tag or a comment does. Where a paragraph without one begins, it does
    not matter what was before.
    """
    cdef Text* seen = &mask.text
    cdef Py_ssize_t at = 0, place, first, far
    # Where no tag can begin, none stays unclosed.
    cdef set unclosed = set() if fenced else None
    for place in near:
        if place + NEAR <= at or place >= seen.length:
            continue
        first = paragraph_of(mask, max(place, at), at)
        while fenced:
            far = prose_far(seen.narrow, at, first, seen.length)
            mask.steps += max(far - at, 0)
            if far >= first:
                break
            far = paragraph_of(mask, far, at)
            at = mask_from(mask, text, far, far + 1, unclosed)
        at = mask_from(mask, text, max(at, first), place + NEAR, unclosed)
    return 0


cdef Py_ssize_t mask_from(
    ProseMask* mask, str text, Py_ssize_t at, Py_ssize_t end, set unclosed
) except -1:
    """Mask what begins at one mark after the other, to the end of a paragraph.

    Args:
        at: Where a paragraph begins.
        end: The paragraph of this place is the last.

    Returns:
        Where the last one ends.
    """
    cdef Text* seen = &mask.text
    cdef Py_ssize_t block = at - at % PROSE_BLOCK, place
    cdef uint64_t bits
    # Who looks from place to place may ask for more than there is.
    if end < seen.length:
        end = paragraph_end(mask, max(at, end))
    else:
        end = seen.length
    while block < end:
        block = prose_skip(seen.narrow, block, seen.length)
        bits = prose_block(seen.narrow, block, seen.length) if block < end else 0
        while bits:
            place = block + ctz(bits)
            bits &= bits - 1
            if place < at:
                continue
            if place >= end:
                break
            at = max(special(mask, text, place, unclosed), place + 1)
            if at > end:
                end = paragraph_end(mask, at)
        block += PROSE_BLOCK
        if block < at:
            block = at - at % PROSE_BLOCK
    return end


cdef Py_ssize_t special(
    ProseMask* mask, str given, Py_ssize_t at, set unclosed
) except -1:
    """Mask what begins at a place, if anything does; return where to go on."""
    cdef Text* text = &mask.text
    cdef Py_UCS4 mark = char_at(text, at), following = peek(text, at + 1)
    begin_marks(mask)
    if mark == c"`":
        return ticks(mask, at)
    if mark == c"'":
        return quote(mask, at, at + 1, SINGLE) if is_word(following) else at + 1
    if mark == c'"':
        return quote(mask, at, at + 1, DOUBLE)
    if mark == c"<":
        if unclosed is not None and (following in (c"/", c"!") or is_letter(following)):
            return tag(mask, given, at, unclosed)
    elif mark == c"]":
        if following == c"(":
            return link(mask, at, TARGET, HIDDEN)
        if following == c"[":
            return link(mask, at, REFERENCE, HIDDEN)
    elif mark == c"!":
        if following == c"[":
            return link(mask, at, IMAGE, OPAQUE)
    elif mark == c":":
        if following == c"/" and peek(text, at + 2) == c"/":
            return address(mask, at)
    elif mark == c"~":
        if following == c"~":
            return tildes(mask, at)
    elif mark == c"i":
        if peek(text, at + 2) == c"n" and given.startswith("iknowthat", at):
            return own_line(mask, given, at)
    elif mark == 0x201C:
        return quote(mask, at, at + 1, HIGH)
    elif mark == 0x201E:
        return quote(mask, at, at + 1, LOW)
    elif mark == 0xAB:
        return quote(mask, at, at + 1, ANGLE)
    elif mark == 0x2018:
        return quote(mask, at, at + 1, SINGLE_HIGH)
    return at + 1
