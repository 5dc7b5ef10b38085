"""The tokens of a text, as Python sees them."""

# ---- Scan ----
#
# Python objects are made on first access: a term's string, and the offsets of
# characters in a text beyond ASCII.


cdef enum:
    VALUES = 31  # of a term's flags, those of `values`


cdef inline uint32_t flags_of(
    Scan scan, Py_ssize_t position, uint32_t first
) except? 0xFFFFFFFF:
    """Return the flags of a token whose first character is known."""
    cdef uint32_t term = scan.tokens[position].term
    cdef uint32_t flags = scan.terms[term & TOKEN_TERM].flags & VALUES
    if c"A" <= first <= c"Z" or (first >= 128 and class_of(first) & UPPER):
        flags |= CAPITAL
    return flags | COMPOUND if term & TOKEN_COMPOUND else flags

from collections.abc import Sequence

cdef enum:
    # Offsets are 32 bits, and a pair of CJK characters takes twice its bytes.
    TEXT_BYTES_MAX = 0x3FFFFFFF
    # A longer text is read while other threads run.
    QUICK_BYTES_MAX = 65536

    BLOCK_BYTES = 64


cdef bytes path_marks = alphabet.PATH_MARKS.encode()


cdef bytes address_mark = alphabet.ADDRESS.encode()

cdef const char* PATH_MARKS = path_marks
cdef const char* ADDRESS = address_mark

cdef size_t PATH_MARK_COUNT = len(path_marks)


cdef Py_ssize_t ADDRESS_BYTES = len(address_mark)

cdef uint64_t ALL_BITS = 0xFFFFFFFFFFFFFFFF


@cython.final
cdef class Scan:
    """The tokens of one text, in order. Immutable; made by `scan`.

    Tests use `mask_bits` to force collisions in the hash table, and `portable` to leave
    aside instructions that only some processors have.
    """

    cdef readonly str text
    cdef readonly uint64_t steps
    cdef readonly bint underscored
    cdef readonly bint fenced
    cdef Py_ssize_t length
    cdef Terms table
    cdef const Token* tokens
    cdef const Key* keys
    cdef const Term* terms  # numbered from 1
    cdef const uint32_t* cue_at  # positions
    cdef size_t cue_count
    cdef uint32_t term_count  # with the one that is none
    cdef const char* lowered
    cdef Py_ssize_t text_bytes
    cdef bint wide
    cdef ScanBuffers buffers
    cdef uint32_t* characters  # before each block of the text; made when asked for
    cdef list strings  # of the terms; made when asked for

    def __cinit__(self, str text not None, *, int mask_bits=64, bint portable=False):
        cdef Reader reader
        if not 0 <= mask_bits <= 64:
            raise ValueError(f"mask_bits {mask_bits} is not between 0 and 64")
        memset(&reader, 0, sizeof(reader))
        reader.portable = portable
        reader.terms.secret = hash_secret()
        reader.terms.hash_mask = ALL_BITS >> (64 - mask_bits) if mask_bits else 0
        try:
            self.text = encode(&reader, text)
            if reader.length > TEXT_BYTES_MAX:
                raise ValueError(
                    f"a text of {reader.length} bytes; at most 1 GiB can be scanned"
                )
            if reader.length <= QUICK_BYTES_MAX:
                read_all(&reader)
            else:
                with nogil:
                    read_all(&reader)
        finally:
            free_buffers(<Buffer*>&reader.scratch, sizeof(reader.scratch))
            self.buffers = reader.buffers
        self.table = reader.terms
        self.length = reader.terms.token_count
        self.tokens = reader.terms.tokens
        self.keys = reader.terms.keys
        self.terms = reader.terms.terms
        self.cue_at = reader.terms.cues
        self.cue_count = reader.terms.cue_count
        self.term_count = reader.terms.term_count
        self.lowered = reader.out
        self.text_bytes = reader.length
        self.wide = reader.wide
        self.underscored = reader.seen & SEEN_UNDERSCORE
        self.fenced = reader.seen & SEEN_FAR
        self.steps = reader.steps

    def __dealloc__(self):
        free_buffers(<Buffer*>&self.buffers, sizeof(self.buffers))
        free(self.characters)

    cdef const Token* token(self, Py_ssize_t position) except NULL:
        if position < 0:
            position += self.length
        if not 0 <= position < self.length:
            raise IndexError("position out of range")
        return &self.tokens[position]

    cdef str string(self, uint32_t term):
        cdef const Term* wanted = &self.terms[term]
        if self.strings is None:
            self.strings = [None] * self.term_count
        string = self.strings[term]
        if string is None:
            string = self.strings[term] = PyUnicode_DecodeUTF8(
                self.lowered + wanted.offset, wanted.length, NULL
            )
        return string

    cdef uint32_t character_at(self, uint32_t byte) except? 0xFFFFFFFF:
        """Return how many characters are before a byte of the text."""
        cdef uint32_t block = byte // BLOCK_BYTES
        if not self.wide:
            return byte
        if self.characters == NULL:
            self.characters = count_characters(self.lowered, self.text_bytes)
        # The lowered text has its characters where the text has them.
        return self.characters[block] + <uint32_t>characters(
            self.lowered + block * BLOCK_BYTES, byte - block * BLOCK_BYTES
        )

    cdef bint in_path(self, Py_ssize_t position) noexcept:
        """Return whether a mark of paths is right before or behind a token."""
        cdef const Token* token = &self.tokens[position]
        cdef const char* behind = self.lowered + token.end
        cdef Py_ssize_t left = self.text_bytes - token.end
        if token.start and is_path_mark(self.lowered[token.start - 1]):
            return True
        return left and (
            is_path_mark(behind[0])
            or (left >= ADDRESS_BYTES and not memcmp(behind, ADDRESS, ADDRESS_BYTES))
        )

    def span(self, Py_ssize_t position):
        """Return where a token stands: half-open character offsets in `text`."""
        cdef const Token* token = self.token(position)
        return self.character_at(token.start), self.character_at(token.end)

    cpdef Py_ssize_t start(self, Py_ssize_t position) except -1:
        """Return the offset in `text` of a token's first character."""
        return self.character_at(self.token(position).start)

    cpdef Py_ssize_t end(self, Py_ssize_t position) except -1:
        """Return the offset behind a token's last character."""
        return self.character_at(self.token(position).end)

    cpdef uint32_t flags(self, Py_ssize_t position) except? 0xFFFFFFFF:
        """Return a token's flags: CONCEPT, CAPITAL, COMPOUND, CLOSED, CUE."""
        cdef const Token* token = self.token(position)
        cdef Py_UCS4 first = self.text[self.character_at(token.start)]
        return flags_of(self, token - self.tokens, first)

    def cues(self):
        """Return the positions of the cue words, in order."""
        cdef size_t i
        return [self.cue_at[i] for i in range(self.cue_count)]

    def stands_plainly(self, str token not None):
        """Return whether a token stands somewhere in no path, address or variable."""
        cdef Py_ssize_t length = 0
        cdef const char* data
        try:
            data = PyUnicode_AsUTF8AndSize(token, &length)
        except UnicodeEncodeError:
            return False
        return self.stands(data, length)

    cdef bint stands(self, const char* data, size_t length) noexcept:
        """Return whether a token of these bytes stands somewhere plainly."""
        cdef Py_ssize_t at
        cdef uint32_t other, number
        cdef uint32_t term = find_term(&self.table, data, length, self.lowered, &other)
        if not term:
            return False
        at = min(self.terms[term].first, self.terms[other].first)
        while at < self.length:
            number = self.tokens[at].term & TOKEN_TERM
            if (number == term or number == other) and not self.in_path(at):
                return True
            at += 1
        return False

    def index(self, value, start=0, stop=None):
        """Return the first position of a token."""
        return Sequence.index(self, value, start, stop)

    def count(self, value):
        """Return how often a token occurs."""
        return Sequence.count(self, value)

    def __len__(self):
        return self.length

    def __getitem__(self, position):
        if isinstance(position, slice):
            return [
                self.string(self.token(i).term & TOKEN_TERM)
                for i in range(*position.indices(self.length))
            ]
        return self.string(self.token(position).term & TOKEN_TERM)

    def __iter__(self):
        cdef Py_ssize_t i
        for i in range(self.length):
            yield self.string(self.tokens[i].term & TOKEN_TERM)

    def __reversed__(self):
        cdef Py_ssize_t i
        for i in range(self.length - 1, -1, -1):
            yield self.string(self.tokens[i].term & TOKEN_TERM)

    def __contains__(self, value):
        return any(value == token for token in self)

    def __repr__(self):
        return f"Scan({list(self)!r})"

Sequence.register(Scan)


def scan(str text not None):
    """Split a text into tokens.

    Args:
        text: Any string: NUL and lone surrogates are characters like other
            punctuation.
    """
    return Scan(text)


cdef inline bint is_path_mark(char character) noexcept:
    return memchr(PATH_MARKS, character, PATH_MARK_COUNT) != NULL


cdef uint32_t find_term(
    Terms* terms,
    const char* data,
    size_t length,
    const char* lowered,
    uint32_t* other,
) noexcept:
    """Return a term with these characters, or 0, and the other one if there are two."""
    cdef Key key
    cdef uint64_t hash
    cdef size_t at
    cdef uint32_t number
    key_of(data, length, key.words)
    hash = hash_key(data, length, key.words, terms.secret)
    at = terms_home(terms, hash)
    if length <= KEY_BYTES:
        number = terms_find(terms, &key, data, length, lowered, &at) & TOKEN_TERM
        other[0] = number
        return number
    # No long word is a cue, so that their numbers have no mark.
    key.words[0], key.words[1] = hash, ALL_BITS
    number = terms_find(terms, &key, data, length, lowered, &at)
    # The same characters are another term where they are no concept.
    key.words[0] = ~hash
    at = terms_home(terms, ~hash)
    other[0] = terms_find(terms, &key, data, length, lowered, &at)
    if not number:
        return other[0]
    if not other[0]:
        other[0] = number
    return number


# ---- from strings to bytes ----

cdef str encode(Reader* reader, str text):
    """Give the reader a text's UTF-8, and return the text in NFC."""
    if PyUnicode_IS_ASCII(text):
        reader.text = <const uint8_t*>PyUnicode_DATA(text)
        reader.length = len(text)
    elif not encode_inert(reader, text):
        text = alphabet.compose(text)
        encode_any(reader, text)
    return text


cdef bint encode_inert(Reader* reader, str text) except -1:
    """Encode a text if no character of it can keep it from being in NFC."""
    return encode_with(reader, text, True)


cdef bint encode_any(Reader* reader, str text) except -1:
    return encode_with(reader, text, False)


cdef bint encode_with(Reader* reader, str text, bint inert) except -1:
    cdef const void* data = PyUnicode_DATA(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef size_t length = len(text), at = 0
    cdef uint8_t* out
    cdef uint32_t point
    # One byte is two of UTF-8 at most, two are three, and four are four.
    ensure(&reader.scratch.text, length * (kind + 1 if kind < 4 else 4) + 8)
    out = <uint8_t*>reader.scratch.text.at
    reader.text = out
    while True:
        at = utf8_copy(data, kind, at, length, &out)
        while at < length:
            point = string_at(data, kind, at)
            if point < 0x80:
                break
            if inert and not class_of(point) & INERT:
                return False
            out = utf8_put(out, point)
            at += 1
        if at == length:
            break
    out[0] = 0
    reader.length = out - reader.text
    return True


cdef uint32_t* count_characters(const char* data, size_t length) except NULL:
    """Return how many characters are before each block of a text."""
    cdef size_t blocks = length // BLOCK_BYTES + 1, block
    cdef uint32_t* counts = <uint32_t*>malloc(blocks * sizeof(uint32_t))
    cdef uint32_t count = 0
    if counts == NULL:
        raise MemoryError
    for block in range(blocks):
        counts[block] = count
        if block + 1 < blocks:
            count += <uint32_t>characters(data + block * BLOCK_BYTES, BLOCK_BYTES)
    return counts
