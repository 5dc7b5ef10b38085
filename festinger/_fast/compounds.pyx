"""Runs of capitalised words, and what becomes of them.

A capitalised word waits in the reader's run until it is known what follows. Then the
run becomes one compound, or each of its words a token. A run longer than a compound can
be is a headline: its words no longer wait.
"""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcpy

from festinger._fast.characters cimport characters
from festinger._fast.forms cimport TOKEN_CHARACTERS_MAX
from festinger._fast.hash cimport KEY_BYTES, hash_key, key_of_padded
from festinger._fast.reading cimport (
    CAPITAL,
    COMPOUND,
    COMPOUND_WORDS_MAX,
    CONCEPT,
    Piece,
    Reader,
    reserve_out,
    reserve_terms,
)
from festinger._fast.terms cimport (
    TERM_KNOWN,
    TOKEN_COMPOUND,
    Key,
    Term,
    terms_enter,
    terms_enter_long,
    terms_push,
)
from festinger._fast.wordtable cimport (
    BREAKS,
    CLOSED,
    CUE,
    PATTERN,
    WordTable,
    word_flags,
    word_table,
)

cdef const WordTable* table = word_table()


# ---- tokens ----

cdef void hash_piece(Reader* reader, Piece* piece) noexcept nogil:
    cdef const char* data = reader.out + piece.offset
    key_of_padded(data, piece.length, piece.key)
    piece.hash = hash_key(data, piece.length, piece.key, reader.terms.secret)


cdef int push(Reader* reader, const Piece* piece) except -1 nogil:
    """Append a token, and its term if it is new."""
    cdef Key key
    cdef Term term
    cdef uint32_t number
    reserve_terms(reader)
    term.hash = piece.hash
    term.offset = <uint32_t>piece.offset
    term.length = <uint32_t>piece.length
    term.flags = TERM_KNOWN | (piece.flags & (CONCEPT | CLOSED | CUE | PATTERN))
    term.first = <uint32_t>reader.terms.token_count
    if piece.length > KEY_BYTES:
        number = terms_enter_long(&reader.terms, &term, reader.out)
    else:
        key.words[0], key.words[1] = piece.key[0], piece.key[1]
        number = terms_enter(&reader.terms, &key, &term, reader.out)
    if piece.flags & COMPOUND:
        number |= TOKEN_COMPOUND
    terms_push(&reader.terms, <uint32_t>piece.start, <uint32_t>piece.end, number)
    return 0


cdef int add_piece(Reader* reader, Piece* piece) except -1 nogil:
    """Append a token that is no word: it has no kind and ends no run."""
    hash_piece(reader, piece)
    return push(reader, piece)


cdef int add_word(Reader* reader, Piece* piece) except -1 nogil:
    """Append a word, or let it wait; CONCEPT says that its form lets it be one."""
    hash_piece(reader, piece)
    if piece.length <= KEY_BYTES:
        piece.flags |= word_flags(table, piece.hash, piece.key)
    if piece.flags & CLOSED:
        piece.flags &= ~CONCEPT
    # What is no concept is no part of one: a key behind "Bearer" is still a key.
    if not piece.flags & CAPITAL or not piece.flags & CONCEPT or piece.flags & BREAKS:
        close_run(reader)
        return push(reader, piece)
    if reader.run_length and not continues_run(reader, piece.start):
        close_run(reader)
    return wait(reader, piece)


# ---- runs ----

cdef int wait(Reader* reader, const Piece* piece) except -1 nogil:
    """Let a word be the next of the run."""
    cdef size_t i
    if reader.run_length == COMPOUND_WORDS_MAX:
        for i in range(COMPOUND_WORDS_MAX):
            push(reader, &reader.run[i])
    if reader.run_length >= COMPOUND_WORDS_MAX:
        push(reader, piece)
    else:
        reader.run[reader.run_length] = piece[0]
    reader.run_length += 1
    # A possessive ends the run by itself: it is not among the bytes of the word, so
    # the next one is not one space away.
    reader.run_end = piece.end
    return 0


cdef bint continues_run(Reader* reader, size_t start) noexcept nogil:
    """Whether one space, or one line wrap that is no heading's, is between."""
    cdef const uint8_t* between = reader.text + reader.run_end
    cdef size_t length = start - reader.run_end
    if length == 1 and between[0] == c" ":
        return True
    if length == 2 and between[0] == 0xC2 and between[1] == 0xA0:
        return True
    if (length == 1 and between[0] == c"\n") or (
        length == 2 and between[0] == c"\r" and between[1] == c"\n"
    ):
        return not in_heading(reader, reader.run_end)
    return False


cdef bint in_heading(Reader* reader, size_t at) noexcept nogil:
    # At most once a line, since a line has one wrap: linear over the text.
    cdef size_t line = at
    while line > 0 and reader.text[line - 1] != c"\n":
        line -= 1
    reader.steps += at - line
    while line < at and reader.text[line] in (c" ", c"\t"):
        line += 1
    return reader.text[line] == c"#"


cdef int close_run(Reader* reader) except -1 nogil:
    """Merge the run into one compound, or give it back as single words."""
    cdef size_t run = reader.run_length, i
    reader.run_length = 0
    reader.steps += run
    if run > COMPOUND_WORDS_MAX:
        return 0
    if run >= 2 and compound_characters(reader, run) <= TOKEN_CHARACTERS_MAX:
        return push_compound(reader, run)
    for i in range(run):
        push(reader, &reader.run[i])
    return 0


cdef size_t compound_characters(Reader* reader, size_t run) noexcept nogil:
    cdef size_t length = run - 1, i
    for i in range(run):
        length += characters(reader.out + reader.run[i].offset, reader.run[i].length)
        reader.steps += reader.run[i].length
    return length


cdef int push_compound(Reader* reader, size_t run) except -1 nogil:
    cdef Piece* words = reader.run
    cdef Piece compound = words[0]
    cdef size_t i
    if not is_in_place(reader, words, run):
        write_anew(reader, words, run)
    for i in range(run - 1):
        reader.out[words[i].offset + words[i].length] = c"_"
    compound.end = words[run - 1].end
    compound.offset = words[0].offset
    compound.length = words[run - 1].offset + words[run - 1].length - words[0].offset
    compound.flags = CONCEPT | CAPITAL | COMPOUND
    return add_piece(reader, &compound)


cdef bint is_in_place(
    const Reader* reader, const Piece* words, size_t run
) noexcept nogil:
    """Whether the words of a run stand in the output with one byte between each.

    A line break is none that may be written over: by it lines are told.
    """
    cdef size_t i, end
    for i in range(run - 1):
        end = words[i].offset + words[i].length
        if end + 1 != words[i + 1].offset or reader.out[end] == c"\n":
            return False
    return True


cdef int write_anew(Reader* reader, Piece* words, size_t run) except -1 nogil:
    """Write the words of a run to the output's end, with a byte between each."""
    cdef size_t i
    for i in range(run):
        reserve_out(reader, words[i].length + 1)
        memcpy(
            reader.out + reader.used, reader.out + words[i].offset, words[i].length
        )
        words[i].offset = reader.used
        reader.used += words[i].length + 1
    return 0
