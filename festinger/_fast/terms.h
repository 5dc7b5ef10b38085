/* From the places of words to tokens, and each distinct one once. */
#ifndef FESTINGER_TERMS_H
#define FESTINGER_TERMS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "hashing.h"

/* What the form of a word of ASCII says: whether it may be a concept, or is a number, a
 * hash or a key.
 *
 * Lowered words are asked eight bytes at a time. Of the characters that a word can have,
 * only letters have the bits 0x40 and 0x20, and only digits have 0x10 without 0x40.
 */

#define TOKEN_CHARACTERS_MAX 64
#define HEX_DIGITS_MIN 16
#define BASE64_CHARACTERS_MIN 24

static inline uint64_t letters_of(uint64_t bytes)
{
    return bytes & bytes << 1 & 0x4040404040404040ULL;
}

static inline uint64_t digits_of(uint64_t bytes)
{
    return bytes & ~(bytes >> 2) & 0x1010101010101010ULL;
}

/* Whether a word with a digit in it is hex or base64. */
static inline int form_is_key(const char *lowered, const uint8_t *text, size_t length)
{
    int hex = 1, base64 = length >= BASE64_CHARACTERS_MIN;
    size_t at, hexes = 0, upper = 0, lower = 0;
    for (at = 0; at < length; at++) {
        char byte = lowered[at];
        int letter = byte >= 'a' && byte <= 'z', digit = byte >= '0' && byte <= '9';
        int capital = letter && text[at] != (uint8_t)byte;
        upper += (size_t)capital;
        lower += (size_t)(letter && !capital);
        hexes += (size_t)(letter | digit);
        hex &= digit | (letter && byte <= 'f') | (byte == '-');
        base64 &= letter | digit | (byte == '-') | (byte == '_');
    }
    return (hex && hexes >= HEX_DIGITS_MIN) || (base64 && upper && lower);
}

/* Whether a word, lowered and as it is in the text, may be a concept. */
static inline int form_is_concept(const char *lowered, const uint8_t *text,
                                  size_t length)
{
    uint64_t letters = 0, digits = 0;
    size_t at;
    if (length > TOKEN_CHARACTERS_MAX)
        return 0;
    for (at = 0; at < length; at += KEY_BYTES) {
        uint64_t key[2];
        key_of_padded(lowered + at, length - at, key);
        letters |= letters_of(key[0]) | letters_of(key[1]);
        digits |= digits_of(key[0]) | digits_of(key[1]);
    }
    if (length < HEX_DIGITS_MIN || digits == 0)
        return letters != 0;
    return letters != 0 && !form_is_key(lowered, text, length);
}

/* The word lists as a hash table without collisions: a bucket's factor is chosen so that
 * each of its words gets a slot to itself. So looking up is one comparison and no branch.
 */

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

/* The tokens of a text, and its terms: each distinct token once.
 *
 * What depends on a token's characters alone (what kind of word it is, whether the
 * vocabulary knows it) is done for the term, four or five times less often than for the
 * token. A token knows where it stands and which term it is.
 *
 * Terms are found again by their keys, through `seen`, a table of numbers with linear
 * probing. A third of it at most is full, since a probe that fails costs as much as all
 * else that is done for a word.
 */

/* Flags of a term: it may be a concept, and its flags are decided. */
#define TERM_CONCEPT 1u
#define TERM_KNOWN 64u

/* Marks of a token, beside the number of its term: that it is a compound, that it is a
 * cue word, and that it is of a cue pattern but no copula or verb: some cue words are both.
 * The latter two stand beside the number in `seen` already. */
#define TOKEN_COMPOUND 0x80000000u
#define TOKEN_CUE 0x40000000u
#define TOKEN_PATTERN 0x20000000u
#define TOKEN_TERM 0x1fffffffu

typedef struct {
    uint32_t start; /* bytes of the text, half open */
    uint32_t end;
    uint32_t term; /* its number, and the marks */
} Token;

/* What is compared: the key of up to 16 bytes; of more the hash and ~0, which is no
 * UTF-8. */
typedef struct {
    uint64_t words[2];
} Key;

typedef struct {
    uint64_t hash;
    uint32_t offset; /* of the lowered bytes of its first token */
    uint32_t length;
    uint32_t flags;
    uint32_t first; /* the position of that token */
} Term;

typedef struct {
    Token *tokens;
    Key *keys;   /* of the terms: apart from them, since most words need only these */
    Term *terms; /* the first has no token, so that 0 is none */
    uint32_t *seen; /* numbers with TOKEN_CUE and TOKEN_PATTERN */
    uint32_t *cues; /* positions of the cue words; one more may be written behind */
    int seen_bits;
    size_t token_count;
    size_t cue_count;
    uint32_t term_count;
    const WordTable *words;
    uint64_t secret;
    uint64_t hash_mask; /* fewer bits of the hashes, to force collisions */
    uint64_t steps;
} Terms;

/* A size of `seen`, as a power of two, for so many tokens, of which all may be
 * distinct, though few ever are. */
static inline int terms_seen_bits(size_t tokens)
{
    int bits = 6;
    while ((size_t)1 << bits < tokens + tokens / 2)
        bits++;
    return bits;
}

static inline size_t terms_home(const Terms *terms, uint64_t hash)
{
    return (size_t)((hash & terms->hash_mask) >> (64 - terms->seen_bits));
}

/* A term's number with its marks, once its flags are known. */
static inline uint32_t terms_marked(const Terms *terms, uint32_t number)
{
    uint32_t flags = terms->terms[number].flags;
    return number | (flags & WORD_CUE ? TOKEN_CUE : 0) |
           (flags & WORD_PATTERN ? TOKEN_PATTERN : 0);
}

/* Enter all terms anew into a `seen` of this size. */
static inline void terms_move(Terms *terms, uint32_t *seen, int bits)
{
    size_t last = ((size_t)1 << bits) - 1;
    uint32_t number;
    memset(seen, 0, (last + 1) * sizeof(uint32_t));
    terms->seen = seen;
    terms->seen_bits = bits;
    for (number = 1; number < terms->term_count; number++) {
        size_t at = terms_home(terms, terms->terms[number].hash);
        while (seen[at] != 0)
            at = (at + 1) & last;
        seen[at] = terms_marked(terms, number);
    }
}

static inline int key_is(const Key *key, uint64_t first, uint64_t second)
{
    return ((key->words[0] ^ first) | (key->words[1] ^ second)) == 0;
}

/* The marked number of the term with this key, or 0; moves *at to where it is or would
 * be. Of long ones the bytes are compared as well: equal hashes are not equal tokens. */
static inline uint32_t terms_find(Terms *terms, const Key *key, const char *bytes,
                                  size_t length, const char *lowered, size_t *at)
{
    size_t last = ((size_t)1 << terms->seen_bits) - 1;
    uint32_t number;
    for (; (number = terms->seen[*at]) != 0; *at = (*at + 1) & last) {
        const Term *other = &terms->terms[number & TOKEN_TERM];
        terms->steps++;
        if (key_is(&terms->keys[number & TOKEN_TERM], key->words[0], key->words[1]) &&
            (length <= KEY_BYTES ||
             (length == other->length &&
              memcmp(bytes, lowered + other->offset, length) == 0)))
            break;
    }
    return number;
}

/* The marked number of a term, which is entered if it is new. */
static inline uint32_t terms_enter(Terms *terms, const Key *key, const Term *term,
                                   const char *lowered)
{
    size_t at = terms_home(terms, term->hash);
    uint32_t number =
        terms_find(terms, key, lowered + term->offset, term->length, lowered, &at);
    if (number != 0)
        return number;
    number = terms->term_count++;
    terms->keys[number] = *key;
    terms->terms[number] = *term;
    return terms->seen[at] = terms_marked(terms, number);
}

static inline void terms_push(Terms *terms, uint32_t start, uint32_t end, uint32_t term)
{
    Token *token = &terms->tokens[terms->token_count];
    token->start = start;
    token->end = end;
    token->term = term;
    terms->cues[terms->cue_count] = (uint32_t)terms->token_count++;
    terms->cue_count += (term & TOKEN_CUE) != 0;
}

/* The number of the term of a long word, and what is known of it.
 *
 * Whether characters are a base64 key depends on their case, which lowering hides: then
 * the same bytes are two terms, of which one is no concept. */
static inline uint32_t terms_enter_long(Terms *terms, Term *term, const char *lowered)
{
    Key key = {{0, ~0ULL}};
    if (!(term->flags & TERM_CONCEPT))
        term->hash = ~term->hash;
    key.words[0] = term->hash;
    return terms_enter(terms, &key, term, lowered);
}

static inline uint32_t terms_take_long(Terms *terms, uint32_t position, uint32_t start,
                                       uint32_t length, const uint8_t *text,
                                       const char *lowered)
{
    uint64_t key[2];
    Term term;
    key_of_padded(lowered + start, length, key);
    term.hash = hash_key(lowered + start, length, key, terms->secret);
    term.offset = start;
    term.length = length;
    term.flags = TERM_KNOWN;
    term.first = position;
    if (form_is_concept(lowered + start, text + start, length))
        term.flags |= TERM_CONCEPT;
    terms->steps += length;
    return terms_enter_long(terms, &term, lowered);
}

/* Take the words from `first` up to `last` as they stand. All that is in them must be
 * ASCII, and 16 bytes must be readable from the start of each. No long one is a cue. */
static inline void terms_take(Terms *terms, const uint32_t *bounds, size_t first,
                              size_t last, const uint8_t *text, const char *lowered)
{
    const uint64_t secret = terms->secret, hash_mask = terms->hash_mask;
    const int shift = 64 - terms->seen_bits;
    const size_t end_of_seen = ((size_t)1 << terms->seen_bits) - 1;
    Key *const keys = terms->keys;
    uint32_t *const seen = terms->seen;
    Token *const tokens = terms->tokens, *token = &tokens[terms->token_count];
    const uint32_t *bound = bounds + 2 * first, *const behind = bounds + 2 * last;
    terms->token_count += last - first;
    for (; bound < behind; bound += 2, token++) {
        const uint32_t start = bound[0], length = bound[1] - start;
        uint64_t key[2], hash;
        uint32_t number;
        size_t at;
        memcpy(token, bound, 2 * sizeof(uint32_t));
        if (HASH_UNLIKELY(length > KEY_BYTES)) {
            token->term = terms_take_long(terms, (uint32_t)(token - tokens), start,
                                          length, text, lowered);
            continue;
        }
        key_of_short(lowered + start, length, key);
        hash = hash_short(key, secret);
        at = (size_t)((hash & hash_mask) >> shift);
        while ((number = seen[at]) != 0 &&
               !key_is(&keys[number & TOKEN_TERM], key[0], key[1])) {
            at = (at + 1) & end_of_seen;
            terms->steps++;
        }
        if (HASH_UNLIKELY(number == 0)) {
            Term *term = &terms->terms[number = terms->term_count++];
            term->hash = hash;
            term->offset = start;
            term->length = length;
            term->flags = word_flags(terms->words, hash, key) & ~WORD_BREAKS;
            term->first = (uint32_t)(token - tokens);
            keys[number].words[0] = key[0];
            keys[number].words[1] = key[1];
            seen[at] = number = terms_marked(terms, number);
        }
        token->term = number;
        if (HASH_UNLIKELY(number & TOKEN_CUE))
            terms->cues[terms->cue_count++] = (uint32_t)(token - tokens);
    }
}

#endif
