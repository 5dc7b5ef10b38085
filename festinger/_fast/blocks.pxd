"""What `blocks.h` gives to the scanner: a text's classes as bits."""

from libc.stdint cimport uint8_t, uint64_t


cdef extern from "blocks.h" nogil:
    ctypedef struct Block:
        uint64_t word

    void block_read(const uint8_t *text, char *lowered, Block *block) noexcept
    size_t blocks_join(Block *blocks, size_t count, uint64_t *wide) noexcept
    size_t blocks_start(const Block *blocks, size_t at, size_t length) noexcept
    size_t blocks_end(const Block *blocks, size_t at) noexcept
    bint blocks_wide(const Block *blocks, size_t start, size_t end) noexcept
    bint blocks_letter(const Block *blocks, size_t start, size_t end) noexcept
