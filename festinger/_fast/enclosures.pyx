"""What is enclosed in two marks: code, quotes, what is struck out, targets of links.

A mark that opens is closed by one of its kind in the same paragraph and within a
sentence's length, or it opens nothing. A single word in between is a name in a sentence
and stays. Only a fence, which begins a line, reaches over paragraphs: to one like it,
or to the text's end.
"""

from festinger._fast.blotter cimport (
    ANGLE,
    DOUBLE,
    IMAGE,
    OPAQUE,
    REFERENCE,
    SINGLE,
    SINGLE_HIGH,
    STRUCK,
    TARGET,
    TICKS,
    Blotter,
    cover,
    end_of_paragraph,
)
from festinger._fast.texts cimport (
    REACH,
    Py_UNICODE_ISSPACE,
    Text,
    char_at,
    find,
    is_alnum,
    is_word,
    peek,
)


cdef enum:
    INDENT_CHARACTERS_MAX = 9
    SINGLE_CHARACTERS_MAX = 64


# ---- code ----

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


cdef inline bint is_single(Py_UCS4 c) noexcept nogil:
    return is_word(c) or c in (c".", c"+", c"#", c"'", c"-")


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
