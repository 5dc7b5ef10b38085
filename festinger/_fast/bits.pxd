"""Bits by their numbers, in words of 64."""

from libc.stdint cimport uint64_t


cdef inline bint has_bit(const uint64_t* words, size_t number) noexcept nogil:
    return words[number >> 6] >> (number & 63) & 1


cdef inline void set_bit(uint64_t* words, size_t number) noexcept nogil:
    words[number >> 6] |= <uint64_t>1 << (number & 63)
