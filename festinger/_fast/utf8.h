/* UTF-8: from Python's strings, of one, two or four bytes a character, and its check.
 *
 * Python would do it too, but character by character, and would keep the result for as
 * long as the string lives. A lone surrogate becomes three bytes, like any character.
 */
#ifndef FESTINGER_UTF8_H
#define FESTINGER_UTF8_H

#include <stdint.h>
#include <string.h>

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

#endif
