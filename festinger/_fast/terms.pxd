"""What `terms.h` gives to the scanner: tokens, and each distinct one once."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from festinger._fast.wordtable cimport WordTable


cdef extern from "terms.h" nogil:
    enum:
        TERM_CONCEPT
        TERM_KNOWN
        TOKEN_COMPOUND
        TOKEN_CUE
        TOKEN_PATTERN
        TOKEN_TERM

    ctypedef struct Token:
        uint32_t start
        uint32_t end
        uint32_t term

    ctypedef struct Key:
        uint64_t words[2]

    ctypedef struct Term:
        uint64_t hash
        uint32_t offset
        uint32_t length
        uint32_t flags
        uint32_t first

    ctypedef struct Terms:
        Token *tokens
        Key *keys
        Term *terms
        uint32_t *seen
        uint32_t *cues
        int seen_bits
        size_t token_count
        size_t cue_count
        uint32_t term_count
        const WordTable *words
        uint64_t secret
        uint64_t hash_mask
        uint64_t steps

    int terms_seen_bits(size_t tokens) noexcept
    void terms_move(Terms *terms, uint32_t *seen, int bits) noexcept
    size_t terms_home(const Terms *terms, uint64_t hash) noexcept
    uint32_t terms_find(
        Terms *terms,
        const Key *key,
        const char *bytes,
        size_t length,
        const char *lowered,
        size_t *at,
    ) noexcept
    uint32_t terms_enter(
        Terms *terms, const Key *key, const Term *term, const char *lowered
    ) noexcept
    uint32_t terms_enter_long(
        Terms *terms, Term *term, const char *lowered
    ) noexcept
    void terms_push(
        Terms *terms, uint32_t start, uint32_t end, uint32_t term
    ) noexcept
    void terms_take(
        Terms *terms,
        const uint32_t *bounds,
        size_t first,
        size_t last,
        const uint8_t *text,
        const char *lowered,
    ) noexcept
