"""What `forms.h` gives to the scanner: whether a word's form lets it be a concept."""

from libc.stdint cimport uint8_t, uint64_t


cdef extern from "forms.h" nogil:
    enum:
        TOKEN_CHARACTERS_MAX
        HEX_DIGITS_MIN

    uint64_t letters_of(uint64_t bytes) noexcept
    bint form_is_concept(
        const char *lowered, const uint8_t *text, size_t length
    ) noexcept
