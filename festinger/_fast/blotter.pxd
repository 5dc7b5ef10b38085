"""A text whose characters are blotted out, from its beginning to its end."""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from festinger._fast.texts cimport REACH, Text


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
    STRUCK = 6
    TARGET = 7
    REFERENCE = 8
    IMAGE = 9
    TICKS = 10
    KINDS = TICKS + REACH + 1


cdef struct Blotter:
    Text text
    char* out  # a copy of the text, made at the first blot
    Py_ssize_t done
    Py_ssize_t paragraph  # where the one ends that was looked at last; -1 for none
    bint begun  # whether anything began; until then nothing is known of the next
    Py_ssize_t none_before[KINDS]
    Py_ssize_t found  # where the closing mark that was found begins
    uint64_t steps


cdef int open_blotter(Blotter* blotter, str given) except -1
cdef void close_blotter(Blotter* blotter) noexcept
cdef str copy_of(Blotter* blotter, str given)
cdef Py_ssize_t cover(
    Blotter* blotter, Py_ssize_t start, Py_ssize_t end, int character
) except -1
cdef Py_ssize_t paragraph_of(
    Blotter* blotter, Py_ssize_t place, Py_ssize_t low
) noexcept nogil
cdef Py_ssize_t paragraph_end(Blotter* blotter, Py_ssize_t start) noexcept nogil


cdef inline void begin(Blotter* blotter) noexcept:
    """Make known that something may begin now: in most prose nothing ever does."""
    if not blotter.begun:
        memset(blotter.none_before, 0, sizeof(blotter.none_before))
        blotter.begun = True


cdef inline Py_ssize_t end_of_paragraph(
    Blotter* blotter, Py_ssize_t start
) noexcept nogil:
    """The end of the paragraph in which something opens, one after the other."""
    if start > blotter.paragraph:
        blotter.paragraph = paragraph_end(blotter, start)
    return blotter.paragraph
