"""What `blocks.h`, `words.h` and `avx512.h` give to the scanner: words, by bits."""

from libc.stdint cimport uint8_t, uint32_t


cdef extern from "avx512.h" nogil:
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
