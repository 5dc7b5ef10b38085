"""From text to tokens, in C.

The text's bytes become bits, 64 at a time (`blocks.h`), the bits words (`words.h`), and
the words terms (`terms.h`); where the processor can, bits and words are found by wider
instructions (`avx512.h`). Nine words in ten are taken as they stand, in one loop that
hardly branches. The others are read closely: words with a character beyond ASCII, with
a possessive or a literal ending, and runs of capitalised words (`closely`,
`compounds`). At the end each term is told what kind of word it is.

A term's bytes are where its first token stands in the lowered text, or, where they are
not the same bytes there, behind it.
"""

from libc.stdint cimport uint32_t

from festinger._fast.closely cimport read_closely
from festinger._fast.forms cimport HEX_DIGITS_MIN, form_is_concept, letters_of
from festinger._fast.rooms cimport need
from festinger._fast.terms cimport (
    TERM_CONCEPT,
    TERM_KNOWN,
    Key,
    Term,
    Token,
    terms_move,
    terms_seen_bits,
    terms_take,
)
from festinger._fast.words cimport (
    SEEN_WIDE,
    WORDS_BOUNDS_MAX,
    WORDS_MARKED_MAX,
    Block,
    avx512_blocks_read,
    avx512_is_there,
    avx512_words_find,
    blocks_read,
    words_find,
)
from festinger._fast.wordtable cimport CLOSED, WordTable, word_table

from festinger._fast import values


cdef enum:
    PADDING = 16

cdef const WordTable* table = word_table()
cdef bint has_avx512 = avx512_is_there()

assert CONCEPT == values.CONCEPT and CAPITAL == values.CAPITAL
assert COMPOUND == values.COMPOUND and CONCEPT == TERM_CONCEPT


# ---- room ----

cdef int reserve_out(Reader* reader, size_t more) except -1 nogil:
    """Room for more bytes behind the output."""
    need(&reader.shelf.lowered, reader.used + more + PADDING)
    reader.out = reader.shelf.lowered.at
    return 0


cdef int reserve_terms(Reader* reader) except -1 nogil:
    """Room for one more token and term than the words that are left."""
    cdef size_t wanted = reader.terms.token_count + reader.words_left + 3
    if wanted <= reader.terms_room:
        return 0
    return make_room(reader, wanted + wanted // 2)


cdef int make_room(Reader* reader, size_t wanted) except -1 nogil:
    """Room for so many tokens and terms; those that there are stay."""
    cdef int bits = terms_seen_bits(wanted)
    need(&reader.shelf.tokens, wanted * sizeof(Token))
    need(&reader.shelf.keys, wanted * sizeof(Key))
    need(&reader.shelf.terms, wanted * sizeof(Term))
    need(&reader.shelf.seen, sizeof(uint32_t) << bits)
    need(&reader.shelf.cues, (wanted + 1) * sizeof(uint32_t))
    reader.terms.tokens = <Token*>reader.shelf.tokens.at
    reader.terms.keys = <Key*>reader.shelf.keys.at
    reader.terms.terms = <Term*>reader.shelf.terms.at
    reader.terms.cues = <uint32_t*>reader.shelf.cues.at
    terms_move(&reader.terms, <uint32_t*>reader.shelf.seen.at, bits)
    reader.terms_room = wanted
    return 0


# ---- reading ----

cdef int find_words(Reader* reader) except -1 nogil:
    """Lower the text, and find where its words are."""
    cdef size_t count = reader.length // 64 + 1
    cdef Block* blocks
    need(&reader.shelf.lowered, 64 * count + PADDING)
    need(&reader.workshop.blocks, (count + 1) * sizeof(Block))
    need(
        &reader.workshop.bounds, WORDS_BOUNDS_MAX(reader.length) * sizeof(uint32_t)
    )
    need(
        &reader.workshop.marked, WORDS_MARKED_MAX(reader.length) * sizeof(uint32_t)
    )
    reader.out = reader.shelf.lowered.at
    reader.used = 64 * count
    reader.words.bounds = <uint32_t*>reader.workshop.bounds.at
    reader.words.marked = <uint32_t*>reader.workshop.marked.at
    blocks = <Block*>reader.workshop.blocks.at
    if has_avx512 and not reader.portable:
        reader.seen = avx512_blocks_read(
            reader.text, reader.length, reader.out, blocks
        )
        avx512_words_find(blocks, count, &reader.words)
    else:
        reader.seen = blocks_read(reader.text, reader.length, reader.out, blocks)
        words_find(blocks, count, &reader.words)
    reader.wide = reader.seen & SEEN_WIDE
    reader.steps += 64 * count
    return 0


cdef int read_words(Reader* reader) except -1 nogil:
    """Take the plain words, and read the others closely."""
    cdef const uint32_t* marked = reader.words.marked
    cdef const uint32_t* behind = marked + reader.words.marked_count
    cdef size_t count = reader.words.count, at = 0, last
    reader.terms.term_count = 1
    reader.terms.words = table
    make_room(reader, count + 8)
    while True:
        last = marked[0] if marked < behind else count
        terms_take(
            &reader.terms, reader.words.bounds, at, last, reader.text, reader.out
        )
        if last == count:
            break
        # Each marked word with the one behind it.
        at = last
        while True:
            if marked < behind and marked[0] == last:
                marked += 1
            # One that a literal ending took into the word before is not the one behind.
            elif last >= count or not goes_on(reader, last):
                break
            last += 1
        last = min(last, count - 1)
        reader.words_left = count - last
        read_closely(reader, at, last)
        at = last + 1
    reader.steps += reader.words.count
    return 0


cdef inline bint goes_on(const Reader* reader, size_t number) noexcept nogil:
    """Whether a word stands right behind what may be a literal ending."""
    cdef uint32_t start = reader.words.bounds[2 * number]
    return start > 0 and reader.text[start - 1] in (c"+", c"#")


cdef void judge_terms(Reader* reader) noexcept nogil:
    """Decide what the plain terms are; without branches, since nobody could guess."""
    cdef const Key* key
    cdef Term* term
    cdef uint32_t number
    for number in range(1, reader.terms.term_count):
        key = &reader.terms.keys[number]
        term = &reader.terms.terms[number]
        if term.flags & TERM_KNOWN:
            continue
        term.flags |= CONCEPT * (
            ((letters_of(key.words[0]) | letters_of(key.words[1])) != 0)
            & (term.flags & CLOSED == 0)
        )
        if term.length >= HEX_DIGITS_MIN and not form_is_concept(
            reader.out + term.offset, reader.text + term.offset, term.length
        ):
            term.flags &= ~CONCEPT
    reader.steps += reader.terms.term_count


cdef int read_all(Reader* reader) except -1 nogil:
    """Read a text; the reader has it and what shapes the reading, and is else zero."""
    find_words(reader)
    read_words(reader)
    judge_terms(reader)
    reader.steps += reader.terms.steps
    return 0
