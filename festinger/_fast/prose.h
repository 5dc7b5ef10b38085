/* Where in a text something may begin that is not prose: 64 characters at a time, one bit
 * for each that deserves a look.
 */
#ifndef FESTINGER_PROSE_H
#define FESTINGER_PROSE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <immintrin.h>
#endif

#define PROSE_BLOCK 64

/* The characters as bytes; what does not fit is 255. Compiled for each kind of processor
 * that calls it. */
static inline __attribute__((always_inline)) void
prose_narrow_here(const void *data, int size, size_t length, uint8_t *to)
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

__attribute__((target("avx2"))) static void
prose_narrow_avx2(const void *data, int size, size_t length, uint8_t *to)
{
    prose_narrow_here(data, size, length, to);
}

/* AVX2 is not part of every x86-64. */
static inline void prose_narrow(const void *data, int size, size_t length, uint8_t *to)
{
    if (__builtin_cpu_supports("avx2"))
        prose_narrow_avx2(data, size, length, to);
    else
        prose_narrow_here(data, size, length, to);
}

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

#define prose_narrow prose_narrow_here

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

#ifdef __SSE2__

#define PROSE_TWICE(...) _mm256_setr_epi8(__VA_ARGS__, __VA_ARGS__)

/* The first of two blocks from `at` on that hold one of the marks which prose_far looks
 * for: each has a second digit of its own, and so it is one comparison with the mark of
 * that digit. */
__attribute__((target("avx2"))) static size_t
prose_skip_plain_avx2(const uint8_t *narrow, size_t at, size_t end)
{
    const __m256i marks = PROSE_TWICE('`', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '<', 0, '~', 0);
    for (; at + 2 * PROSE_BLOCK <= end; at += 2 * PROSE_BLOCK) {
        __m256i any = _mm256_setzero_si256();
        size_t part;
        for (part = at; part < at + 2 * PROSE_BLOCK; part += 32) {
            __m256i v = _mm256_loadu_si256((const __m256i *)(narrow + part));
            __m256i mark = _mm256_shuffle_epi8(marks, v);
            any = _mm256_or_si256(any, _mm256_cmpeq_epi8(mark, v));
        }
        if (!_mm256_testz_si256(any, any))
            break;
    }
    return at;
}

/* The first block from `at` on in which prose_far may find something, or one near the
 * end. */
__attribute__((target("avx2"))) static size_t
prose_skip_near_avx2(const uint8_t *narrow, size_t at, size_t end, size_t length)
{
    const __m256i less = _mm256_set1_epi8('<'), tick = _mm256_set1_epi8('`');
    const __m256i tilde = _mm256_set1_epi8('~');
    while (1) {
        __m256i any = _mm256_setzero_si256();
        size_t part;
        at = prose_skip_plain_avx2(narrow, at, end);
        if (at >= end || at + PROSE_BLOCK + 2 > length)
            break;
        for (part = at; part < at + PROSE_BLOCK; part += 32) {
            __m256i v = _mm256_loadu_si256((const __m256i *)(narrow + part));
            __m256i next = _mm256_loadu_si256((const __m256i *)(narrow + part + 1));
            __m256i third = _mm256_loadu_si256((const __m256i *)(narrow + part + 2));
            __m256i mark = _mm256_or_si256(_mm256_cmpeq_epi8(v, tick),
                                           _mm256_cmpeq_epi8(v, tilde));
            mark = _mm256_and_si256(mark, _mm256_cmpeq_epi8(v, next));
            mark = _mm256_and_si256(mark, _mm256_cmpeq_epi8(v, third));
            mark = _mm256_or_si256(mark, _mm256_cmpeq_epi8(v, less));
            any = _mm256_or_si256(any, mark);
        }
        if (!_mm256_testz_si256(any, any))
            break;
        at += PROSE_BLOCK;
    }
    return at;
}

/* The marks of prose_marks by their two digits: a bit for each first digit, which those
 * of the second have that follow it. */
#define PROSE_FIRST(two, three, five, six, seven, ten, fifteen)                        \
    0, 0, two, three, 0, five, six, seven, 0, 0, ten, 0, 0, 0, 0, fifteen

/* The first block from `at` on with a mark or a hint in it, or one near the end. */
__attribute__((target("avx2"))) static size_t prose_skip_avx2(const uint8_t *narrow,
                                                              size_t at, size_t length)
{
    const __m256i firsts = PROSE_TWICE(PROSE_FIRST(1, 2, 4, 8, 16, 32, 64));
    const __m256i seconds =
        PROSE_TWICE(8, 1, 1, 0, 0, 0, 0, 1, 0, 0, 2, 32, 2, 4, 16, 64);
    const __m256i digit = _mm256_set1_epi8(15);
    const __m256i i = _mm256_set1_epi8('i'), k = _mm256_set1_epi8('k');
    for (; at + PROSE_BLOCK < length; at += PROSE_BLOCK) {
        __m256i any = _mm256_setzero_si256();
        size_t part;
        for (part = at; part < at + PROSE_BLOCK; part += 32) {
            __m256i v = _mm256_loadu_si256((const __m256i *)(narrow + part));
            __m256i next = _mm256_loadu_si256((const __m256i *)(narrow + part + 1));
            __m256i first = _mm256_and_si256(_mm256_srli_epi16(v, 4), digit);
            __m256i second = _mm256_and_si256(v, digit);
            __m256i mark = _mm256_and_si256(_mm256_shuffle_epi8(firsts, first),
                                            _mm256_shuffle_epi8(seconds, second));
            __m256i hint = _mm256_and_si256(_mm256_cmpeq_epi8(v, i),
                                            _mm256_cmpeq_epi8(next, k));
            any = _mm256_or_si256(any, _mm256_or_si256(mark, hint));
        }
        if (!_mm256_testz_si256(any, any))
            break;
    }
    return at;
}

/* The next block that deserves a look; AVX2 is not part of every x86-64. */
static inline size_t prose_skip(const uint8_t *narrow, size_t at, size_t length)
{
    return __builtin_cpu_supports("avx2") ? prose_skip_avx2(narrow, at, length) : at;
}

static inline size_t prose_skip_near(const uint8_t *narrow, size_t at, size_t end,
                                     size_t length)
{
    return __builtin_cpu_supports("avx2")
               ? prose_skip_near_avx2(narrow, at, end, length)
               : at;
}

#else

static inline size_t prose_skip(const uint8_t *narrow, size_t at, size_t length)
{
    (void)narrow;
    (void)length;
    return at;
}

static inline size_t prose_skip_near(const uint8_t *narrow, size_t at, size_t end,
                                     size_t length)
{
    (void)narrow;
    (void)end;
    (void)length;
    return at;
}

#endif

/* The last line break from `low` on that is before a place, or -1. */
static inline ptrdiff_t prose_line_before(const uint8_t *narrow, size_t low, size_t at)
{
#ifdef __GLIBC__
    const uint8_t *found = (const uint8_t *)memrchr(narrow + low, '\n', at - low);
    return found ? found - narrow : -1;
#else
    while (at > low && narrow[at - 1] != '\n')
        at--;
    return at > low ? (ptrdiff_t)at - 1 : -1;
#endif
}

/* The first byte, up to `end`, at which something may begin that is longer than a
 * paragraph: a tag, a comment or a fence. */
static inline size_t prose_far(const uint8_t *narrow, size_t at, size_t end,
                               size_t length)
{
    while (at < end) {
        size_t block = prose_skip_near(narrow, at, end, length);
        for (at = block; at < end && at < block + PROSE_BLOCK; at++) {
            uint8_t c = narrow[at], next = at + 1 < length ? narrow[at + 1] : ' ';
            if (c == '<' && (next == '/' || next == '!' || (next | 32) - 'a' < 26u))
                return at;
            if ((c == '`' || c == '~') && c == next && at + 2 < length &&
                c == narrow[at + 2])
                return at;
        }
    }
    return end;
}

/* What a byte between two words does to them: seen from the word behind it, and from the
 * word before it. A quoted or a ticked word stands in its sentence or is opaque, so what
 * opens there hides no word from who comes from the left; only a tag and a link's target
 * do. Where the same marks may close, nobody knows what they have hidden.
 */

#define MARK_ANYTHING 0 /* it may hide words, or do anything else */
#define MARK_BLANK 1
#define MARK_PARTS 2 /* no phrase reaches across it */

static const unsigned char marks_before[256] = {
    [' '] = MARK_BLANK,  ['\t'] = MARK_BLANK, ['\n'] = MARK_BLANK,
    ['\r'] = MARK_BLANK, ['.'] = MARK_PARTS,  [';'] = MARK_PARTS,
    [':'] = MARK_PARTS,  ['?'] = MARK_PARTS,  ['/'] = MARK_PARTS,
    ['&'] = MARK_PARTS,  ['='] = MARK_PARTS,  ['+'] = MARK_PARTS,
    ['#'] = MARK_PARTS,  ['%'] = MARK_PARTS,  ['@'] = MARK_PARTS,
    ['$'] = MARK_PARTS,  ['^'] = MARK_PARTS,  ['{'] = MARK_PARTS,
    ['}'] = MARK_PARTS,  ['|'] = MARK_PARTS,  ['\\'] = MARK_PARTS};

static const unsigned char marks_ahead[256] = {
    [' '] = MARK_BLANK,  ['\t'] = MARK_BLANK, ['\n'] = MARK_BLANK,
    ['\r'] = MARK_BLANK, ['*'] = MARK_BLANK,  ['['] = MARK_BLANK,
    ['\''] = MARK_BLANK, ['`'] = MARK_BLANK,  ['.'] = MARK_PARTS,
    [';'] = MARK_PARTS,  [':'] = MARK_PARTS,  ['?'] = MARK_PARTS,
    ['/'] = MARK_PARTS,  ['&'] = MARK_PARTS,  ['='] = MARK_PARTS,
    ['+'] = MARK_PARTS,  ['#'] = MARK_PARTS,  ['%'] = MARK_PARTS,
    ['@'] = MARK_PARTS,  ['$'] = MARK_PARTS,  ['^'] = MARK_PARTS,
    ['{'] = MARK_PARTS,  ['}'] = MARK_PARTS,  ['|'] = MARK_PARTS,
    ['\\'] = MARK_PARTS, [','] = MARK_PARTS,  ['('] = MARK_PARTS,
    [')'] = MARK_PARTS,  ['-'] = MARK_PARTS,  ['!'] = MARK_PARTS,
    ['~'] = MARK_PARTS,  ['"'] = MARK_PARTS,  ['>'] = MARK_PARTS};

#endif
