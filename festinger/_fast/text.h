/* From a string's characters to the places of its words, 64 bytes at a time. */
#ifndef FESTINGER_TEXT_H
#define FESTINGER_TEXT_H

#include <stdint.h>
#include <string.h>
#include <stdlib.h>

/* UTF-8: from Python's strings, of one, two or four bytes a character, and its check.
 *
 * Python would do it too, but character by character, and would keep the result for as
 * long as the string lives. A lone surrogate becomes three bytes, like any character.
 */

static inline uint8_t *utf8_put(uint8_t *to, uint32_t point)
{
    if (point < 0x80) {
        *to++ = (uint8_t)point;
        return to;
    }
    if (point < 0x800) {
        *to++ = (uint8_t)(0xc0 | point >> 6);
    } else {
        if (point < 0x10000) {
            *to++ = (uint8_t)(0xe0 | point >> 12);
        } else {
            *to++ = (uint8_t)(0xf0 | point >> 18);
            *to++ = (uint8_t)(0x80 | (point >> 12 & 0x3f));
        }
        *to++ = (uint8_t)(0x80 | (point >> 6 & 0x3f));
    }
    *to++ = (uint8_t)(0x80 | (point & 0x3f));
    return to;
}

/* The character at a place of a string of `size` bytes each. */
static inline uint32_t string_at(const void *data, int size, size_t at)
{
    if (size == 1)
        return ((const uint8_t *)data)[at];
    if (size == 2)
        return ((const uint16_t *)data)[at];
    return ((const uint32_t *)data)[at];
}

/* Copy the ASCII at `from` up to the first character that is none; return its place.
 * Eight at a time, for which seven bytes more than the string has must be writable. */
#define UTF8_COPY(name, type)                                                          \
    static inline size_t name(const type *from, size_t at, size_t length, uint8_t **to)  \
    {                                                                                  \
        uint8_t *out = *to;                                                            \
        for (; at + 8 <= length; at += 8, out += 8) {                                  \
            type all = 0;                                                              \
            int i;                                                                     \
            for (i = 0; i < 8; i++) {                                                  \
                all |= from[at + i];                                                   \
                out[i] = (uint8_t)from[at + i];                                        \
            }                                                                          \
            if (all >= 0x80)                                                           \
                break;                                                                 \
        }                                                                              \
        for (; at < length && from[at] < 0x80; at++)                                   \
            *out++ = (uint8_t)from[at];                                                \
        *to = out;                                                                     \
        return at;                                                                     \
    }

UTF8_COPY(utf8_copy1, uint8_t)
UTF8_COPY(utf8_copy2, uint16_t)
UTF8_COPY(utf8_copy4, uint32_t)

static inline size_t utf8_copy(const void *data, int size, size_t at, size_t length,
                               uint8_t **to)
{
    if (size == 1)
        return utf8_copy1((const uint8_t *)data, at, length, to);
    if (size == 2)
        return utf8_copy2((const uint16_t *)data, at, length, to);
    return utf8_copy4((const uint32_t *)data, at, length, to);
}

/* Whether bytes are UTF-8 as Python takes it: no overlong forms, no surrogates. */
static inline int utf8_is_valid(const uint8_t *data, size_t length)
{
    size_t at = 0;
    while (at < length) {
        uint8_t lead = data[at++];
        uint32_t low = 0x80, high = 0xbf; /* what the second byte may be */
        size_t more;
        if (lead < 0x80)
            continue;
        if (lead < 0xc2 || lead > 0xf4)
            return 0;
        more = lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
        if (lead == 0xe0)
            low = 0xa0;
        if (lead == 0xed)
            high = 0x9f;
        if (lead == 0xf0)
            low = 0x90;
        if (lead == 0xf4)
            high = 0x8f;
        if (length - at < more || data[at] < low || data[at] > high)
            return 0;
        for (at++; --more > 0; at++)
            if ((data[at] & 0xc0) != 0x80)
                return 0;
    }
    return 1;
}

/* The classes of characters, in pages of 256 that are made when first written to.
 *
 * Reading needs no lock: a page is made known when it is whole, and its entries are
 * written once. Who writes holds the GIL. Pages are never freed.
 */

static uint16_t *pages[0x1100];

/* What was written for a character, or 0. */
static inline uint16_t page_read(uint32_t point)
{
    const uint16_t *page = __atomic_load_n(&pages[point >> 8], __ATOMIC_ACQUIRE);
    return page == NULL ? 0 : __atomic_load_n(&page[point & 0xff], __ATOMIC_RELAXED);
}

/* -1 if there is no memory. */
static inline int page_write(uint32_t point, uint16_t bits)
{
    uint16_t *page = pages[point >> 8];
    if (page == NULL) {
        page = (uint16_t *)calloc(256, sizeof(uint16_t));
        if (page == NULL)
            return -1;
        __atomic_store_n(&pages[point >> 8], page, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&page[point & 0xff], bits, __ATOMIC_RELAXED);
    return 0;
}

/* A text as bits: 64 bytes at a time, one bit for each byte of a class.
 *
 * With bits, the rules about neighbouring characters are shifts, and finding a word is
 * counting zeros. A byte of a character beyond ASCII counts as part of a word here; who
 * meets a run with such a byte looks closer.
 */

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

/* From bits to words: where each begins and ends, and which deserve a closer look.
 *
 * A word begins and ends where the bits change. Most words need nothing more. Marked
 * for a closer look are those that may be more, or less, than their bits say: with a
 * wide character or `'s` in them, before `+`, `#` or a carriage return, or capitalised
 * and one byte before another that is. Marks may be too many, never too
 * few. A marked word is looked at together with the one behind it.
 */

typedef struct {
    uint32_t *bounds; /* start and end of each word, half open */
    uint32_t *marked; /* numbers of words, rising */
    size_t count;
    size_t marked_count;
} Words;

/* More bounds than a text of so many bytes can have, and more marks. Whoever writes the
 * bounds of a block may write up to 64 from its first on, of which few have a meaning. */
#define WORDS_BOUNDS_MAX(length) ((length) + 64 + 8)
#define WORDS_MARKED_MAX(length) ((length) / 2 + 64)

static inline size_t bits_count(uint64_t bits)
{
    bits -= bits >> 1 & 0x5555555555555555ULL;
    bits = (bits & 0x3333333333333333ULL) + (bits >> 2 & 0x3333333333333333ULL);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
    return (size_t)(bits * 0x0101010101010101ULL >> 56);
}

/* Write the places of all bits, eight at a time: a loop that ends with the last bit
 * would end where nobody foresees it. Up to seven more are written, of no meaning. */
static inline uint32_t *bits_write(uint64_t bits, uint32_t base, uint32_t *to)
{
    uint32_t *end = to + bits_count(bits);
    while (to < end) {
        int i;
        for (i = 0; i < 8; i++) {
            *to++ = base + (uint32_t)__builtin_ctzll(bits | 1ULL << 63);
            bits &= bits - 1;
        }
    }
    return end;
}

/* The bytes behind those runs of `word` that have a seed in them: adding a bit of a run
 * carries it to the run's end. `carry` is between one block and the next. */
static inline uint64_t bits_ends(uint64_t word, uint64_t seeds, uint64_t *carry)
{
    uint64_t sum = word + *carry, result = sum + seeds;
    *carry = (sum < word) | (result < sum);
    return result & ~word;
}

/* What a block needs to know of those before it. */
typedef struct {
    uint64_t word; /* whether the last byte is part of a word by itself */
    uint64_t run;  /* whether it is, with what joins words */
    uint64_t marks_carry;
    uint64_t capitals_carry;
} WordsBefore;

/* Where words of a block begin and end, and where a mark is due. */
static inline uint64_t words_edges(const Block *block, WordsBefore *before,
                                   uint64_t *marks)
{
    const Block *next = block + 1;
    uint64_t left = block->word << 1 | before->word;
    uint64_t right = block->word >> 1 | next->word << 63;
    uint64_t word = block->word | (block->joiner & left & right);
    uint64_t edges = word ^ (word << 1 | before->run);
    uint64_t capitals = (block->upper & edges) | block->wide;
    uint64_t next_capitals = ((block->upper | block->wide) & word & edges) >> 1 |
                             (next->upper | next->wide) << 63;
    uint64_t possessives = block->quote & word & (block->es >> 1 | next->es << 63);
    *marks = bits_ends(word, block->wide | possessives, &before->marks_carry);
    *marks |= bits_ends(word, capitals, &before->capitals_carry) & next_capitals;
    *marks |= edges & ~word & block->odd;
    before->word = block->word >> 63;
    before->run = word >> 63;
    return edges;
}

/* Write the numbers of the words that marks stand behind, of a block with `bounds`
 * places before it. Returns the end of what is written. */
static inline uint32_t *words_mark(uint64_t marks, uint64_t edges, size_t bounds,
                                   uint32_t *marked)
{
    while (marks) {
        uint64_t below = (marks & (0 - marks)) - 1;
        *marked++ = (uint32_t)(bounds + bits_count(edges & below)) / 2;
        marks &= marks - 1;
    }
    return marked;
}

/* Find all words of `count` blocks. */
static inline void words_find(const Block *blocks, size_t count, Words *words)
{
    WordsBefore before = {0, 0, 0, 0};
    uint32_t *bounds = words->bounds, *marked = words->marked;
    size_t at;
    for (at = 0; at < count; at++) {
        uint64_t marks, edges = words_edges(&blocks[at], &before, &marks);
        marked = words_mark(marks, edges, (size_t)(bounds - words->bounds), marked);
        bounds = bits_write(edges, (uint32_t)(64 * at), bounds);
    }
    words->count = (size_t)(bounds - words->bounds) / 2;
    words->marked_count = (size_t)(marked - words->marked);
}

/* What `blocks.h` and `words.h` do, with instructions that not every x86-64 has.
 *
 * A block is one register. One look into a table of 128 bytes says all classes of a
 * byte at once, and the places of a block's bits are written in one go. Both take a
 * third of the time; what they make is the same to the bit. Whether a processor can is
 * asked when a program runs: it may have been compiled on another.
 */

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
