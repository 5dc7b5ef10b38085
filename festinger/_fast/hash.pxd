"""What `hash.h` gives to the modules: keys and hashes."""

from libc.stdint cimport uint64_t


cdef extern from "hash.h" nogil:
    enum:
        KEY_BYTES

    uint64_t load64_ordered(const char *bytes) noexcept
    uint64_t hash_pair(uint64_t a, uint64_t b, uint64_t secret) noexcept
    uint64_t hash_key(
        const char *data, size_t length, const uint64_t *key, uint64_t secret
    ) noexcept
    void key_of(const char *data, size_t length, uint64_t *key) noexcept
    void key_of_padded(const char *data, size_t length, uint64_t *key) noexcept
    void memory_prefetch(const void *address) noexcept
