"""What `index.h` gives to the modules: hashing and the slots of a table."""

from libc.stdint cimport uint32_t, uint64_t


cdef extern from "index.h" nogil:
    const uint32_t INDEX_NONE

    ctypedef struct Index:
        size_t mask
        size_t used
        uint64_t *slots

    uint64_t hash_pair(uint64_t a, uint64_t b, uint64_t secret) noexcept
    uint64_t hash_key(
        const char *data, size_t length, const uint64_t *key, uint64_t secret
    ) noexcept
    void key_of(const char *data, size_t length, uint64_t *key) noexcept
    void key_of_padded(const char *data, size_t length, uint64_t *key) noexcept

    int index_open(Index *index) noexcept
    void index_close(Index *index) noexcept
    uint32_t index_tag(uint64_t hash) noexcept
    uint32_t index_next(const Index *index, uint32_t tag, size_t *at) noexcept
    int index_reserve(Index *index, size_t more) noexcept
    void index_insert(Index *index, uint32_t tag, uint32_t number) noexcept
    void index_renumber(
        Index *index, uint32_t tag, uint32_t from_, uint32_t to
    ) noexcept
    void index_remove(Index *index, uint32_t tag, uint32_t number) noexcept
    size_t index_nbytes(const Index *index) noexcept
    void index_prefetch(const void *address) noexcept
