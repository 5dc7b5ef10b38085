/* Keys and hashes: a token's first 16 bytes as two words, and the mixing of words.
 *
 * A token of up to 16 bytes *is* its key, so that telling two of them apart is two
 * comparisons. All hashes are keyed with a secret, which keeps a writer of prompts from
 * aiming at slots.
 */
#ifndef FESTINGER_HASH_H
#define FESTINGER_HASH_H

#include <stdint.h>
#include <string.h>

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

#endif
