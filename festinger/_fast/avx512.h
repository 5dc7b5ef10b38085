/* What `blocks.h` and `words.h` do, with instructions that not every x86-64 has.
 *
 * A block is one register. One look into a table of 128 bytes says all classes of a
 * byte at once, and the places of a block's bits are written in one go. Both take a
 * third of the time; what they make is the same to the bit. Whether a processor can is
 * asked when a program runs: it may have been compiled on another.
 */
#ifndef FESTINGER_AVX512_H
#define FESTINGER_AVX512_H

#include "words.h"

/* gcc knows the last of these instructions since 8; clang calls itself gcc 4. */
#if defined(__x86_64__) && (defined(__clang__) || __GNUC__ >= 8)

#include <immintrin.h>

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt")))

enum {
    CLASS_WORD = 1,
    CLASS_UPPER = 2,
    CLASS_JOINER = 4,
    CLASS_QUOTE = 8,
    CLASS_ES = 16,
    CLASS_ODD = 32,
    CLASS_UNDERSCORE = 64,
    CLASS_FAR = 128
};

/* The classes of each byte of ASCII. */
static const uint8_t avx512_classes[128] = {
    ['\r'] = CLASS_ODD,
    ['#'] = CLASS_ODD,
    ['\''] = CLASS_JOINER | CLASS_QUOTE,
    ['+'] = CLASS_ODD,
    ['-' ... '.'] = CLASS_JOINER,
    ['0' ... '9'] = CLASS_WORD,
    ['A' ... 'R'] = CLASS_WORD | CLASS_UPPER,
    ['S'] = CLASS_WORD | CLASS_UPPER | CLASS_ES,
    ['T' ... 'Z'] = CLASS_WORD | CLASS_UPPER,
    ['_'] = CLASS_WORD | CLASS_UNDERSCORE,
    ['`'] = CLASS_FAR,
    ['~'] = CLASS_FAR,
    ['<'] = CLASS_FAR,
    ['a' ... 'r'] = CLASS_WORD,
    ['s'] = CLASS_WORD | CLASS_ES,
    ['t' ... 'z'] = CLASS_WORD,
};

#define AVX512_OF(classes, class)                                                      \
    _mm512_test_epi8_mask(classes, _mm512_set1_epi8((char)(class)))

/* As `block_read`, with the two halves of the table of classes. Returns the classes. */
AVX512 static inline __m512i avx512_block_read(__m512i v, __m512i first,
                                               __m512i second, char *lowered,
                                               Block *block)
{
    /* The highest bit of a byte is what makes it wide; the table has the other seven. */
    uint64_t wide = _mm512_movepi8_mask(v);
    __m512i classes = _mm512_maskz_permutex2var_epi8(~wide, first, v, second);
    block->upper = AVX512_OF(classes, CLASS_UPPER);
    _mm512_storeu_si512(
        lowered, _mm512_mask_add_epi8(v, block->upper, v, _mm512_set1_epi8(0x20)));
    block->word = AVX512_OF(classes, CLASS_WORD) | wide;
    block->wide = wide;
    block->joiner = AVX512_OF(classes, CLASS_JOINER);
    block->quote = AVX512_OF(classes, CLASS_QUOTE);
    block->es = AVX512_OF(classes, CLASS_ES);
    block->odd = AVX512_OF(classes, CLASS_ODD);
    return classes;
}

/* As `blocks_read`. */
AVX512 static inline int avx512_blocks_read(const uint8_t *text, size_t length,
                                            char *lowered, Block *blocks)
{
    const __m512i first = _mm512_loadu_si512(avx512_classes);
    const __m512i second = _mm512_loadu_si512(avx512_classes + 64);
    size_t at, last = length / 64;
    __mmask64 rest = (1ULL << (length & 63)) - 1;
    __m512i seen = _mm512_setzero_si512();
    uint64_t wide = 0;
    for (at = 0; at <= last; at++) {
        __mmask64 there = at < last ? ~0ULL : rest;
        __m512i v = _mm512_maskz_loadu_epi8(there, text + 64 * at);
        __m512i classes =
            avx512_block_read(v, first, second, lowered + 64 * at, &blocks[at]);
        seen = _mm512_or_si512(seen, classes);
        wide |= blocks[at].wide;
    }
    memset(&blocks[last + 1], 0, sizeof(Block));
    return (wide != 0 ? SEEN_WIDE : 0) |
           (AVX512_OF(seen, CLASS_UNDERSCORE) != 0 ? SEEN_UNDERSCORE : 0) |
           (AVX512_OF(seen, CLASS_FAR) != 0 ? SEEN_FAR : 0);
}

/* As `bits_write`: the bits choose among the numbers of a block's bytes. Written are 32
 * places, of which those behind the last bit have no meaning, or 64. */
AVX512 static inline uint32_t *avx512_bits_write(uint64_t bits, __m512i numbers,
                                                 uint32_t base, uint32_t *to)
{
    __m512i places = _mm512_maskz_compress_epi8(bits, numbers);
    __m512i bases = _mm512_set1_epi32((int)base);
    size_t count = bits_count(bits);
#define AVX512_WRITE(part)                                                             \
    _mm512_storeu_si512(to + 16 * (part),                                              \
                        _mm512_add_epi32(bases, _mm512_cvtepu8_epi32(                  \
                                                    _mm512_extracti32x4_epi32(         \
                                                        places, part))))
    AVX512_WRITE(0);
    AVX512_WRITE(1);
    if (count > 32) {
        AVX512_WRITE(2);
        AVX512_WRITE(3);
    }
#undef AVX512_WRITE
    return to + count;
}

/* As `words_find`. */
AVX512 static inline void avx512_words_find(const Block *blocks, size_t count,
                                            Words *words)
{
    WordsBefore before = {0, 0, 0, 0};
    uint32_t *bounds = words->bounds, *marked = words->marked;
    uint8_t bytes[64];
    __m512i numbers;
    size_t at;
    for (at = 0; at < 64; at++)
        bytes[at] = (uint8_t)at;
    numbers = _mm512_loadu_si512(bytes);
    for (at = 0; at < count; at++) {
        uint64_t marks, edges = words_edges(&blocks[at], &before, &marks);
        marked = words_mark(marks, edges, (size_t)(bounds - words->bounds), marked);
        bounds = avx512_bits_write(edges, numbers, (uint32_t)(64 * at), bounds);
    }
    words->count = (size_t)(bounds - words->bounds) / 2;
    words->marked_count = (size_t)(marked - words->marked);
}

static inline int avx512_is_there(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vbmi") &&
           __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("popcnt");
}

#else

#define avx512_blocks_read blocks_read
#define avx512_words_find words_find

static inline int avx512_is_there(void)
{
    return 0;
}

#endif

#endif
