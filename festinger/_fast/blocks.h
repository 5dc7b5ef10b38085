/* A text as bits: 64 bytes at a time, one bit for each byte of a class.
 *
 * With bits, the rules about neighbouring characters are shifts, and finding a word is
 * counting zeros. A byte of a character beyond ASCII counts as part of a word here; who
 * meets a run with such a byte looks closer.
 */
#ifndef FESTINGER_BLOCKS_H
#define FESTINGER_BLOCKS_H

#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef struct {
    uint64_t word;   /* letters, digits, _ and all that is wide */
    uint64_t wide;   /* bytes of characters beyond ASCII */
    uint64_t upper;  /* A to Z */
    uint64_t joiner; /* . - ' */
    uint64_t quote;  /* ' */
    uint64_t es;     /* s and S, of which a possessive is made */
    uint64_t odd;    /* + # and carriage return, which matter behind a word */
} Block;

/* What a text has. That it has no underscore, or nothing at which a fence or a tag may
 * begin, is told where that costs nothing, and else it may have them. */
enum {
    SEEN_WIDE = 1,
    SEEN_UNDERSCORE = 2,
    SEEN_FAR = 4
};

#ifdef __SSE2__

/* Whether bytes lie between two of ASCII: one addition moves the range to the top of
 * what is signed. */
#define BLOCKS_BETWEEN(v, low, high)                                                   \
    _mm_cmpgt_epi8(_mm_add_epi8(v, _mm_set1_epi8(127 - (high))),                       \
                   _mm_set1_epi8(127 - ((high) - (low) + 1)))
#define BLOCKS_IS(v, byte) _mm_cmpeq_epi8(v, _mm_set1_epi8(byte))
#define BLOCKS_OR(a, b) _mm_or_si128(a, b)
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
        __m128i low = BLOCKS_OR(v, _mm_and_si128(upper, bit));
        __m128i letter = BLOCKS_BETWEEN(low, 'a', 'z');
        __m128i digit = BLOCKS_BETWEEN(v, '0', '9');
        __m128i quote = BLOCKS_IS(v, '\'');
        __m128i word = BLOCKS_OR(BLOCKS_OR(letter, digit), BLOCKS_IS(v, '_'));
        __m128i joiner = BLOCKS_OR(BLOCKS_BETWEEN(v, '-', '.'), quote);
        __m128i odd = BLOCKS_OR(BLOCKS_OR(BLOCKS_IS(v, '+'), BLOCKS_IS(v, '#')),
                                BLOCKS_IS(v, '\r'));
        _mm_storeu_si128((__m128i *)(lowered + part), low);
        /* The highest bit of a byte is what makes it wide, and what BITS takes. */
        block->word |= BLOCKS_BITS(BLOCKS_OR(word, v)) << part;
        block->wide |= BLOCKS_BITS(v) << part;
        block->upper |= BLOCKS_BITS(upper) << part;
        block->joiner |= BLOCKS_BITS(joiner) << part;
        block->quote |= BLOCKS_BITS(quote) << part;
        block->es |= BLOCKS_BITS(BLOCKS_IS(low, 's')) << part;
        block->odd |= BLOCKS_BITS(odd) << part;
    }
}

#else

static inline void block_read(const uint8_t *text, char *lowered, Block *block)
{
    int at;
    memset(block, 0, sizeof(*block));
    for (at = 0; at < 64; at++) {
        uint8_t byte = text[at];
        uint64_t wide = byte >> 7, upper = (uint8_t)(byte - 'A') < 26;
        uint8_t low = (uint8_t)(byte | upper << 5);
        uint64_t letter = (uint8_t)(low - 'a') < 26, digit = (uint8_t)(byte - '0') < 10;
        uint64_t quote = byte == '\'', joiner = quote | (byte == '.') | (byte == '-');
        uint64_t odd = (byte == '+') | (byte == '#') | (byte == '\r');
        lowered[at] = (char)low;
        block->word |= (letter | digit | (byte == '_') | wide) << at;
        block->wide |= wide << at;
        block->upper |= upper << at;
        block->joiner |= joiner << at;
        block->quote |= quote << at;
        block->es |= (uint64_t)(low == 's') << at;
        block->odd |= odd << at;
    }
}

#endif

/* Read a whole text into `length / 64 + 1` blocks, so that the last is never full of
 * words, and one behind them that is empty. `lowered` takes as many bytes. Returns what
 * was seen. */
static inline int blocks_read(const uint8_t *text, size_t length, char *lowered,
                              Block *blocks)
{
    uint8_t rest[64] = {0};
    size_t at, last = length / 64;
    uint64_t wide = 0;
    for (at = 0; at < last; at++) {
        block_read(text + 64 * at, lowered + 64 * at, &blocks[at]);
        wide |= blocks[at].wide;
    }
    memcpy(rest, text + 64 * last, length - 64 * last);
    block_read(rest, lowered + 64 * last, &blocks[last]);
    memset(&blocks[last + 1], 0, sizeof(Block));
    wide |= blocks[last].wide;
    return (wide != 0 ? SEEN_WIDE : 0) | SEEN_UNDERSCORE | SEEN_FAR;
}

#endif
