/* The word lists as a hash table without collisions: a bucket's factor is chosen so that
 * each of its words gets a slot to itself. So looking up is one comparison and no branch.
 */
#ifndef FESTINGER_WORDLIST_H
#define FESTINGER_WORDLIST_H

#include <stddef.h>
#include <stdint.h>

/* Flags of a word. */
#define WORD_CLOSED 8u
#define WORD_CUE 16u
#define WORD_BREAKS 32u /* ends a run of capitalised words */
#define WORD_PATTERN 128u /* of a cue pattern, but no copula or verb */

#define WORD_SLOTS 512
#define WORD_BUCKETS 256

typedef struct {
    uint64_t key[2]; /* as key_of makes it; no key of a token is zero */
    uint32_t flags;
} Word;

typedef struct {
    uint64_t factors[WORD_BUCKETS];
    Word words[WORD_SLOTS];
} WordTable;

static inline size_t word_slot(uint64_t hash, uint64_t factor)
{
    return (size_t)(hash * factor >> 55);
}

/* Flags of a token of at most 16 bytes; none if it is on no list. */
static inline uint32_t word_flags(const WordTable *table, uint64_t hash,
                                  const uint64_t *key)
{
    const Word *word = &table->words[word_slot(hash, table->factors[hash >> 56])];
    uint32_t same = (word->key[0] == key[0]) & (word->key[1] == key[1]);
    return word->flags & (0u - same);
}

#endif
