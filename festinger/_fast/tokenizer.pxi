"""From a text to its tokens."""

# ---- word lists ----
#
# Laid out at import as a table without collisions: one comparison, no branch.


cdef extern from "terms.h" nogil:
    enum:
        # Flags of a word; the first two are those of `values`.
        CLOSED "WORD_CLOSED"
        CUE "WORD_CUE"
        BREAKS "WORD_BREAKS"
        PATTERN "WORD_PATTERN"

        WORD_SLOTS

    ctypedef struct Word:
        uint64_t key[2]
        uint32_t flags

    ctypedef struct WordTable:
        uint64_t factors[256]
        Word words[512]

    size_t word_slot(uint64_t hash, uint64_t factor) noexcept
    uint32_t word_flags(
        const WordTable* word_lists, uint64_t hash, const uint64_t* key
    ) noexcept


cdef enum:
    WORD_BYTES_MAX = 16


# As secret as Python's own string hashes, and fixed by PYTHONHASHSEED with them.
cdef uint64_t secret = hash("festinger") & 0xFFFFFFFFFFFFFFFF

cdef WordTable word_lists
assert CLOSED == values.CLOSED and CUE == values.CUE

cdef uint64_t hash_secret() noexcept:
    """Return the secret that keeps a writer of prompts from aiming at slots."""
    return secret


cdef uint64_t hash_word(str text, uint64_t* key) except? 0:
    cdef bytes word = text.encode()
    assert 0 < len(word) <= WORD_BYTES_MAX
    key_of(word, len(word), key)
    return hash_key(word, len(word), key, secret)


cdef int fill_table() except -1:
    cdef uint64_t key[2]
    buckets = {}
    for text in words.LISTED:
        buckets.setdefault(hash_word(text, key) >> 56, []).append(text)
    assert sum(map(len, buckets.values())) < 9 * WORD_SLOTS // 10, "too many words"
    # The fullest first, while there is most room.
    for number, bucket in sorted(buckets.items(), key=lambda item: -len(item[1])):
        fill_bucket(number, bucket)
    return 0


cdef int fill_bucket(int number, list bucket) except -1:
    """Find a factor that gives each word of a bucket a slot to itself."""
    cdef uint64_t factor = 1
    cdef uint64_t key[2]
    cdef Word* word
    while not fits(bucket, factor):
        factor += 2
    word_lists.factors[number] = factor
    for text in bucket:
        word = &word_lists.words[word_slot(hash_word(text, key), factor)]
        word.key[0], word.key[1] = key[0], key[1]
        word.flags = CLOSED if text in words.CLOSED_CLASS else 0
        if text in words.CUE_WORDS:
            word.flags |= CUE
        if text in words.PATTERN_WORDS:
            word.flags |= PATTERN
        if text in words.CLOSED_CLASS | words.OPENERS:
            word.flags |= BREAKS
    return 0


cdef bint fits(list bucket, uint64_t factor) except -1:
    cdef uint64_t key[2]
    slots = {word_slot(hash_word(text, key), factor) for text in bucket}
    return len(slots) == len(bucket) and not any(
        [word_lists.words[slot].flags for slot in slots]
    )

fill_table()


# ---- classes of characters ----
#
# Those of `alphabet.classify`, in a table that fills itself as characters are met.


cdef enum:
    UPPER = 1
    LETTER = 2
    DIGIT = 4
    UNDERSCORE = 8
    MARK = 16
    CJK = 32
    FOLDS = 64  # its lower case is Python's to say, or its order among marks is
    JOINER = 128
    ENDING = 256  # + and #
    INERT = 2048  # leaves NFC as it is, whatever stands beside it
    START = UPPER | LETTER | DIGIT | UNDERSCORE  # what a word can begin with


cdef inline uint32_t decode(const uint8_t* at, size_t* size) noexcept nogil:
    """Return the code point at a place of valid UTF-8, surrogates included."""
    if at[0] < 0x80:
        size[0] = 1
        return at[0]
    if at[0] < 0xE0:
        size[0] = 2
        return (at[0] & 0x1F) << 6 | (at[1] & 0x3F)
    if at[0] < 0xF0:
        size[0] = 3
        return (at[0] & 0x0F) << 12 | (at[1] & 0x3F) << 6 | (at[2] & 0x3F)
    size[0] = 4
    return (
        (at[0] & 0x07) << 18
        | (at[1] & 0x3F) << 12
        | (at[2] & 0x3F) << 6
        | (at[3] & 0x3F)
    )


cdef inline size_t apostrophe(const uint8_t* at) noexcept nogil:
    """Return the size of an apostrophe of either kind, or 0."""
    if at[0] == c"'":
        return 1
    return 3 if at[0] == 0xE2 and at[1] == 0x80 and at[2] == 0x99 else 0


cdef inline size_t characters(const char* data, size_t length) noexcept nogil:
    cdef size_t count = 0, i
    for i in range(length):
        count += (data[i] & 0xC0) != 0x80
    return count

import unicodedata

cdef extern from "text.h" nogil:
    uint16_t page_read(uint32_t point) noexcept
    int page_write(uint32_t point, uint16_t bits) noexcept


cdef enum:
    CLASS_KNOWN = 1024  # the page's entry is filled

cdef uint16_t ASCII[128]
cdef dict CLASS_BITS = {
    alphabet.UPPER: UPPER,
    alphabet.LETTER: LETTER,
    alphabet.DIGIT: DIGIT,
    alphabet.MARK: MARK,
    alphabet.CJK: CJK,
    "_": UNDERSCORE,
    ".": JOINER,
    "-": JOINER,
    "'": JOINER,
    "+": ENDING,
    "#": ENDING,
}

cdef int class_bits(str character) except -1:
    cdef int bits = CLASS_BITS.get(alphabet.classify(character), 0)
    if bits & (START | MARK | CJK) and (
        character.lower() != character or unicodedata.combining(character)
    ):
        bits |= FOLDS
    if alphabet.is_inert(character):
        bits |= INERT
    return bits


cdef int fill_ascii() except -1:
    cdef int byte
    for byte in range(128):
        # C lowers these by itself.
        ASCII[byte] = class_bits(chr(byte)) & ~FOLDS
    return 0

fill_ascii()

cdef int class_of(uint32_t point) except -1 nogil:
    """The class bits of a character."""
    cdef uint16_t bits
    if point < 0x80:
        return ASCII[point]
    bits = page_read(point)
    if not bits:
        with gil:
            bits = fill_class(point)
    return bits


cdef int class_at(const uint8_t* at, size_t* size) except -1 nogil:
    """The class bits of the character at a place of the text."""
    return class_of(decode(at, size))


cdef uint16_t fill_class(uint32_t point) except 0:
    """Ask what a character is, and write it down."""
    cdef uint16_t bits = CLASS_KNOWN | class_bits(chr(point))
    if page_write(point, bits) < 0:
        raise MemoryError
    return bits


# ---- forms of words ----
#
# Whether the form of a word of ASCII lets it be a concept.


cdef extern from "terms.h" nogil:
    enum:
        TOKEN_CHARACTERS_MAX
        HEX_DIGITS_MIN

    uint64_t letters_of(uint64_t bytes) noexcept
    bint form_is_concept(
        const char *lowered, const uint8_t *text, size_t length
    ) noexcept


# ---- tokens and terms ----
#
# Each token, and each distinct one once, as a term.


cdef extern from "terms.h" nogil:
    enum:
        TERM_CONCEPT
        TERM_KNOWN
        TOKEN_COMPOUND
        TOKEN_CUE
        TOKEN_PATTERN
        TOKEN_TERM

    ctypedef struct Token:
        uint32_t start
        uint32_t end
        uint32_t term

    ctypedef struct Key:
        uint64_t words[2]

    ctypedef struct Term:
        uint64_t hash
        uint32_t offset
        uint32_t length
        uint32_t flags
        uint32_t first

    ctypedef struct Terms:
        Token *tokens
        Key *keys
        Term *terms
        uint32_t *seen
        uint32_t *cues
        int seen_bits
        size_t token_count
        size_t cue_count
        uint32_t term_count
        const WordTable *words
        uint64_t secret
        uint64_t hash_mask
        uint64_t steps

    int terms_seen_bits(size_t tokens) noexcept
    void terms_move(Terms *terms, uint32_t *seen, int bits) noexcept
    size_t terms_home(const Terms *terms, uint64_t hash) noexcept
    uint32_t terms_find(
        Terms *terms,
        const Key *key,
        const char *bytes,
        size_t length,
        const char *lowered,
        size_t *at,
    ) noexcept
    uint32_t terms_enter(
        Terms *terms, const Key *key, const Term *term, const char *lowered
    ) noexcept
    uint32_t terms_enter_long(
        Terms *terms, Term *term, const char *lowered
    ) noexcept
    void terms_push(
        Terms *terms, uint32_t start, uint32_t end, uint32_t term
    ) noexcept
    void terms_take(
        Terms *terms,
        const uint32_t *bounds,
        size_t first,
        size_t last,
        const uint8_t *text,
        const char *lowered,
    ) noexcept


# ---- words, by bits ----
#
# Words of a text as bits, 64 bytes at a time; wider instructions where they exist.


cdef extern from "text.h" nogil:
    ctypedef struct Block:
        pass

    ctypedef struct Words:
        uint32_t *bounds
        uint32_t *marked
        size_t count
        size_t marked_count

    enum:
        SEEN_WIDE
        SEEN_UNDERSCORE
        SEEN_FAR

    size_t WORDS_BOUNDS_MAX(size_t length) noexcept
    size_t WORDS_MARKED_MAX(size_t length) noexcept

    int blocks_read(
        const uint8_t *text, size_t length, char *lowered, Block *blocks
    ) noexcept
    void words_find(const Block *blocks, size_t count, Words *words) noexcept

    # The same, for processors that can.
    bint avx512_is_there() noexcept
    int avx512_blocks_read(
        const uint8_t *text, size_t length, char *lowered, Block *blocks
    ) noexcept
    void avx512_words_find(const Block *blocks, size_t count, Words *words) noexcept


# ---- buffers ----
#
# Memory that grows as needed and is freed with its owner.


cdef struct Buffer:
    char* at
    size_t size


cdef struct ReadBuffers:
    # What is needed while a text is read.
    Buffer text
    Buffer blocks
    Buffer bounds
    Buffer marked


cdef struct ScanBuffers:
    # What a scan keeps: its lowered bytes, tokens and terms, and the ways to these.
    Buffer lowered
    Buffer tokens
    Buffer keys
    Buffer terms
    Buffer seen
    Buffer cues


cdef struct RecallBuffers:
    # What a telling is made of: the candidates, the chosen, their edges and the names.
    Buffer known
    Buffer unknown
    Buffer chosen
    Buffer edges
    Buffer places


cdef struct LineBuffers:
    # What lines are written on, and where each of them is.
    Buffer text
    Buffer written


cdef inline int ensure(Buffer* buffer, size_t size) except -1 nogil:
    """Make a buffer at least so large; what is in it stays."""
    return 0 if size <= buffer.size else grow_buffer(buffer, size)


cdef int grow_buffer(Buffer* buffer, size_t size) except -1 nogil:
    """Make a buffer larger, and somewhat more than is needed now."""
    cdef char* grown
    size += size // 2
    grown = <char*>realloc(buffer.at, size)
    if grown == NULL:
        with gil:
            raise MemoryError
    buffer.at = grown
    buffer.size = size
    return 0


cdef void free_buffers(Buffer* buffers, size_t size) noexcept:
    """Free the buffers that a struct of so many bytes consists of."""
    cdef size_t i
    for i in range(size // sizeof(Buffer)):
        free(buffers[i].at)


# ---- reading ----
#
# The text's bytes become bits, the bits words (`text.h`), and the words terms
# (`terms.h`). Nine words in ten are taken as they stand, in one loop that hardly
# branches. The others take the slow path: words with a character beyond ASCII, with a
# possessive or a literal ending, and runs of capitalised words. At the end each term
# gets its flags.
#
# A term's bytes are where its first token stands in the lowered text, or, where they
# are not the same bytes there, behind it.


cdef enum:
    # Flags of tokens, with CLOSED and CUE of `wordtable`; those of `values`.
    CONCEPT = 1
    CAPITAL = 2
    COMPOUND = 4

    COMPOUND_WORDS_MAX = 5


cdef struct Piece:
    # A word on its way to become a token, or part of one.
    size_t start  # bytes of the text, half open
    size_t end
    size_t offset  # bytes of the output
    size_t length
    uint32_t flags
    uint64_t key[2]
    uint64_t hash


cdef struct Reader:
    const uint8_t* text  # UTF-8, NUL behind it
    size_t length
    bint portable  # whether only what every processor can is used
    bint wide  # whether anything is beyond ASCII
    int seen  # what the text has, as `blocks_read` says
    # The lowered text, and behind it tokens that are not in it as they are; 16 bytes
    # are readable from each token's first.
    char* out
    size_t used
    Words words
    Terms terms
    size_t words_left  # for which there must be room among the terms
    size_t terms_room
    Piece run[COMPOUND_WORDS_MAX]  # capitalised words that may be one compound
    size_t run_length  # may be more than have a place in it
    size_t run_end  # where in the text the last of them ends
    uint64_t steps
    ReadBuffers scratch
    ScanBuffers buffers


cdef enum:
    PADDING = 16


cdef bint has_avx512 = avx512_is_there()

assert CONCEPT == values.CONCEPT and CAPITAL == values.CAPITAL
assert COMPOUND == values.COMPOUND and CONCEPT == TERM_CONCEPT
# ---- room ----

cdef int reserve_out(Reader* reader, size_t more) except -1 nogil:
    """Make room for more bytes behind the output."""
    ensure(&reader.buffers.lowered, reader.used + more + PADDING)
    reader.out = reader.buffers.lowered.at
    return 0


cdef int reserve_terms(Reader* reader) except -1 nogil:
    """Make room for one more token and term than the words that are left."""
    cdef size_t wanted = reader.terms.token_count + reader.words_left + 3
    if wanted <= reader.terms_room:
        return 0
    return make_room(reader, wanted + wanted // 2)


cdef int make_room(Reader* reader, size_t wanted) except -1 nogil:
    """Make room for so many tokens and terms; those that there are stay."""
    cdef int bits = terms_seen_bits(wanted)
    ensure(&reader.buffers.tokens, wanted * sizeof(Token))
    ensure(&reader.buffers.keys, wanted * sizeof(Key))
    ensure(&reader.buffers.terms, wanted * sizeof(Term))
    ensure(&reader.buffers.seen, sizeof(uint32_t) << bits)
    ensure(&reader.buffers.cues, (wanted + 1) * sizeof(uint32_t))
    reader.terms.tokens = <Token*>reader.buffers.tokens.at
    reader.terms.keys = <Key*>reader.buffers.keys.at
    reader.terms.terms = <Term*>reader.buffers.terms.at
    reader.terms.cues = <uint32_t*>reader.buffers.cues.at
    terms_move(&reader.terms, <uint32_t*>reader.buffers.seen.at, bits)
    reader.terms_room = wanted
    return 0


# ---- reading ----

cdef int find_words(Reader* reader) except -1 nogil:
    """Lower the text, and find where its words are."""
    cdef size_t count = reader.length // 64 + 1
    cdef Block* blocks
    ensure(&reader.buffers.lowered, 64 * count + PADDING)
    ensure(&reader.scratch.blocks, (count + 1) * sizeof(Block))
    ensure(
        &reader.scratch.bounds, WORDS_BOUNDS_MAX(reader.length) * sizeof(uint32_t)
    )
    ensure(
        &reader.scratch.marked, WORDS_MARKED_MAX(reader.length) * sizeof(uint32_t)
    )
    reader.out = reader.buffers.lowered.at
    reader.used = 64 * count
    reader.words.bounds = <uint32_t*>reader.scratch.bounds.at
    reader.words.marked = <uint32_t*>reader.scratch.marked.at
    blocks = <Block*>reader.scratch.blocks.at
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
    reader.terms.words = &word_lists
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
        read_slow_path(reader, at, last)
        at = last + 1
    reader.steps += reader.words.count
    return 0


cdef inline bint goes_on(const Reader* reader, size_t number) noexcept nogil:
    """Return whether a word stands right behind what may be a literal ending."""
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


# ---- slow path ----
#
# Words are read character by character where necessary. Python is asked only for the
# lower case of what Python alone can lower. A word that turns out to be plain ASCII is
# taken as it stands; the others are written behind the lowered text.


cdef enum:
    WIDE = 512  # beside the class bits of a word: not all of it is ASCII


cdef object python_lower = alphabet.lower

cdef struct Found:
    # A word: bytes [start, end) of the text, and where to go on behind it.
    size_t start
    size_t end
    size_t stop
    int first  # class bits of its first character
    int seen  # of all its characters


cdef int read_slow_path(Reader* reader, size_t first, size_t last) except -1 nogil:
    """Read some words by their numbers, and the run that they may be."""
    cdef size_t number, start, end, at = 0
    for number in range(first, last + 1):
        start = reader.words.bounds[2 * number]
        end = reader.words.bounds[2 * number + 1]
        if at <= start and is_plain_word_at(reader, start, end):
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

cdef bint is_plain_word_at(Reader* reader, size_t start, size_t end) noexcept nogil:
    """Return whether a word is one, of ASCII and without a literal ending."""
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
    """Return whether a word's form lets it be a concept: not a number, hash or key."""
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
    """Return the length of a literal ending at `end`: of c++, c# or f#."""
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


# ---- compounds ----
#
# A capitalised word waits in the reader's run until the next word is known. Then the
# run becomes one compound, or each of its words a token. A run longer than a compound
# can be is a headline: its words no longer wait.


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
        piece.flags |= word_flags(&word_lists, piece.hash, piece.key)
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
    """Return whether one space, or one line wrap that is no heading's, is between."""
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
    """Return whether the words of a run stand in the output with one byte between each.

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
