/* Where in a text something may begin that is not prose: 64 characters at a time, one bit
 * for each that deserves a look.
 */
#ifndef FESTINGER_PROSE_H
#define FESTINGER_PROSE_H

#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define PROSE_BLOCK 64

/* The characters as bytes; what does not fit is 255. */
static inline void prose_narrow(const void *data, int size, size_t length, uint8_t *to)
{
    size_t i;
    if (size == 2) {
        const uint16_t *from = (const uint16_t *)data;
        for (i = 0; i < length; i++)
            to[i] = (uint8_t)(from[i] < 255 ? from[i] : 255);
    } else {
        const uint32_t *from = (const uint32_t *)data;
        for (i = 0; i < length; i++)
            to[i] = (uint8_t)(from[i] < 255 ? from[i] : 255);
    }
}

#ifdef __SSE2__

#define PROSE_IS(v, byte) _mm_cmpeq_epi8(v, _mm_set1_epi8((char)(byte)))
#define PROSE_OR(a, b) _mm_or_si128(a, b)

static inline uint64_t prose_marks(const uint8_t *block)
{
    uint64_t bits = 0;
    int part;
    for (part = 0; part < PROSE_BLOCK; part += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(block + part));
        __m128i mark = PROSE_OR(PROSE_IS(v, '`'), PROSE_IS(v, '<'));
        mark = PROSE_OR(mark, PROSE_OR(PROSE_IS(v, '\''), PROSE_IS(v, '"')));
        mark = PROSE_OR(mark, PROSE_OR(PROSE_IS(v, ']'), PROSE_IS(v, '!')));
        mark = PROSE_OR(mark, PROSE_OR(PROSE_IS(v, ':'), PROSE_IS(v, '~')));
        mark = PROSE_OR(mark, PROSE_OR(PROSE_IS(v, 0xab), PROSE_IS(v, 255)));
        bits |= (uint64_t)(uint32_t)_mm_movemask_epi8(mark) << part;
    }
    return bits;
}

static inline uint64_t prose_are(const uint8_t *block, char byte)
{
    uint64_t bits = 0;
    int part;
    for (part = 0; part < PROSE_BLOCK; part += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(block + part));
        bits |= (uint64_t)(uint32_t)_mm_movemask_epi8(PROSE_IS(v, byte)) << part;
    }
    return bits;
}

#else

static inline uint64_t prose_marks(const uint8_t *block)
{
    uint64_t bits = 0;
    int i;
    for (i = 0; i < PROSE_BLOCK; i++) {
        uint8_t c = block[i];
        uint64_t mark = (c == '`') | (c == '<') | (c == '\'') | (c == '"') |
                        (c == ']') | (c == '!') | (c == ':') | (c == '~') |
                        (c == 0xab) | (c == 255);
        bits |= mark << i;
    }
    return bits;
}

static inline uint64_t prose_are(const uint8_t *block, char byte)
{
    uint64_t bits = 0;
    int i;
    for (i = 0; i < PROSE_BLOCK; i++)
        bits |= (uint64_t)(block[i] == (uint8_t)byte) << i;
    return bits;
}

#endif

/* Our own hint is seen by its "ik", which hardly any other word has before an "n". */
static inline uint64_t prose_block(const uint8_t *narrow, size_t at, size_t length)
{
    uint8_t rest[PROSE_BLOCK];
    const uint8_t *block = narrow + at;
    uint64_t hints;
    if (length - at < PROSE_BLOCK) {
        memset(rest, ' ', PROSE_BLOCK);
        memcpy(rest, block, length - at);
        block = rest;
    }
    /* What follows the last of a block is not seen here. */
    hints = prose_are(block, 'i') & (prose_are(block, 'k') >> 1 | 1ULL << 63);
    return prose_marks(block) | hints;
}

#endif
