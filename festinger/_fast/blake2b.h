/* BLAKE2b (RFC 7693) of short texts, without a key, in 8 bytes.
 *
 * A text of a line is one or two of its blocks, of a fifth of a microsecond each: that is
 * less than to look up what the same text was digested to before.
 */
#ifndef FESTINGER_BLAKE2B_H
#define FESTINGER_BLAKE2B_H

#include <stdint.h>
#include <string.h>

#define BLAKE2B_BLOCK 128
#define BLAKE2B_ROUNDS 12
#define BLAKE2B_DIGEST 8

static const uint64_t blake2b_start[8] = {
    0x6a09e667f3bcc908ULL, 0xbb67ae8584caa73bULL, 0x3c6ef372fe94f82bULL,
    0xa54ff53a5f1d36f1ULL, 0x510e527fade682d1ULL, 0x9b05688c2b3e6c1fULL,
    0x1f83d9abfb41bd6bULL, 0x5be0cd19137e2179ULL};

static const uint8_t blake2b_order[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

static inline uint64_t blake2b_load(const uint8_t *at)
{
    uint64_t word = 0;
    int i;
    for (i = 7; i >= 0; i--)
        word = word << 8 | at[i];
    return word;
}

static inline uint64_t blake2b_turn(uint64_t word, int by)
{
    return word >> by | word << (64 - by);
}

static inline void blake2b_mix(uint64_t *v, int a, int b, int c, int d, uint64_t x,
                               uint64_t y)
{
    v[a] += v[b] + x;
    v[d] = blake2b_turn(v[d] ^ v[a], 32);
    v[c] += v[d];
    v[b] = blake2b_turn(v[b] ^ v[c], 24);
    v[a] += v[b] + y;
    v[d] = blake2b_turn(v[d] ^ v[a], 16);
    v[c] += v[d];
    v[b] = blake2b_turn(v[b] ^ v[c], 63);
}

/* Take one block in; `length` is that of the text up to its end. */
static void blake2b_take(uint64_t *state, const uint8_t *block, uint64_t length,
                         int is_last)
{
    uint64_t v[16], m[16];
    int round, i;
    for (i = 0; i < 16; i++)
        m[i] = blake2b_load(block + 8 * i);
    memcpy(v, state, 8 * sizeof(uint64_t));
    memcpy(v + 8, blake2b_start, 8 * sizeof(uint64_t));
    v[12] ^= length;
    if (is_last)
        v[14] = ~v[14];
    for (round = 0; round < BLAKE2B_ROUNDS; round++) {
        const uint8_t *order = blake2b_order[round % 10];
        blake2b_mix(v, 0, 4, 8, 12, m[order[0]], m[order[1]]);
        blake2b_mix(v, 1, 5, 9, 13, m[order[2]], m[order[3]]);
        blake2b_mix(v, 2, 6, 10, 14, m[order[4]], m[order[5]]);
        blake2b_mix(v, 3, 7, 11, 15, m[order[6]], m[order[7]]);
        blake2b_mix(v, 0, 5, 10, 15, m[order[8]], m[order[9]]);
        blake2b_mix(v, 1, 6, 11, 12, m[order[10]], m[order[11]]);
        blake2b_mix(v, 2, 7, 8, 13, m[order[12]], m[order[13]]);
        blake2b_mix(v, 3, 4, 9, 14, m[order[14]], m[order[15]]);
    }
    for (i = 0; i < 8; i++)
        state[i] ^= v[i] ^ v[i + 8];
}

/* Write the digest of a text. */
static inline void blake2b_digest(const char *text, size_t length, char *digest)
{
    uint64_t state[8];
    uint8_t last[BLAKE2B_BLOCK] = {0};
    size_t at = 0;
    int i;
    memcpy(state, blake2b_start, sizeof(state));
    state[0] ^= 0x01010000 ^ BLAKE2B_DIGEST;
    for (; length - at > BLAKE2B_BLOCK; at += BLAKE2B_BLOCK)
        blake2b_take(state, (const uint8_t *)text + at, at + BLAKE2B_BLOCK, 0);
    memcpy(last, text + at, length - at);
    blake2b_take(state, last, length, 1);
    for (i = 0; i < BLAKE2B_DIGEST; i++)
        digest[i] = (char)(state[0] >> 8 * i & 0xFF);
}

#endif
