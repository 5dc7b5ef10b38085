"""Tags, addresses and our own lines: what ends by a rule of its own.

A reader of the rendered page sees neither a tag nor a comment. What some elements hold
is not prose or is somebody else's, and goes with their tags. The end of an element that
was once found unclosed is not looked for again, so that many cost no more than one.
"""

from festinger._fast.blotter cimport HIDDEN, OPAQUE, Blotter, cover
from festinger._fast.texts cimport (
    Py_UNICODE_ISSPACE,
    Text,
    char_at,
    is_alnum,
    is_letter,
    is_word,
    peek,
)

from festinger._fast import masking


cdef enum:
    SCHEME_CHARACTERS_MAX = 16
    TAG_NAME_CHARACTERS_MAX = 30
    TAG_CHARACTERS_MAX = 300


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
        if name in masking.ELEMENTS:
            if name not in unclosed:
                closing_tag = masking.end_of_element(given, name, end)
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
