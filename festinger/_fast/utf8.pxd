"""What `utf8.h` gives to the modules: Python's strings as UTF-8, and its check."""

from libc.stdint cimport uint8_t, uint32_t


cdef extern from "utf8.h" nogil:
    uint8_t *utf8_put(uint8_t *to, uint32_t point) noexcept
    uint32_t string_at(const void *data, int size, size_t at) noexcept
    size_t utf8_copy(
        const void *data, int size, size_t at, size_t length, uint8_t **to
    ) noexcept
    bint utf8_is_valid(const uint8_t *data, size_t length) noexcept
