"""A text with the copy of it that is blotted out, and where its paragraphs end.

The copy is made at the first blot: a text that is all prose is given back as it is. The
blotter only goes forward, so it knows what it need not search again: the end of the
paragraph it is in, and for each kind of mark a place before which none closes. That
keeps the whole linear in the text's length, which `steps` counts.
"""

from cpython.unicode cimport PyUnicode_FromKindAndData
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from festinger._fast.texts cimport char_at, close_text, find, open_text

from festinger._fast import values

cdef extern from "prose.h" nogil:
    Py_ssize_t prose_line_before(
        const uint8_t* narrow, size_t low, size_t at
    ) noexcept

assert values.HIDDEN == chr(HIDDEN) and values.OPAQUE == chr(OPAQUE)


cdef int open_blotter(Blotter* blotter, str given) except -1:
    open_text(&blotter.text, given)
    blotter.out = NULL
    blotter.steps = 0
    blotter.done = 0
    blotter.paragraph = -1
    blotter.begun = False
    return 0


cdef void close_blotter(Blotter* blotter) noexcept:
    free(blotter.out)
    close_text(&blotter.text)


cdef str copy_of(Blotter* blotter, str given):
    """The text as it is blotted out; itself where nothing is."""
    if blotter.out == NULL:
        return given
    return PyUnicode_FromKindAndData(
        blotter.text.size, blotter.out, blotter.text.length
    )


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


# ---- paragraphs ----

cdef Py_ssize_t paragraph_of(
    Blotter* blotter, Py_ssize_t place, Py_ssize_t low
) noexcept nogil:
    """Where the paragraph of a place begins, or a lower bound."""
    cdef const uint8_t* narrow = blotter.text.narrow
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
    blotter.steps += place - at
    return at


cdef Py_ssize_t paragraph_end(Blotter* blotter, Py_ssize_t start) noexcept nogil:
    cdef const Text* text = &blotter.text
    cdef Py_ssize_t at = start, line
    while True:
        line = find(text, c"\n", at, text.length)
        at = line + 1
        while at < text.length and char_at(text, at) in (c" ", c"\t", c"\r"):
            at += 1
        if at >= text.length or char_at(text, at) == c"\n":
            break
    if at >= text.length:
        line = text.length
    blotter.steps += max(line - start, 0)
    return line
