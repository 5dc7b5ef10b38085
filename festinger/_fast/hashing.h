/* Hashes of short texts and of numbers, and the open tables that they lead into. */
#ifndef FESTINGER_HASHING_H
#define FESTINGER_HASHING_H

#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE
#endif
#include <stdint.h>
#include <string.h>
#include <stdlib.h>

/* Keys and hashes: a token's first 16 bytes as two words, and the mixing of words.
 *
 * A token of up to 16 bytes *is* its key, so that telling two of them apart is two
 * comparisons. All hashes are keyed with a secret, which keeps a writer of prompts from
 * aiming at slots.
 */

#if defined(__GNUC__) || defined(__clang__)
#define HASH_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define HASH_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define memory_prefetch(address) __builtin_prefetch(address)
#else
#define HASH_LIKELY(condition) (condition)
#define HASH_UNLIKELY(condition) (condition)
#define memory_prefetch(address) ((void)(address))
#endif

#define KEY_BYTES 16

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

/* Two words with a secret. */
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

/* Eight bytes as a number that is ordered as they are. */
static inline uint64_t load64_ordered(const char *bytes)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return __builtin_bswap64(load64(bytes));
#else
    return load64(bytes);
#endif
}

/* What is left of two words when a key is so many bytes long; a table, because a branch
 * on the length of a word of prose is guessed wrong every second time. */
#define KEY_LOW(n) ((n) >= 8 ? ~0ULL : ~(~0ULL << 8 * ((n) & 7)))
#define KEY_HIGH(n) ((n) <= 8 ? 0 : (n) >= 16 ? ~0ULL : ~(~0ULL << 8 * ((n) & 7)))
#define KEY_MASK(n) {KEY_LOW(n), KEY_HIGH(n)}
static const uint64_t key_masks[KEY_BYTES + 1][2] = {
    KEY_MASK(0),  KEY_MASK(1),  KEY_MASK(2),  KEY_MASK(3),  KEY_MASK(4),  KEY_MASK(5),
    KEY_MASK(6),  KEY_MASK(7),  KEY_MASK(8),  KEY_MASK(9),  KEY_MASK(10), KEY_MASK(11),
    KEY_MASK(12), KEY_MASK(13), KEY_MASK(14), KEY_MASK(15), KEY_MASK(16)};

/* Up to 16 bytes as two words, zero-padded. 16 bytes must be readable. */
static inline void key_of_short(const char *bytes, size_t length, uint64_t key[2])
{
    uint64_t first = load64(bytes), second = load64(bytes + 8);
    const uint64_t *mask = key_masks[length];
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    /* The same key on every machine; records keep it in this form. */
    first = __builtin_bswap64(first);
    second = __builtin_bswap64(second);
#endif
    key[0] = first & mask[0];
    key[1] = second & mask[1];
}

/* The same of the first 16 bytes, if there are more. */
static inline void key_of_padded(const char *bytes, size_t length, uint64_t key[2])
{
    key_of_short(bytes, length < KEY_BYTES ? length : KEY_BYTES, key);
}

/* The same where only `length` bytes are readable. */
static inline void key_of(const char *bytes, size_t length, uint64_t key[2])
{
    char padded[KEY_BYTES] = {0};
    memcpy(padded, bytes, length < KEY_BYTES ? length : KEY_BYTES);
    key_of_padded(padded, length, key);
}

/* Hash of a token of at most 16 bytes: two products, of which the high bits are good.
 * Two keys agree in n of them by chance, once in 2^n secrets, and no better mixing could
 * make that rarer. */
static inline uint64_t hash_short(const uint64_t key[2], uint64_t secret)
{
    return key[0] * (secret | 1) + key[1] * (hash_fold(secret, HASH_K1) | 1);
}

/* Hash of a token, of which `key` is the key_of. */
static inline uint64_t hash_key(const char *bytes, size_t length,
                                const uint64_t key[2], uint64_t secret)
{
    uint64_t hash = hash_short(key, secret);
    size_t at;
    if (length <= KEY_BYTES)
        return hash;
    secret ^= length;
    for (at = 16; at + 16 < length; at += 16)
        hash = hash_pair(load64(bytes + at) ^ hash, load64(bytes + at + 8), secret);
    return hash_pair(load64(bytes + length - 16) ^ hash, load64(bytes + length - 8),
                     secret);
}

/* Memory for the large tables: in whole cache lines, and in huge pages where there are.
 *
 * A table of a million records is looked into at random. In pages of 4 KB each look
 * would also miss what the processor remembers of addresses.
 */

#ifdef __linux__
#include <sys/mman.h>
#endif

#define MEMORY_LINE ((size_t)64)
#define MEMORY_HUGE ((size_t)2 << 20)
/* MADV_COLLAPSE, which Linux knows since 6.1 and older headers do not; it may fail. */
#define MEMORY_COLLAPSE 25

/* Memory to be freed with free(), or NULL. */
static inline void *memory_take(size_t size)
{
    void *memory = NULL;
    size_t alignment = size < MEMORY_HUGE ? MEMORY_LINE : MEMORY_HUGE;
    if (posix_memalign(&memory, alignment, size) != 0)
        return NULL;
#ifdef MADV_HUGEPAGE
    if (alignment == MEMORY_HUGE)
        madvise(memory, size, MADV_HUGEPAGE); /* a wish: nothing depends on it */
#endif
    return memory;
}

/* Have what was taken in huge pages now. Where a table grew it may lie on what smaller
 * tables had been, in small pages, and the system is slow to join these by itself. */
static inline void memory_settle(void *memory, size_t size)
{
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (size >= MEMORY_HUGE && (uintptr_t)memory % MEMORY_HUGE == 0)
        madvise(memory, size / MEMORY_HUGE * MEMORY_HUGE, MEMORY_COLLAPSE);
#else
    (void)memory;
    (void)size;
#endif
}

static inline void *memory_take_zeroed(size_t size)
{
    void *memory = memory_take(size);
    if (memory != NULL)
        memset(memory, 0, size);
    return memory;
}

/* The slots that every lasting table here is made of.
 *
 * Slots map a 32-bit tag to the numbers of an array that somebody else owns. A slot is
 * `tag << 32 | number + 1`, empty is 0, probing is linear and at most six slots in ten
 * are full. A slot's home is its tag's low bits, so that growing and removing need
 * neither the keys nor their hashes. Equal tags are never taken for equal keys:
 * slots_next() only proposes a number, and the owner compares.
 */

#define SLOT_NONE UINT32_MAX

typedef struct {
    uint64_t *slots;
    size_t mask; /* the number of slots, a power of two, less one */
    size_t used;
} Slots;

static inline int slots_open(Slots *table)
{
    table->slots = (uint64_t *)memory_take_zeroed(16 * sizeof(uint64_t));
    table->mask = 15;
    table->used = 0;
    return table->slots == NULL ? -1 : 0;
}

static inline void slots_close(Slots *table)
{
    free(table->slots);
    table->slots = NULL;
}

static inline size_t slots_nbytes(const Slots *table)
{
    return (table->mask + 1) * sizeof(uint64_t);
}

static inline uint32_t slot_tag(uint64_t hash)
{
    return (uint32_t)(hash ^ (hash >> 32));
}

static inline uint64_t slot_of(uint32_t tag, uint32_t number)
{
    return (uint64_t)tag << 32 | (number + 1);
}

static inline void slots_settle(const Slots *table)
{
    memory_settle(table->slots, slots_nbytes(table));
}

/* Where the probing for a tag begins. */
static inline const uint64_t *slots_home(const Slots *table, uint32_t tag)
{
    return &table->slots[tag & table->mask];
}

/* The next number with this tag at or behind *at, or SLOT_NONE; moves *at behind it. */
static inline uint32_t slots_next(const Slots *table, uint32_t tag, size_t *at)
{
    uint64_t slot;
    while ((slot = table->slots[*at & table->mask]) != 0) {
        ++*at;
        if ((uint32_t)(slot >> 32) == tag)
            return (uint32_t)slot - 1;
    }
    return SLOT_NONE;
}

static inline void slots_place(Slots *table, uint64_t slot)
{
    size_t at = (size_t)(slot >> 32) & table->mask;
    while (table->slots[at] != 0)
        at = (at + 1) & table->mask;
    table->slots[at] = slot;
}

/* Make room for `more` numbers. -1 if there is no memory; nothing has changed then. */
static inline int slots_reserve(Slots *table, size_t more)
{
    Slots grown = {NULL, table->mask, table->used};
    size_t at;
    while ((grown.used + more) * 10 > (grown.mask + 1) * 6)
        grown.mask = grown.mask * 2 + 1;
    if (grown.mask == table->mask)
        return 0;
    grown.slots = (uint64_t *)memory_take_zeroed((grown.mask + 1) * sizeof(uint64_t));
    if (grown.slots == NULL)
        return -1;
    for (at = 0; at <= table->mask; at++)
        if (table->slots[at] != 0)
            slots_place(&grown, table->slots[at]);
    free(table->slots);
    *table = grown;
    return 0;
}

/* Insert; there must be room. */
static inline void slots_insert(Slots *table, uint32_t tag, uint32_t number)
{
    slots_place(table, slot_of(tag, number));
    table->used++;
}

/* Where a slot that is there is. */
static inline size_t slots_find(const Slots *table, uint64_t slot)
{
    size_t at = (size_t)(slot >> 32) & table->mask;
    while (table->slots[at] != slot)
        at = (at + 1) & table->mask;
    return at;
}

static inline void slots_renumber(Slots *table, uint32_t tag, uint32_t from, uint32_t to)
{
    table->slots[slots_find(table, slot_of(tag, from))] = slot_of(tag, to);
}

/* Remove, and move what probed past the gap back into it: no tombstones. */
static inline void slots_remove(Slots *table, uint32_t tag, uint32_t number)
{
    size_t mask = table->mask;
    size_t gap = slots_find(table, slot_of(tag, number));
    size_t at = gap;
    for (;;) {
        uint64_t slot;
        size_t home;
        at = (at + 1) & mask;
        slot = table->slots[at];
        if (slot == 0)
            break;
        home = (size_t)(slot >> 32) & mask;
        if (((at - home) & mask) >= ((at - gap) & mask)) {
            table->slots[gap] = slot;
            gap = at;
        }
    }
    table->slots[gap] = 0;
    table->used--;
}

#endif
