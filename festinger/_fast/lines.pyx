"""The lines of a block, as the bytes in which they were written.

They stay bytes, one behind the other as a block has them, and become `Line`s when
somebody asks for one: whoever only wants the block needs none.
"""

cimport cython
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.string cimport memcpy

from festinger._fast.named cimport fill, new_named
from festinger._fast.rooms cimport Room, free_rooms, need
from festinger._fast.unmade cimport Unmade

from festinger._fast.values import HINT, Kind, Line

cdef extern from "Python.h":
    const char* PyUnicode_AsUTF8AndSize(object text, Py_ssize_t* size) except NULL
    bint PyUnicode_IS_COMPACT_ASCII(object text)
    str PyUnicode_New(Py_ssize_t length, Py_UCS4 largest)
    void* PyUnicode_DATA(object text)


cdef enum:
    LINE_BYTES = 96  # as most need at most
    COUNTS = 256

    HINTED = 3  # places of a hint's text at which its token stands

cdef object RECOLLECTION = Kind.RECOLLECTION
cdef object HINTING = Kind.HINT
# Few counts are large.
cdef list met = [f"met {count} times" for count in range(COUNTS)]

# What is between the tokens of a hint, and how long all of it is.
cdef list around = [part.encode() for part in HINT.split("{}")]
cdef size_t AROUND_BYTES = sum(map(len, around))
cdef size_t BEFORE_BYTES = len(around[0])
cdef const char* parts[HINTED + 1]
cdef size_t lengths[HINTED + 1]
assert len(around) == HINTED + 1
for _i, _part in enumerate(around):
    parts[_i], lengths[_i] = <const char*><bytes>_part, len(_part)


# The collector of garbage has nothing to look for: what is in here cannot lead back.
@cython.no_gc
@cython.final
cdef class Lines(Unmade):
    """Lines of a block, in its order: a sequence of `Line`. Immutable."""

    def __dealloc__(self):
        free_rooms(<Room*>&self.sheet, sizeof(self.sheet))

    cdef int reserve(self, size_t more) except -1:
        """Room for so many bytes."""
        need(&self.sheet.text, self.used + more)
        self.text = self.sheet.text.at
        return 0

    cdef Written* begin(self, size_t length) except NULL:
        """Room for a line of at most so many bytes; it is written at `text + start`."""
        cdef Written* line = &self.written[self.told]
        # With the line break behind it.
        self.reserve(length + 1)
        line.start = self.used
        return line

    cdef void end(self, size_t length) noexcept:
        """Take the line that was begun, of so many bytes."""
        self.written[self.told].length = length
        self.told += 1
        self.used += length + 1
        self.text[self.used - 1] = c"\n"

    cdef list make(self):
        cdef size_t i
        return [line_of(self.text, &self.written[i]) for i in range(self.told)]

    def __len__(self):
        return self.told


cdef Lines new_lines(size_t count):
    """Room for so many lines, of which none is written yet."""
    cdef Lines lines = Lines.__new__(Lines)
    # Of no line, too: nothing is copied from nowhere.
    count = max(count, <size_t>1)
    lines.reserve(count * LINE_BYTES)
    need(&lines.sheet.written, count * sizeof(Written))
    lines.written = <Written*>lines.sheet.written.at
    return lines


cdef Lines with_hints(Lines lines, list tokens):
    """Some lines, and behind them questions about some tokens."""
    cdef Lines both = new_lines(lines.told + len(tokens))
    both.reserve(lines.used)
    memcpy(both.text, lines.text, lines.used)
    memcpy(both.written, lines.written, lines.told * sizeof(Written))
    both.used, both.told = lines.used, lines.told
    for token in tokens:
        add_hint(both, token)
    return both


cdef int add_hint(Lines lines, object token) except -1:
    cdef Py_ssize_t length = 0
    cdef const char* data = PyUnicode_AsUTF8AndSize(token, &length)
    cdef size_t size = AROUND_BYTES + HINTED * length
    cdef Written* line = lines.begin(size)
    cdef char* end = lines.text + line.start
    cdef int i
    line.hint = True
    line.name_start, line.name_length = BEFORE_BYTES, length
    for i in range(HINTED + 1):
        memcpy(end, parts[i], lengths[i])
        end += lengths[i]
        if i < HINTED:
            memcpy(end, data, length)
            end += length
    lines.end(size)
    return 0


def block(str opening not None, lines, str closing not None):
    """Put the texts of some lines between two others.

    Raises:
        TypeError: One is no line.
    """
    cdef Lines ours
    cdef list texts
    if isinstance(lines, Lines):
        ours = <Lines>lines
        if is_plain(opening, ours, closing):
            return plain_block(opening, ours, closing)
        texts = [opening]
        if ours.told:
            texts.append(PyUnicode_DecodeUTF8(ours.text, ours.used - 1, NULL))
    else:
        texts = [opening]
        for line in lines:
            if not isinstance(line, tuple):
                raise TypeError(f"{line!r} is no line")
            texts.append((<tuple>line)[1])
    texts.append(closing)
    return "\n".join(texts)


cdef bint is_plain(str opening, Lines lines, str closing) noexcept:
    """Whether all is ASCII, as most blocks are."""
    cdef unsigned char wide = 0
    cdef size_t i
    for i in range(lines.used):
        wide |= <unsigned char>lines.text[i]
    return (
        wide < 0x80
        and PyUnicode_IS_COMPACT_ASCII(opening)
        and PyUnicode_IS_COMPACT_ASCII(closing)
    )


cdef str plain_block(str opening, Lines lines, str closing):
    """The block, written at once."""
    cdef size_t before = len(opening), behind = len(closing)
    block = PyUnicode_New(before + 1 + lines.used + behind, 0x7F)
    cdef char* end = <char*>PyUnicode_DATA(block)
    memcpy(end, PyUnicode_DATA(opening), before)
    end[before] = c"\n"
    memcpy(end + before + 1, lines.text, lines.used)
    memcpy(end + before + 1 + lines.used, PyUnicode_DATA(closing), behind)
    return block


cdef object line_of(const char* text, const Written* written):
    cdef const char* name = text + written.start + written.name_start
    line = new_named(Line, 4)
    fill(line, 0, PyUnicode_DecodeUTF8(name, written.name_length, NULL))
    fill(line, 1, PyUnicode_DecodeUTF8(text + written.start, written.length, NULL))
    fill(line, 2, kind_of(written))
    fill(line, 3, why_of(written))
    return line


cdef object kind_of(const Written* written):
    return HINTING if written.hint else RECOLLECTION


cdef str why_of(const Written* written):
    if written.hint:
        return "met often, and unknown"
    if written.contested:
        return "conflict"
    if written.novel:
        return f"novelty {written.novelty:.1f}"
    if 0 <= written.encounters < COUNTS:
        return met[written.encounters]
    return f"met {written.encounters} times"
