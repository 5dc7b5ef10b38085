/* What the form of a word of ASCII says: whether it may be a concept, or is a number, a
 * hash or a key.
 *
 * Lowered words are asked eight bytes at a time. Of the characters that a word can have,
 * only letters have the bits 0x40 and 0x20, and only digits have 0x10 without 0x40.
 */
#ifndef FESTINGER_FORMS_H
#define FESTINGER_FORMS_H

#include "hash.h"

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

#endif
