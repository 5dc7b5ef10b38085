"""Words that deserve a closer look, read character by character where need be.

Unicode's classes come from a table that fills itself, and Python is asked only for the
lower case of what Python alone can lower. A word that turns out to be plain ASCII is
taken as it stands; the others are written anew behind the lowered text.
"""

from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport uint8_t, uint16_t
from libc.string cimport memcpy, memset

from festinger._fast.characters cimport (
    CJK,
    ENDING,
    FOLDS,
    JOINER,
    LETTER,
    MARK,
    START,
    UPPER,
    apostrophe,
    ascii_classes,
    characters,
    class_at,
)
from festinger._fast.compounds cimport add_piece, add_word, close_run
from festinger._fast.forms cimport TOKEN_CHARACTERS_MAX, form_is_concept
from festinger._fast.reading cimport (
    CAPITAL,
    CONCEPT,
    Piece,
    Reader,
    reserve_out,
)

from festinger._fast import alphabet

cdef extern from "Python.h":
    const char* PyUnicode_AsUTF8AndSize(object text, Py_ssize_t* size) except NULL


cdef enum:
    WIDE = 512  # beside the class bits of a word: not all of it is ASCII

cdef const uint16_t* ASCII = ascii_classes()
cdef object python_lower = alphabet.lower


cdef struct Found:
    # A word: bytes [start, end) of the text, and where to go on behind it.
    size_t start
    size_t end
    size_t stop
    int first  # class bits of its first character
    int seen  # of all its characters


cdef int read_closely(Reader* reader, size_t first, size_t last) except -1 nogil:
    """Read some words by their numbers, and the run that they may be."""
    cdef size_t number, start, end, at = 0
    for number in range(first, last + 1):
        start = reader.words.bounds[2 * number]
        end = reader.words.bounds[2 * number + 1]
        if at <= start and is_plain(reader, start, end):
            at = read_plain(reader, start, end)
            continue
        # A literal ending may have taken the word before into this one.
        at = max(at, start)
        while at < end:
            at = read_one(reader, at)
    return close_run(reader)


cdef size_t read_one(Reader* reader, size_t at) except 0 nogil:
    """Read what is one word or none, whatever the bits say; return where to go on."""
    cdef size_t size = 0
    cdef int bits = class_at(reader.text + at, &size)
    if bits & START:
        return read_word(reader, at)
    if bits & CJK:
        return read_cjk(reader, at)
    reader.steps += 1
    return at + size


# ---- plain words ----

cdef bint is_plain(Reader* reader, size_t start, size_t end) noexcept nogil:
    """Whether a word is one, of ASCII and without a literal ending."""
    cdef uint8_t wide = 0
    cdef size_t i
    if reader.wide:
        for i in range(start, end):
            wide |= reader.text[i]
        reader.steps += end - start
    # What is behind the word is ASCII, or it would be of the word.
    return not (wide & 0x80 or ASCII[reader.text[end]] & ENDING)


cdef size_t read_plain(Reader* reader, size_t start, size_t end) except 0 nogil:
    cdef const uint8_t* text = reader.text
    cdef Piece piece
    cdef size_t stop = end
    while end - start > 2 and text[end - 2] == c"'" and text[end - 1] in (c"s", c"S"):
        end -= 2
    piece.start = piece.offset = start
    piece.end = end
    piece.length = end - start
    piece.flags = CONCEPT * form_is_concept(
        reader.out + start, text + start, piece.length
    )
    if ASCII[text[start]] & UPPER:
        piece.flags |= CAPITAL
    add_word(reader, &piece)
    reader.steps += stop - start
    return stop


# ---- other words ----

cdef size_t read_word(Reader* reader, size_t start) except 0 nogil:
    """Take a word character by character; return where to go on."""
    cdef Found found
    cdef Piece piece
    cdef size_t size = 0
    memset(&found, 0, sizeof(found))
    found.start = start
    found.first = class_at(reader.text + start, &size)
    end_of_word(reader, &found)
    piece.start = start
    piece.end = found.end
    if found.seen & (WIDE | FOLDS):
        write_word(reader, &found, &piece)
    else:
        piece.offset = start
        piece.length = found.end - start
    piece.flags = CONCEPT * may_be_concept(reader, &found, &piece)
    if found.first & UPPER:
        piece.flags |= CAPITAL
    add_word(reader, &piece)
    reader.steps += found.stop - start
    return found.stop


cdef bint may_be_concept(
    Reader* reader, const Found* found, const Piece* piece
) noexcept nogil:
    """Whether a word's form lets it be a concept: not a number, hash or key."""
    if not found.seen & (UPPER | LETTER):
        return False
    if found.seen & WIDE:
        return characters(reader.out + piece.offset, piece.length) <= (
            TOKEN_CHARACTERS_MAX
        )
    return form_is_concept(
        reader.out + piece.offset, reader.text + found.start, piece.length
    )


cdef int end_of_word(Reader* reader, Found* found) except -1 nogil:
    """Find where the word at `found.start` ends, and where to go on."""
    cdef const uint8_t* text = reader.text
    cdef size_t at = found.start, size = 0, next_size = 0
    cdef int bits
    while True:
        bits = class_at(text + at, &size)
        if bits & START or (bits & MARK and at > found.start):
            found.seen |= bits | (WIDE if size > 1 else 0)
        elif bits & JOINER and class_at(text + at + size, &next_size) & START:
            found.seen |= WIDE if size > 1 else 0
        elif bits & ENDING and ending_size(reader, found.start, at):
            size = ending_size(reader, found.start, at)
            if text[at + size] != c"_":
                found.end = at + size
                return skip_possessives(reader, found)
        else:
            break
        at += size
    found.stop = at
    while text[at - 1] in (c"s", c"S") and at - found.start > 2:
        if text[at - 2] == c"'":
            at -= 2
        elif at - found.start > 4 and apostrophe(text + at - 4) == 3:
            at -= 4
        else:
            break
    found.end = at
    if at < found.stop:
        return see_again(reader, found)
    return 0


cdef size_t ending_size(Reader* reader, size_t start, size_t end) noexcept nogil:
    """Length of a literal ending at `end`: of c++, c# or f#."""
    cdef const uint8_t* at = reader.text + end
    if end - start >= 2 and at[-2] not in (c"_", c"-"):
        return 0
    if at[-1] in (c"c", c"C") and at[0] == c"+" and at[1] == c"+":
        return 2
    if at[-1] in (c"c", c"C", c"f", c"F") and at[0] == c"#":
        return 1
    return 0


cdef int see_again(Reader* reader, Found* found) except -1 nogil:
    """Collect the classes of a word anew, without its possessive."""
    cdef size_t at = found.start, size = 0
    found.seen = 0
    while at < found.end:
        found.seen |= class_at(reader.text + at, &size)
        if size > 1:
            found.seen |= WIDE
        at += size
    return 0


cdef int skip_possessives(Reader* reader, Found* found) except -1 nogil:
    """Step over each `'s` that follows a literal ending."""
    cdef const uint8_t* text = reader.text
    cdef size_t at = found.end, size, next_size = 0
    while True:
        size = apostrophe(text + at)
        if not size or text[at + size] not in (c"s", c"S"):
            break
        if class_at(text + at + size + 1, &next_size) & (START | MARK):
            break
        at += size + 1
    found.stop = at
    return 0


cdef int write_word(Reader* reader, const Found* found, Piece* piece) except -1 nogil:
    """Write a word to the end of the output, lowered."""
    cdef const uint8_t* text = reader.text
    cdef char* out
    cdef size_t at = found.start, size
    piece.offset = reader.used
    if found.seen & FOLDS:
        piece.length = write_folded(reader, found.start, found.end)
    else:
        reserve_out(reader, found.end - found.start)
        out = reader.out + reader.used
        while at < found.end:
            size = apostrophe(text + at)
            out[0] = c"'" if size else reader.out[at]
            out += 1
            at += size if size else 1
        piece.length = out - (reader.out + reader.used)
    reader.used += piece.length
    reader.steps += found.end - found.start + piece.length
    return 0


cdef size_t write_folded(Reader* reader, size_t start, size_t end) except 0 nogil:
    """Write what Python alone can lower."""
    cdef const char* lowered
    cdef Py_ssize_t length = 0
    with gil:
        word = PyUnicode_DecodeUTF8(
            <const char*>reader.text + start, end - start, NULL
        )
        word = python_lower(word)
        lowered = PyUnicode_AsUTF8AndSize(word, &length)
        reserve_out(reader, length)
        memcpy(reader.out + reader.used, lowered, length)
    return length


# ---- Chinese and Japanese ----

cdef size_t read_cjk(Reader* reader, size_t start) except 0 nogil:
    """Split a run into overlapping pairs; a single character is a token."""
    cdef Found pair, unit
    cdef size_t at = start, size = 0, units = 0
    cdef int bits = class_at(reader.text + at, &size)
    close_run(reader)
    memset(&pair, 0, sizeof(pair))
    while bits & CJK:
        memset(&unit, 0, sizeof(unit))
        unit.start = at
        while True:
            unit.seen |= bits & FOLDS
            at += size
            bits = class_at(reader.text + at, &size)
            if not bits & MARK:
                break
        unit.end = at
        if units:
            pair.end = at
            pair.seen |= unit.seen
            add_pair(reader, &pair)
        pair = unit
        units += 1
    if units == 1:
        add_pair(reader, &pair)
    reader.steps += 2 * (at - start)
    return at


cdef int add_pair(Reader* reader, const Found* pair) except -1 nogil:
    cdef Piece piece
    piece.start = pair.start
    piece.end = pair.end
    piece.flags = 0
    write_word(reader, pair, &piece)
    if characters(reader.out + piece.offset, piece.length) <= TOKEN_CHARACTERS_MAX:
        piece.flags = CONCEPT
    return add_piece(reader, &piece)
