"""What stands between two words, and around a sentence.

The rules are those of `tests/oracle/sentences.py` and `tests/oracle/around.py`.
"""

from libc.stdint cimport uint8_t, uint32_t

from festinger._fast.texts cimport is_alnum

from festinger._fast import marks as names
from festinger._fast import values

cdef extern from "Python.h":
    bint Py_UNICODE_ISSPACE(Py_UCS4 character) nogil


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
    assert getattr(names, _name) == _bits, _name


cdef inline bint is_break(uint32_t c) noexcept nogil:
    return c == c"\n" or c == c"\r"


cdef int marks_of(const Prose* text, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    """Read the characters of a gap, with STOP and BREAK among the marks."""
    cdef int marks = STOP if char_at(text, start) == c"." else 0
    cdef Py_ssize_t i = start, begin
    cdef uint32_t character
    while end - i > 1 and char_at(text, i) in (c"'", 0x2019):
        if char_at(text, i + 1) not in (c"s", c"S"):
            break
        marks |= POSSESSIVE
        i += 2
    begin = i
    while i < end:
        character = char_at(text, i)
        if character == c"-":
            marks |= DASH if is_dash(text, begin, i, end) else ODD
        elif character == c".":
            # " .gitignore" and "..": a full stop that ends nothing is no end.
            if i > begin and char_at(text, i - 1) == c" " and i + 1 == end:
                marks |= ODD
            else:
                marks |= END
        elif is_break(character):
            marks |= BREAK
        else:
            marks |= mark_of(character)
        i += 1
    return marks


cdef int mark_of(uint32_t c) noexcept nogil:
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
    cdef uint32_t before = char_at(text, at - 1) if at > begin else 0
    cdef uint32_t behind = char_at(text, at + 1) if at + 1 < end else 0
    return before == c"-" or behind == c"-" or (before == c" " and behind == c" ")


cdef bint ends_line(
    const Prose* text, Py_ssize_t start, Py_ssize_t end, int marks, bint is_open
) noexcept nogil:
    """Whether a line break within a gap ends the sentence.

    Args:
        is_open: Whether the words around the gap are of one sentence.
    """
    cdef Py_ssize_t at = start, line = start, low, high
    while not is_break(char_at(text, at)):
        at += 1
    at += 2 if char_at(text, at) == c"\r" and char_at(text, at + 1) == c"\n" else 1
    if begins_block(text, at, end) or marks & COLON:
        return True
    low = max(0, start - SENTENCE_CHARACTERS_MAX)
    while line > low and not is_break(char_at(text, line - 1)):
        line -= 1
    while line < start and char_at(text, line) in (c" ", c"\t"):
        line += 1
    if line < start and char_at(text, line) == c"#":
        return True
    if marks & (COMMA | DASH | OPEN | POSSESSIVE) or is_open:
        return False
    high = min(end + WRAP_COLUMN_MIN, text.length)
    at = end
    while at < high and not Py_UNICODE_ISSPACE(char_at(text, at)):
        at += 1
    return start - line + 1 + at - end <= WRAP_COLUMN_MIN


cdef bint begins_block(
    const Prose* text, Py_ssize_t line, Py_ssize_t end
) noexcept nogil:
    """Whether what is left of a gap begins a paragraph, an item or a table's row."""
    cdef Py_ssize_t at
    for at in range(line, end):
        if is_break(char_at(text, at)):
            return True
    at = line
    while at < end and char_at(text, at) in (c" ", c"\t"):
        at += 1
    if at >= end:
        return False
    if char_at(text, at) in (c"#", c">", c"|", c"=", c"`"):
        return True
    if char_at(text, at) not in (
        c"-", c"*", c"+", 0x2022, 0xB7, 0x2013, 0x25E6, 0x2023
    ):
        return False
    return at + 1 < end and char_at(text, at + 1) == c" "


cdef bint is_quoted_line(const Prose* text, Py_ssize_t start) noexcept nogil:
    """Whether a `>` is before a place, on its line."""
    cdef Py_ssize_t at = start
    while at > 0 and start - at < QUOTE_CHARACTERS:
        at -= 1
        if is_break(char_at(text, at)):
            return False
        if char_at(text, at) == c">":
            return True
    return False


cdef bint is_asked(const Prose* text, Py_ssize_t end) noexcept nogil:
    """Whether a question mark is among what closes a sentence."""
    cdef Py_ssize_t at
    cdef uint32_t character
    for at in range(end, min(end + TAIL_CHARACTERS, text.length)):
        character = char_at(text, at)
        if character == c"\n" or is_alnum(character):
            return False
        if character in (c"?", 0xFF1F):
            return True
    return False


# ---- around a sentence ----

cdef int surroundings_of(
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
    cdef uint32_t before = char_at(text, start - 1)
    if before in (c"+", c"-"):
        return start == 1 or char_at(text, start - 2) == c"\n"
    if before == c" " and start > 1:
        before = char_at(text, start - 2)
    return before in (0x274C, 0x2717, 0x2718, 0x1F6AB)


cdef inline bint may_be_remarked(const Prose* text, Py_ssize_t end) noexcept nogil:
    cdef uint32_t first, second
    if end < text.length and char_at(text, end) in (c".", c"!"):
        end += 1
    if end + 2 >= text.length or char_at(text, end) != c" ":
        return False
    # The first letter may be a capital, the second is none.
    first, second = char_at(text, end + 1) | 0x20, char_at(text, end + 2)
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
    while last >= low and char_at(text, last) in (
        c" ", c"\t", c"\r", c"\n", c"*", c"_"
    ):
        last -= 1
    if last < low:
        return False
    if char_at(text, last) in (c":", c"?"):
        return True
    line = break_before(text, low, last) + 1
    if line == 0:
        return False
    while line < last and char_at(text, line) in (c" ", c"\t"):
        line += 1
    return char_at(text, line) in (
        c"-", c"*", c"+", 0x2022, c"0", c"1", c"2", c"3", c"4", c"5", c"6", c"7", c"8",
        c"9",
    )


cdef Py_ssize_t break_before(
    const Prose* text, Py_ssize_t low, Py_ssize_t at
) noexcept nogil:
    """The last line break between two places; -1 if there is none."""
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
        if char_at(text, at) == c"\n":
            return at
    return -1
