"""Classes of characters, those of `alphabet.classify`, in a table that fills itself."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t

import unicodedata

from festinger._fast import alphabet

cdef extern from "pages.h" nogil:
    uint16_t page_read(uint32_t point) noexcept
    int page_write(uint32_t point, uint16_t bits) noexcept


cdef enum:
    KNOWN = 1024  # the page's entry is filled

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


cdef const uint16_t* ascii_classes() noexcept:
    """The class bits of the 128 characters of ASCII."""
    return ASCII


cdef int class_of(uint32_t point) except -1 nogil:
    """The class bits of a character."""
    cdef uint16_t bits
    if point < 0x80:
        return ASCII[point]
    bits = page_read(point)
    if not bits:
        with gil:
            bits = fill(point)
    return bits


cdef int class_at(const uint8_t* at, size_t* size) except -1 nogil:
    """The class bits of the character at a place of the text."""
    return class_of(decode(at, size))


cdef uint16_t fill(uint32_t point) except 0:
    """Ask what a character is, and write it down."""
    cdef uint16_t bits = KNOWN | class_bits(chr(point))
    if page_write(point, bits) < 0:
        raise MemoryError
    return bits
