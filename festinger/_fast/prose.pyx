"""What of a text is prose, in C.

One pass from mark to mark. Marks
are found 64 characters at a time (`prose.h`); what follows one is looked at character
by character, by `enclosures` or `markup`. Where only some places matter, the pass leaps
from paragraph to paragraph.
"""

from libc.stdint cimport uint8_t, uint64_t

from festinger._fast.blotter cimport (
    ANGLE,
    DOUBLE,
    HIDDEN,
    HIGH,
    IMAGE,
    LOW,
    OPAQUE,
    REFERENCE,
    SINGLE,
    SINGLE_HIGH,
    TARGET,
    Blotter,
    begin,
    close_blotter,
    copy_of,
    open_blotter,
    paragraph_end,
    paragraph_of,
)
from festinger._fast.enclosures cimport link, quote, ticks, tildes
from festinger._fast.markup cimport address, own_line, tag
from festinger._fast.texts cimport Text, char_at, is_letter, is_word, peek

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
    """Return the text with everything that is not prose blotted out.

    Args:
        near: Rising places. Where no sentence around one of them can reach, between the
            beginning of its paragraph and `NEAR` behind it, anything may stay.
        fenced: Whether there may be anything at which a fence or tag begins.
    """
    cdef uint64_t steps = 0
    if text is None:
        raise TypeError("there is no text")
    return blotted(text, near, fenced, &steps)


def steps_of(str text not None, list near=None):
    """Return how many characters `readable` searches; linear in the text's length."""
    cdef uint64_t steps = 0
    blotted(text, near, True, &steps)
    return steps


cdef str blotted(str text, list near, bint fenced, uint64_t* steps):
    cdef Blotter blotter
    open_blotter(&blotter, text)
    try:
        if near is None:
            blot(&blotter, text, 0, blotter.text.length, set())
        else:
            blot_near(&blotter, text, near, fenced)
        return copy_of(&blotter, text)
    finally:
        steps[0] = blotter.steps
        close_blotter(&blotter)


cdef int blot_near(
    Blotter* blotter, str text, list near, bint fenced
) except -1:
    """Blot out the paragraphs of some places, and those that reach beyond their ends.

    Only a fence, a tag or a comment does. Where a paragraph without one begins, it does
    not matter what was before.
    """
    cdef Text* seen = &blotter.text
    cdef Py_ssize_t at = 0, place, first, far
    # Where no tag can begin, none stays unclosed.
    cdef set unclosed = set() if fenced else None
    for place in near:
        if place + NEAR <= at or place >= seen.length:
            continue
        first = paragraph_of(blotter, max(place, at), at)
        while fenced:
            far = prose_far(seen.narrow, at, first, seen.length)
            blotter.steps += max(far - at, 0)
            if far >= first:
                break
            far = paragraph_of(blotter, far, at)
            at = blot(blotter, text, far, far + 1, unclosed)
        at = blot(blotter, text, max(at, first), place + NEAR, unclosed)
    return 0


cdef Py_ssize_t blot(
    Blotter* blotter, str text, Py_ssize_t at, Py_ssize_t end, set unclosed
) except -1:
    """Blot out what begins at one mark after the other, to the end of a paragraph.

    Args:
        at: Where a paragraph begins.
        end: The paragraph of this place is the last.

    Returns:
        Where the last one ends.
    """
    cdef Text* seen = &blotter.text
    cdef Py_ssize_t block = at - at % PROSE_BLOCK, place
    cdef uint64_t bits
    # Who looks from place to place may ask for more than there is.
    if end < seen.length:
        end = paragraph_end(blotter, max(at, end))
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
            at = max(special(blotter, text, place, unclosed), place + 1)
            if at > end:
                end = paragraph_end(blotter, at)
        block += PROSE_BLOCK
        if block < at:
            block = at - at % PROSE_BLOCK
    return end


cdef Py_ssize_t special(
    Blotter* blotter, str given, Py_ssize_t at, set unclosed
) except -1:
    """Blot out what begins at a place, if anything does; return where to go on."""
    cdef Text* text = &blotter.text
    cdef Py_UCS4 mark = char_at(text, at), following = peek(text, at + 1)
    begin(blotter)
    if mark == c"`":
        return ticks(blotter, at)
    if mark == c"'":
        return quote(blotter, at, at + 1, SINGLE) if is_word(following) else at + 1
    if mark == c'"':
        return quote(blotter, at, at + 1, DOUBLE)
    if mark == c"<":
        if unclosed is not None and (following in (c"/", c"!") or is_letter(following)):
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
