/* Hashing, and the slots that every table here is made of.
 *
 * An Index maps a 32-bit tag to the numbers of an array that somebody else owns. Its
 * slots are `tag << 32 | number + 1`, empty is 0, probing is linear and at most six
 * slots in ten are full. A slot's home is its tag's low bits, so that growing and
 * removing need neither the keys nor their hashes. Equal tags are never taken for equal
 * keys: index_next() only proposes a number, and the owner compares.
 */
#ifndef FESTINGER_INDEX_H
#define FESTINGER_INDEX_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define INDEX_NONE UINT32_MAX

#if defined(__GNUC__) || defined(__clang__)
#define index_prefetch(address) __builtin_prefetch(address)
#else
#define index_prefetch(address) ((void)(address))
#endif

/* ---- hashing ---- */

/* Multiply to 128 bits and fold: the one mixing step (as in wyhash). */
static inline uint64_t hash_fold(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
#else
    uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
    uint64_t low = al * bl, m1 = ah * bl, m2 = al * bh, high = ah * bh;
    uint64_t middle = (low >> 32) + (uint32_t)m1 + (uint32_t)m2;
    low = (middle << 32) | (uint32_t)low;
    high += (m1 >> 32) + (m2 >> 32) + (middle >> 32);
    return low ^ high;
#endif
}

#define HASH_K0 0xa0761d6478bd642fULL
#define HASH_K1 0xe7037ed1a0b428dbULL

/* Two words with a secret; the secret keeps a writer of prompts from aiming at slots. */
static inline uint64_t hash_pair(uint64_t a, uint64_t b, uint64_t secret)
{
    return hash_fold(hash_fold(a ^ secret, b ^ HASH_K0) ^ HASH_K1, secret ^ HASH_K0);
}

static inline uint64_t load64(const char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, 8);
    return word;
}

/* What is left of two words when a key is so many bytes long; a table, because a branch
 * on the length of a word of prose is guessed wrong every second time. */
#define KEY_LOW(n) ((n) >= 8 ? ~0ULL : ~(~0ULL << 8 * ((n) & 7)))
#define KEY_HIGH(n) ((n) <= 8 ? 0 : (n) >= 16 ? ~0ULL : ~(~0ULL << 8 * ((n) & 7)))
#define KEY_MASK(n) {KEY_LOW(n), KEY_HIGH(n)}
static const uint64_t key_masks[17][2] = {
    KEY_MASK(0),  KEY_MASK(1),  KEY_MASK(2),  KEY_MASK(3),  KEY_MASK(4),  KEY_MASK(5),
    KEY_MASK(6),  KEY_MASK(7),  KEY_MASK(8),  KEY_MASK(9),  KEY_MASK(10), KEY_MASK(11),
    KEY_MASK(12), KEY_MASK(13), KEY_MASK(14), KEY_MASK(15), KEY_MASK(16)};

/* The first 16 bytes as two words, zero-padded. 16 bytes must be readable. */
static inline void key_of_padded(const char *bytes, size_t length, uint64_t key[2])
{
    uint64_t first = load64(bytes), second = load64(bytes + 8);
    const uint64_t *mask = key_masks[length < 16 ? length : 16];
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    /* The same key on every machine; records keep it in this form. */
    first = __builtin_bswap64(first);
    second = __builtin_bswap64(second);
#endif
    key[0] = first & mask[0];
    key[1] = second & mask[1];
}

/* The same where only `length` bytes are readable. */
static inline void key_of(const char *bytes, size_t length, uint64_t key[2])
{
    char padded[16] = {0};
    memcpy(padded, bytes, length < 16 ? length : 16);
    key_of_padded(padded, length, key);
}

/* Hash of a token, of which `key` is the key_of. */
static inline uint64_t hash_key(const char *bytes, size_t length,
                                const uint64_t key[2], uint64_t secret)
{
    uint64_t hash = hash_pair(key[0], key[1], secret ^ length);
    size_t at;
    if (length <= 16)
        return hash;
    for (at = 16; at + 16 < length; at += 16)
        hash = hash_pair(load64(bytes + at) ^ hash, load64(bytes + at + 8), secret);
    return hash_pair(load64(bytes + length - 16) ^ hash, load64(bytes + length - 8),
                     secret);
}

/* ---- slots ---- */

typedef struct {
    uint64_t *slots;
    size_t mask; /* the number of slots, a power of two, less one */
    size_t used;
} Index;

static inline int index_open(Index *index)
{
    index->slots = (uint64_t *)calloc(16, sizeof(uint64_t));
    index->mask = 15;
    index->used = 0;
    return index->slots == NULL ? -1 : 0;
}

static inline void index_close(Index *index)
{
    free(index->slots);
    index->slots = NULL;
}

static inline uint32_t index_tag(uint64_t hash)
{
    return (uint32_t)(hash ^ (hash >> 32));
}

/* The next number with this tag at or behind *at, or INDEX_NONE; moves *at behind it. */
static inline uint32_t index_next(const Index *index, uint32_t tag, size_t *at)
{
    uint64_t slot;
    while ((slot = index->slots[*at & index->mask]) != 0) {
        ++*at;
        if ((uint32_t)(slot >> 32) == tag)
            return (uint32_t)slot - 1;
    }
    return INDEX_NONE;
}

static inline void index_place(Index *index, uint64_t slot)
{
    size_t at = (size_t)(slot >> 32) & index->mask;
    while (index->slots[at] != 0)
        at = (at + 1) & index->mask;
    index->slots[at] = slot;
}

/* Make room for `more` numbers. -1 if there is no memory; nothing has changed then. */
static inline int index_reserve(Index *index, size_t more)
{
    Index grown = {NULL, index->mask, index->used};
    size_t at;
    while ((grown.used + more) * 10 > (grown.mask + 1) * 6)
        grown.mask = grown.mask * 2 + 1;
    if (grown.mask == index->mask)
        return 0;
    grown.slots = (uint64_t *)calloc(grown.mask + 1, sizeof(uint64_t));
    if (grown.slots == NULL)
        return -1;
    for (at = 0; at <= index->mask; at++)
        if (index->slots[at] != 0)
            index_place(&grown, index->slots[at]);
    free(index->slots);
    *index = grown;
    return 0;
}

static inline uint64_t index_slot(uint32_t tag, uint32_t number)
{
    return (uint64_t)tag << 32 | (number + 1);
}

/* Insert; there must be room. */
static inline void index_insert(Index *index, uint32_t tag, uint32_t number)
{
    index_place(index, index_slot(tag, number));
    index->used++;
}

/* Where a slot that is there is. */
static inline size_t index_find(const Index *index, uint64_t slot)
{
    size_t at = (size_t)(slot >> 32) & index->mask;
    while (index->slots[at] != slot)
        at = (at + 1) & index->mask;
    return at;
}

static inline void index_renumber(Index *index, uint32_t tag, uint32_t from, uint32_t to)
{
    index->slots[index_find(index, index_slot(tag, from))] = index_slot(tag, to);
}

/* Remove, and move what probed past the gap back into it: no tombstones. */
static inline void index_remove(Index *index, uint32_t tag, uint32_t number)
{
    size_t mask = index->mask;
    size_t gap = index_find(index, index_slot(tag, number));
    size_t at = gap;
    for (;;) {
        uint64_t slot;
        size_t home;
        at = (at + 1) & mask;
        slot = index->slots[at];
        if (slot == 0)
            break;
        home = (size_t)(slot >> 32) & mask;
        if (((at - home) & mask) >= ((at - gap) & mask)) {
            index->slots[gap] = slot;
            gap = at;
        }
    }
    index->slots[gap] = 0;
    index->used--;
}

static inline size_t index_nbytes(const Index *index)
{
    return (index->mask + 1) * sizeof(uint64_t);
}

#endif
