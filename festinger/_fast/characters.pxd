"""Classes of characters, one bit each, and the little UTF-8 that reading needs."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t


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


cdef const uint16_t* ascii_classes() noexcept
cdef int class_of(uint32_t point) except -1 nogil
cdef int class_at(const uint8_t* at, size_t* size) except -1 nogil


cdef inline uint32_t decode(const uint8_t* at, size_t* size) noexcept nogil:
    """The code point at a place of valid UTF-8, surrogates included."""
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
    """Size of an apostrophe of either kind, or 0."""
    if at[0] == c"'":
        return 1
    return 3 if at[0] == 0xE2 and at[1] == 0x80 and at[2] == 0x99 else 0


cdef inline size_t characters(const char* data, size_t length) noexcept nogil:
    cdef size_t count = 0, i
    for i in range(length):
        count += (data[i] & 0xC0) != 0x80
    return count
