"""The lines of a block, as the bytes in which they were written.

They stay bytes, one behind the other as a block has them, and become `Line`s when
somebody asks for one: whoever only wants the block needs none.
"""

cimport cython
from cpython.mem cimport PyMem_Free, PyMem_Malloc, PyMem_Realloc
from cpython.unicode cimport PyUnicode_DecodeUTF8

from festinger._fast.named cimport fill, new_named
from festinger._fast.unmade cimport Unmade

from festinger._fast.values import Kind, Line


cdef enum:
    LINE_BYTES = 96  # as most need at most
    COUNTS = 256

cdef object RECOLLECTION = Kind.RECOLLECTION
# Few counts are large.
cdef list met = [f"met {count} times" for count in range(COUNTS)]


# The collector of garbage would take the owner of the bytes away before its time; and
# nothing that is in here can lead back to here.
@cython.no_gc
@cython.final
cdef class Lines(Unmade):
    """Lines of a block, in its order: a sequence of `Line`. Immutable."""

    def __cinit__(self):
        self.behind = []

    def __dealloc__(self):
        if self.owner is None:
            PyMem_Free(self.text)
            PyMem_Free(self.written)

    cdef Written* begin(self, size_t length) except NULL:
        """Room for a line of at most so many bytes; it is written at `text + start`."""
        cdef Written* line = &self.written[self.told]
        cdef char* grown
        # With the line break behind it.
        if self.used + length + 1 > self.room:
            grown = <char*>PyMem_Realloc(self.text, 2 * (self.used + length + 1))
            if grown == NULL:
                raise MemoryError
            self.text = grown
            self.room = 2 * (self.used + length + 1)
        line.start = self.used
        return line

    cdef void end(self, size_t length) noexcept:
        """Take the line that was begun, of so many bytes."""
        self.written[self.told].length = length
        self.told += 1
        self.used += length + 1
        self.text[self.used - 1] = c"\n"

    cdef Lines with_behind(self, list lines):
        """These and others behind them."""
        cdef Lines both
        if not lines:
            return self
        both = Lines.__new__(Lines)
        both.owner = self if self.owner is None else self.owner
        both.text, both.used = self.text, self.used
        both.written, both.told = self.written, self.told
        both.behind = self.behind + lines
        return both

    cdef list make(self):
        cdef size_t i
        made = [line_of(self.text, &self.written[i]) for i in range(self.told)]
        return made + self.behind

    def __len__(self):
        return self.told + len(self.behind)


cdef Lines new_lines(size_t count):
    """Room for so many lines, of which none is written yet."""
    cdef Lines lines = Lines.__new__(Lines)
    lines.room = max(count, <size_t>1) * LINE_BYTES
    lines.text = <char*>PyMem_Malloc(lines.room)
    lines.written = <Written*>PyMem_Malloc(max(count, <size_t>1) * sizeof(Written))
    if lines.text == NULL or lines.written == NULL:
        raise MemoryError
    return lines


def block(str opening not None, lines, str closing not None):
    """Put the texts of some lines between two others.

    Raises:
        TypeError: One is no line.
    """
    cdef list parts = [opening]
    cdef Lines ours
    if isinstance(lines, Lines):
        ours = <Lines>lines
        if ours.told:
            parts.append(PyUnicode_DecodeUTF8(ours.text, ours.used - 1, NULL))
        lines = ours.behind
    for line in lines:
        if not isinstance(line, tuple):
            raise TypeError(f"{line!r} is no line")
        parts.append((<tuple>line)[1])
    parts.append(closing)
    return "\n".join(parts)


cdef object line_of(const char* text, const Written* written):
    return new_line(
        PyUnicode_DecodeUTF8(text + written.start, written.name, NULL),
        PyUnicode_DecodeUTF8(text + written.start, written.length, NULL),
        RECOLLECTION,
        why_of(written),
    )


cdef object new_line(object concept, object text, object kind, object why):
    line = new_named(Line, 4)
    fill(line, 0, concept)
    fill(line, 1, text)
    fill(line, 2, kind)
    fill(line, 3, why)
    return line


cdef str why_of(const Written* written):
    if written.contested:
        return "conflict"
    if written.novel:
        return f"novelty {written.novelty:.1f}"
    if 0 <= written.encounters < COUNTS:
        return met[written.encounters]
    return f"met {written.encounters} times"
