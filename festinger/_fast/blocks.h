/* A text as bits: 64 bytes at a time, one bit for each byte of a class.
 *
 * With bits a word is found by two counts of trailing zeros instead of a test for each
 * byte, and a joiner between two word characters becomes part of its word by shifting.
 * A byte of a character beyond ASCII counts as part of a word here; who meets a run with
 * such a byte looks closer.
 */
#ifndef FESTINGER_BLOCKS_H
#define FESTINGER_BLOCKS_H

#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef struct {
    uint64_t word; /* letters, digits and _; after blocks_join() whole tokens */
    uint64_t wide; /* bytes of characters beyond ASCII */
    uint64_t letter;
    uint64_t joiner; /* . - ' */
} Block;

#ifdef __SSE2__

#define BLOCKS_BETWEEN(v, low, high)                                                   \
    _mm_and_si128(_mm_cmpgt_epi8(v, _mm_set1_epi8((low)-1)),                           \
                  _mm_cmplt_epi8(v, _mm_set1_epi8((high) + 1)))
#define BLOCKS_IS(v, byte) _mm_cmpeq_epi8(v, _mm_set1_epi8(byte))
#define BLOCKS_BITS(v) ((uint64_t)(uint32_t)_mm_movemask_epi8(v))

/* Classify 64 bytes, and write them lowered. SSE2 is part of every x86-64. */
static inline void block_read(const uint8_t *text, char *lowered, Block *block)
{
    const __m128i bit = _mm_set1_epi8(0x20);
    int part;
    memset(block, 0, sizeof(*block));
    for (part = 0; part < 64; part += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(text + part));
        __m128i upper = BLOCKS_BETWEEN(v, 'A', 'Z');
        __m128i low = _mm_or_si128(v, _mm_and_si128(upper, bit));
        __m128i letter = BLOCKS_BETWEEN(low, 'a', 'z');
        __m128i digit = BLOCKS_BETWEEN(v, '0', '9');
        __m128i word = _mm_or_si128(_mm_or_si128(letter, digit), BLOCKS_IS(v, '_'));
        __m128i joiner = _mm_or_si128(_mm_or_si128(BLOCKS_IS(v, '.'), BLOCKS_IS(v, '-')),
                                      BLOCKS_IS(v, '\''));
        _mm_storeu_si128((__m128i *)(lowered + part), low);
        block->word |= BLOCKS_BITS(word) << part;
        block->wide |= BLOCKS_BITS(v) << part;
        block->letter |= BLOCKS_BITS(letter) << part;
        block->joiner |= BLOCKS_BITS(joiner) << part;
    }
}

#else

static inline void block_read(const uint8_t *text, char *lowered, Block *block)
{
    int at;
    memset(block, 0, sizeof(*block));
    for (at = 0; at < 64; at++) {
        uint8_t byte = text[at];
        uint8_t upper = (uint8_t)(byte - 'A') < 26, low = byte | upper << 5;
        uint64_t letter = (uint8_t)(low - 'a') < 26;
        uint64_t digit = (uint8_t)(byte - '0') < 10;
        uint64_t word = letter | digit | (byte == '_');
        uint64_t joiner = (byte == '.') | (byte == '-') | (byte == '\'');
        lowered[at] = (char)low;
        block->word |= word << at;
        block->wide |= (uint64_t)(byte >> 7) << at;
        block->letter |= letter << at;
        block->joiner |= joiner << at;
    }
}

#endif

static inline size_t blocks_count(uint64_t bits)
{
    bits -= bits >> 1 & 0x5555555555555555ULL;
    bits = (bits & 0x3333333333333333ULL) + (bits >> 2 & 0x3333333333333333ULL);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
    return (size_t)(bits * 0x0101010101010101ULL >> 56);
}

/* Make `word` whole tokens; return how many runs there are. `count` blocks and one
 * behind them that is empty. */
static inline size_t blocks_join(Block *blocks, size_t count, uint64_t *wide)
{
    size_t at, runs = 0;
    uint64_t before = 0, run_before = 0;
    *wide = 0;
    for (at = 0; at <= count; at++)
        blocks[at].word |= blocks[at].wide;
    for (at = 0; at < count; at++) {
        Block *block = &blocks[at];
        uint64_t word = block->word;
        uint64_t left = word << 1 | before;
        uint64_t right = word >> 1 | blocks[at + 1].word << 63;
        *wide |= block->wide;
        before = word >> 63;
        block->word = word | (block->joiner & left & right);
        runs += blocks_count(block->word & ~(block->word << 1 | run_before));
        run_before = block->word >> 63;
    }
    return runs;
}

/* The first byte at or behind `at` that is in a word, or `length`. */
static inline size_t blocks_start(const Block *blocks, size_t at, size_t length)
{
    size_t number = at / 64;
    uint64_t bits = blocks[number].word >> at % 64;
    if (bits)
        return at + (size_t)__builtin_ctzll(bits);
    for (number++; number * 64 < length; number++)
        if (blocks[number].word)
            return number * 64 + (size_t)__builtin_ctzll(blocks[number].word);
    return length;
}

/* The first byte behind the word at `at`. The last block is never full of words. */
static inline size_t blocks_end(const Block *blocks, size_t at)
{
    size_t number = at / 64;
    uint64_t bits = ~blocks[number].word >> at % 64;
    if (bits)
        return at + (size_t)__builtin_ctzll(bits);
    for (number++; !~blocks[number].word; number++) {
    }
    return number * 64 + (size_t)__builtin_ctzll(~blocks[number].word);
}

#define BLOCKS_ANY(name, field)                                                        \
    static inline int name(const Block *blocks, size_t start, size_t end)              \
    {                                                                                  \
        size_t number = start / 64, last = (end - 1) / 64;                             \
        uint64_t bits = blocks[number].field & ~0ULL << start % 64;                    \
        for (; number < last; bits = blocks[++number].field)                           \
            if (bits)                                                                  \
                return 1;                                                              \
        return (bits & ~0ULL >> (63 - (end - 1) % 64)) != 0;                           \
    }

/* Whether any byte of [start, end) is of the class. */
BLOCKS_ANY(blocks_wide, wide)
BLOCKS_ANY(blocks_letter, letter)

#endif
