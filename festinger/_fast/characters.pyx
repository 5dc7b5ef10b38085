"""Classes of characters, those of `alphabet.classify`, in a table that fills itself."""

from cpython.mem cimport PyMem_Malloc
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.string cimport memset

import unicodedata

from festinger._fast import alphabet


cdef enum:
    KNOWN = 1024  # the page's entry is filled
    PAGES = 0x1100

cdef uint16_t ASCII[128]
# Of 256 characters each, made when the first of them is met, and never freed.
cdef uint16_t* pages[PAGES]

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
    return bits


cdef int fill_ascii() except -1:
    cdef int byte
    for byte in range(128):
        # C lowers these by itself.
        ASCII[byte] = class_bits(chr(byte)) & ~FOLDS
    return 0


fill_ascii()


cdef const uint16_t* ascii_classes() noexcept:
    """The class bits of the 128 characters of ASCII."""
    return ASCII


cdef int class_at(const uint8_t* at, size_t* size) except -1:
    """The class bits of the character at a place of the text."""
    cdef uint32_t point = decode(at, size)
    cdef uint16_t* page
    if point < 0x80:
        return ASCII[point]
    page = pages[point >> 8]
    if page == NULL:
        page = <uint16_t*>PyMem_Malloc(256 * sizeof(uint16_t))
        if page == NULL:
            raise MemoryError
        memset(page, 0, 256 * sizeof(uint16_t))
        pages[point >> 8] = page
    if not page[point & 0xFF]:
        page[point & 0xFF] = KNOWN | class_bits(chr(point))
    return page[point & 0xFF]


cdef bint is_hex_or_base64(
    const char* lowered, const uint8_t* text, size_t length
) noexcept:
    """Whether ASCII with a letter and a digit in it is hex or base64 by its form."""
    cdef size_t i, hex_digits = 0, upper = 0, lower = 0, digits = 0
    cdef bint hexes = True, base64 = length >= BASE64_CHARACTERS_MIN
    for i in range(length):
        if c"0" <= lowered[i] <= c"9":
            digits += 1
            hex_digits += 1
        elif c"a" <= lowered[i] <= c"z":
            hexes = hexes and lowered[i] <= c"f"
            hex_digits += 1
            if c"A" <= text[i] <= c"Z":
                upper += 1
            else:
                lower += 1
        elif lowered[i] != c"-":
            hexes = False
            base64 = base64 and lowered[i] == c"_"
    if not digits:
        return False
    return (hexes and hex_digits >= HEX_DIGITS_MIN) or (base64 and upper and lower)
