"""From text to tokens, in C.

First the text's UTF-8 is lowered and its classes become bits, 64 bytes at a time
(`blocks.h`). Then the runs of word bits are walked over: a run of ASCII is a token as
it stands (`take_word`); one with anything else in it is read character by character,
with Unicode's classes from a table that fills itself, and Python is asked only for the
lower case of what Python alone can lower (`read_characters`).

A token's bytes are where they stand in the lowered text, or, where they are not the
same bytes there, behind it. Merging capitalised words writes a `_` over the space
between them.
"""

from cpython.mem cimport PyMem_Free, PyMem_Malloc, PyMem_Realloc
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from festinger._fast.blocks cimport (
    Block,
    block_read,
    blocks_end,
    blocks_join,
    blocks_letter,
    blocks_start,
    blocks_wide,
)
from festinger._fast.characters cimport (
    CJK,
    ENDING,
    FOLDS,
    HEX_DIGITS_MIN,
    JOINER,
    LETTER,
    MARK,
    START,
    UPPER,
    apostrophe,
    ascii_classes,
    characters,
    class_at,
    is_hex_or_base64,
)
from festinger._fast.index cimport hash_key, key_of_padded
from festinger._fast.wordtable cimport (
    BREAKS,
    CLOSED,
    WORD_BYTES_MAX,
    WordTable,
    hash_secret,
    word_flags,
    word_table,
)

from festinger._fast import alphabet, values

cdef extern from "Python.h":
    const char* PyUnicode_AsUTF8AndSize(object text, Py_ssize_t* size) except NULL


cdef enum:
    WIDE = 512  # beside the class bits of a word: not all of it is ASCII

    TOKEN_CHARACTERS_MAX = 64
    COMPOUND_WORDS_MAX = 5

    PADDING = 16

cdef const uint16_t* ASCII = ascii_classes()
cdef const WordTable* table = word_table()
cdef uint64_t secret = hash_secret()
cdef object python_lower = alphabet.lower

assert CONCEPT == values.CONCEPT and CAPITAL == values.CAPITAL
assert COMPOUND == values.COMPOUND


# ---- room ----

cdef int reserve_out(Reader* reader, size_t need) except -1:
    cdef size_t wanted = reader.used + need + PADDING
    cdef char* grown
    if wanted <= reader.capacity:
        return 0
    wanted += wanted // 2
    grown = <char*>PyMem_Realloc(reader.out, wanted)
    if grown == NULL:
        raise MemoryError
    reader.out = grown
    reader.capacity = wanted
    return 0


cdef int reserve_token(Reader* reader) except -1:
    """Room for one more token than the runs that were counted."""
    cdef size_t wanted
    cdef Token* grown
    if reader.count < reader.tokens_capacity:
        return 0
    wanted = reader.tokens_capacity + reader.tokens_capacity // 2 + 8
    grown = <Token*>PyMem_Realloc(reader.tokens, wanted * sizeof(Token))
    if grown == NULL:
        raise MemoryError
    reader.tokens = grown
    reader.tokens_capacity = wanted
    return 0


# ---- tokens ----

cdef struct Found:
    # A word: bytes [start, end) of the text, `length` bytes at `offset` of the output.
    size_t start
    size_t end
    size_t characters
    size_t offset
    size_t length
    int first  # class bits of its first character
    int seen  # of all its characters


cdef inline Token* push(Reader* reader, const Found* found) except NULL:
    cdef size_t start = found.start - reader.skew
    cdef Token* token
    reserve_token(reader)
    token = &reader.tokens[reader.count]
    token.start = <uint32_t>start
    token.end = <uint32_t>(start + found.characters)
    token.offset = <uint32_t>found.offset
    token.length = <uint32_t>found.length
    token.flags = 0
    reader.count += 1
    return token


cdef inline void hash_token(Reader* reader, Token* token, uint64_t* key) noexcept:
    cdef const char* data = reader.out + token.offset
    key_of_padded(data, token.length, key)
    token.hash = hash_key(data, token.length, key, secret)


cdef int close_run(Reader* reader) except -1:
    """Merge the run into one compound, unless it is too long or too short."""
    cdef size_t run = reader.run, length, i
    cdef Token* first
    cdef uint64_t key[2]
    reader.run = 0
    reader.steps += run
    if run < 2 or run > COMPOUND_WORDS_MAX:
        return 0
    first = &reader.tokens[reader.count - run]
    length = run - 1
    for i in range(run):
        length += characters(reader.out + first[i].offset, first[i].length)
        reader.steps += first[i].length
    if length > TOKEN_CHARACTERS_MAX:
        return 0
    if is_in_place(first, run):
        for i in range(run - 1):
            reader.out[first[i].offset + first[i].length] = c"_"
    else:
        write_compound(reader, first, run)
    first.end = first[run - 1].end
    first.length = first[run - 1].offset + first[run - 1].length - first.offset
    first.flags = CONCEPT | CAPITAL | COMPOUND
    hash_token(reader, first, key)
    reader.count -= run - 1
    return 0


cdef int write_compound(Reader* reader, Token* tokens, size_t run) except -1:
    """Write the words of a run anew, at the output's end, with a `_` between them."""
    cdef size_t i
    for i in range(run):
        reserve_out(reader, tokens[i].length + 1)
        memcpy(
            reader.out + reader.used, reader.out + tokens[i].offset, tokens[i].length
        )
        tokens[i].offset = <uint32_t>reader.used
        reader.used += tokens[i].length
        reader.out[reader.used] = c"_"
        reader.used += 1
    return 0


cdef inline bint is_in_place(const Token* first, size_t run) noexcept:
    """Whether the words of a run stand in the output with one byte between each."""
    cdef size_t i
    for i in range(run - 1):
        if first[i].offset + first[i].length + 1 != first[i + 1].offset:
            return False
    return True


cdef bint in_heading(Reader* reader, size_t at) noexcept:
    # At most once a line, since a line has one wrap: linear over the text.
    cdef size_t line = at
    while line > 0 and reader.text[line - 1] != c"\n":
        line -= 1
    reader.steps += at - line
    while line < at and reader.text[line] in (c" ", c"\t"):
        line += 1
    return reader.text[line] == c"#"


cdef bint continues_run(Reader* reader, size_t start) noexcept:
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


cdef int add_word(Reader* reader, const Found* found) except -1:
    """Append a word, and begin, continue or end the run of capitalised words."""
    cdef Token* token = push(reader, found)
    cdef uint64_t key[2]
    cdef uint32_t flags = 0
    hash_token(reader, token, key)
    if found.length <= WORD_BYTES_MAX:
        flags = word_flags(table, token.hash, key)
    if not flags & CLOSED and may_be_concept(reader, found):
        flags |= CONCEPT
    token.flags = flags & ~BREAKS
    if found.first & UPPER:
        return add_capital(reader, token, flags, found.start, found.end)
    if reader.run:
        return close_run_before(reader)
    return 0


cdef int add_capital(
    Reader* reader, Token* token, uint32_t flags, size_t start, size_t end
) except -1:
    """Let the last token, `[start, end)` of the text, take part in a run."""
    # What is no concept is no part of one: a key behind "Bearer" is still a key.
    cdef bint breaks = flags & BREAKS != 0 or not flags & CONCEPT
    token.flags |= CAPITAL
    if reader.run and (breaks or not continues_run(reader, start)):
        close_run_before(reader)
    if breaks:
        return 0
    reader.run += 1
    # A possessive ends the run by itself: it is not among the bytes of the token, so
    # the next one is not one space away.
    reader.run_end = end
    return 0


cdef bint may_be_concept(Reader* reader, const Found* found) noexcept:
    """Whether a word's form lets it be a concept: not a number, hash or key."""
    cdef const char* lowered = reader.out + found.offset
    if not found.seen & (UPPER | LETTER):
        return False
    if found.seen & WIDE:
        return characters(lowered, found.length) <= TOKEN_CHARACTERS_MAX
    return found.length <= TOKEN_CHARACTERS_MAX and not is_hex_or_base64(
        lowered, reader.text + found.start, found.length
    )


cdef int close_run_before(Reader* reader) except -1:
    """Close the run that ends before the last token."""
    cdef Token last = reader.tokens[reader.count - 1]
    reader.count -= 1
    close_run(reader)
    reader.tokens[reader.count] = last
    reader.count += 1
    return 0


cdef size_t ending_size(Reader* reader, size_t start, size_t end) noexcept:
    """Length of a literal ending at `end`: of c++, c# or f#."""
    cdef const uint8_t* at = reader.text + end
    if end - start >= 2 and at[-2] not in (c"_", c"-"):
        return 0
    if at[-1] in (c"c", c"C") and at[0] == c"+" and at[1] == c"+":
        return 2
    if at[-1] in (c"c", c"C", c"f", c"F") and at[0] == c"#":
        return 1
    return 0


cdef int end_of_word(Reader* reader, Found* found, size_t* stop) except -1:
    """Find where the word at `found.start` ends, and where to go on."""
    cdef const uint8_t* text = reader.text
    cdef size_t at = found.start, count = 0, size = 0, next_size = 0
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
                found.characters = count + size
                return skip_possessives(reader, found, stop)
            count += size - 1
        else:
            break
        at += size
        count += 1
    stop[0] = at
    while count > 2 and text[at - 1] in (c"s", c"S"):
        if text[at - 2] == c"'":
            at -= 2
        elif text[at - 2] == 0x99 and apostrophe(text + at - 4):
            at -= 4
        else:
            break
        count -= 2
    found.end = at
    found.characters = count
    if at < stop[0]:
        return see_again(reader, found)
    return 0


cdef int see_again(Reader* reader, Found* found) except -1:
    """Collect the classes of a word anew, without its possessive."""
    cdef size_t at = found.start, size = 0
    found.seen = 0
    while at < found.end:
        found.seen |= class_at(reader.text + at, &size)
        if size > 1:
            found.seen |= WIDE
        at += size
    return 0


cdef int skip_possessives(Reader* reader, Found* found, size_t* stop) except -1:
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
    stop[0] = at
    return 0


cdef int write_word(Reader* reader, Found* found) except -1:
    """Write a word to the end of the output, lowered."""
    cdef const uint8_t* text = reader.text
    cdef Py_ssize_t length = found.end - found.start
    cdef const char* lowered
    cdef char* out
    cdef size_t at = found.start, size
    found.offset = reader.used
    if found.seen & FOLDS:
        word = PyUnicode_DecodeUTF8(<const char*>text + found.start, length, NULL)
        word = python_lower(word)
        lowered = PyUnicode_AsUTF8AndSize(word, &length)
        reserve_out(reader, length)
        memcpy(reader.out + reader.used, lowered, length)
        found.length = length
    else:
        reserve_out(reader, length)
        out = reader.out + reader.used
        while at < found.end:
            size = apostrophe(text + at)
            out[0] = c"'" if size else reader.out[at]
            out += 1
            at += size if size else 1
        found.length = out - (reader.out + reader.used)
    reader.used += found.length
    reader.steps += found.end - found.start + found.length
    return 0


cdef size_t read_word(Reader* reader, size_t start) except 0:
    """Take a word character by character; return where to go on."""
    cdef Found found
    cdef size_t stop = 0, size = 0, count, at
    memset(&found, 0, sizeof(found))
    found.start = start
    found.first = class_at(reader.text + start, &size)
    end_of_word(reader, &found, &stop)
    if found.seen & (WIDE | FOLDS):
        write_word(reader, &found)
    else:
        found.offset = start
        found.length = found.end - start
    add_word(reader, &found)
    reader.steps += stop - start
    count = found.characters
    at = found.end
    while at < stop:
        count += (reader.text[at] & 0xC0) != 0x80
        at += 1
    reader.skew += (stop - start) - count
    return stop


cdef size_t read_cjk(Reader* reader, size_t start) except 0:
    """Split a run into overlapping pairs; a single character is a token."""
    cdef Found pair, unit
    cdef size_t at = start, size = 0, units = 0, ahead = 0
    cdef int bits = class_at(reader.text + at, &size)
    close_run(reader)
    memset(&pair, 0, sizeof(pair))
    while bits & CJK:
        memset(&unit, 0, sizeof(unit))
        unit.start = at
        while True:
            unit.seen |= bits & FOLDS
            unit.characters += 1
            at += size
            bits = class_at(reader.text + at, &size)
            if not bits & MARK:
                break
        unit.end = at
        ahead = unit.characters
        if units:
            pair.end = at
            pair.seen |= unit.seen
            pair.characters += unit.characters
            add_pair(reader, &pair)
            # On to the second character, past the bytes that the first took more.
            reader.skew += (unit.start - pair.start) - (pair.characters - ahead)
        pair = unit
        units += 1
    if units == 1:
        add_pair(reader, &pair)
    reader.skew += (pair.end - pair.start) - pair.characters
    reader.steps += 2 * (at - start)
    return at


cdef int add_pair(Reader* reader, Found* pair) except -1:
    cdef Token* token
    cdef uint64_t key[2]
    write_word(reader, pair)
    token = push(reader, pair)
    hash_token(reader, token, key)
    if characters(reader.out + token.offset, token.length) <= TOKEN_CHARACTERS_MAX:
        token.flags = CONCEPT
    return 0


cdef size_t read_characters(Reader* reader, size_t start, size_t end) except 0:
    """Read a run that is not plain ASCII; return where to go on, `end` or behind it."""
    cdef size_t at = start, size = 0
    cdef int bits
    while at < end:
        bits = class_at(reader.text + at, &size)
        if bits & START:
            at = read_word(reader, at)
        elif bits & CJK:
            at = read_cjk(reader, at)
        else:
            reader.skew += size - 1
            reader.steps += 1
            at += size
    return at


cdef inline int take_word(Reader* reader, size_t start, size_t end) except -1:
    """Take a run of ASCII, which is a word as it stands.

    It does what `add_word` does for any word; most words come here.
    """
    cdef const uint8_t* text = reader.text
    cdef const char* lowered = reader.out + start
    cdef size_t length = end - start
    cdef int first = ASCII[text[start]]
    cdef uint32_t flags = 0
    cdef uint64_t key[2]
    cdef Token* token
    # In the order in which the answers are easiest to foresee.
    while end > 2 and text[end - 2] == c"'" and (
        lowered[length - 1] == c"s" and length > 2
    ):
        length -= 2
        end -= 2
    if reader.count == reader.tokens_capacity:
        reserve_token(reader)
    token = &reader.tokens[reader.count]
    reader.count += 1
    key_of_padded(lowered, length, key)
    token.hash = hash_key(lowered, length, key, secret)
    token.start = <uint32_t>(start - reader.skew)
    token.end = <uint32_t>(end - reader.skew)
    token.offset = <uint32_t>start
    token.length = <uint32_t>length
    if length <= WORD_BYTES_MAX:
        flags = word_flags(table, token.hash, key)
    if (first & (UPPER | LETTER) and length < HEX_DIGITS_MIN) or (
        is_concept_form(reader, start, length)
    ):
        # Without a branch, since every third word of prose is closed-class.
        flags |= CONCEPT * (not flags & CLOSED)
    token.flags = flags & ~BREAKS
    if first & UPPER:
        return add_capital(reader, token, flags, start, end)
    if reader.run:
        return close_run_before(reader)
    return 0


cdef bint is_concept_form(Reader* reader, size_t start, size_t length) noexcept:
    """Whether ASCII that is long, or does not begin with a letter, may be a concept."""
    if length > TOKEN_CHARACTERS_MAX:
        return False
    if not blocks_letter(reader.blocks, start, start + length):
        return False
    return length < HEX_DIGITS_MIN or not is_hex_or_base64(
        reader.out + start, reader.text + start, length
    )


cdef int read_text(Reader* reader) except -1:
    """Read all runs of words, of which the blocks say where they are."""
    cdef size_t at = 0, end
    while True:
        at = blocks_start(reader.blocks, at, reader.length)
        if at >= reader.length:
            break
        end = blocks_end(reader.blocks, at)
        if ASCII[reader.text[end]] & ENDING or (
            reader.wide and blocks_wide(reader.blocks, at, end)
        ):
            at = read_characters(reader, at, end)
            # A literal ending may have taken it into what the bits call another run.
            while at > end:
                end = blocks_end(reader.blocks, at)
                at = read_characters(reader, at, end)
        else:
            take_word(reader, at, end)
            at = end
    # What reading by bits took beside the bytes that the blocks have counted.
    reader.steps += reader.count
    close_run(reader)
    return 0


cdef int read_blocks(Reader* reader, size_t count) except -1:
    """Lower the text and make its bits; with room for the tokens that they show."""
    cdef uint8_t rest[64]
    cdef uint64_t wide = 0
    cdef size_t i, last = count - 1
    for i in range(last):
        block_read(reader.text + 64 * i, reader.out + 64 * i, &reader.blocks[i])
    memset(rest, 0, 64)
    memcpy(rest, reader.text + 64 * last, reader.length - 64 * last)
    block_read(rest, reader.out + 64 * last, &reader.blocks[last])
    memset(&reader.blocks[count], 0, sizeof(Block))
    reader.tokens_capacity = blocks_join(reader.blocks, count, &wide) + 1
    reader.wide = wide != 0
    reader.tokens = <Token*>PyMem_Malloc(reader.tokens_capacity * sizeof(Token))
    if reader.tokens == NULL:
        raise MemoryError
    reader.steps += 64 * count
    return 0


cdef int read_all(Reader* reader) except -1:
    # One block more than the text fills, so that the last is never full of words.
    cdef size_t count = reader.length // 64 + 1
    reader.used = 64 * count
    reader.capacity = reader.used + PADDING
    reader.out = <char*>PyMem_Malloc(reader.capacity)
    reader.blocks = <Block*>PyMem_Malloc((count + 1) * sizeof(Block))
    try:
        if reader.out == NULL or reader.blocks == NULL:
            raise MemoryError
        read_blocks(reader, count)
        read_text(reader)
    finally:
        PyMem_Free(reader.blocks)
    return 0
