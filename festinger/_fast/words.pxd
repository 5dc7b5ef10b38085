"""What `blocks.h` and `words.h` give to the scanner: a text's words, found by bits."""

from libc.stdint cimport uint8_t, uint32_t


cdef extern from "words.h" nogil:
    ctypedef struct Block:
        pass

    ctypedef struct Words:
        uint32_t *bounds
        uint32_t *marked
        size_t count
        size_t marked_count

    size_t WORDS_BOUNDS_MAX(size_t length) noexcept
    size_t WORDS_MARKED_MAX(size_t length) noexcept

    bint blocks_read(
        const uint8_t *text, size_t length, char *lowered, Block *blocks
    ) noexcept
    void words_find(const Block *blocks, size_t count, Words *words) noexcept
