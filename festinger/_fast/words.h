/* From bits to words: where each begins and ends, and which deserve a closer look.
 *
 * A word begins and ends where the bits change. Most words need nothing more. Marked
 * for a closer look are those that may be more, or less, than their bits say: with a
 * wide character or `'s` in them, before `+`, `#` or a carriage return, or capitalised
 * and one byte before another that is. Marks may be too many, never too
 * few. A marked word is looked at together with the one behind it.
 */
#ifndef FESTINGER_WORDS_H
#define FESTINGER_WORDS_H

#include "blocks.h"

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

#endif
