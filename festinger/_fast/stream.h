/* Big-endian numbers at any address. */
#ifndef FESTINGER_STREAM_H
#define FESTINGER_STREAM_H

#include <stdint.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define STREAM_SWAP(bits, value) (value)
#else
#define STREAM_SWAP(bits, value) __builtin_bswap##bits(value)
#endif

static inline int16_t stream_int2(const uint8_t *data)
{
    uint16_t value;
    memcpy(&value, data, 2);
    return (int16_t)STREAM_SWAP(16, value);
}

static inline int32_t stream_int4(const uint8_t *data)
{
    uint32_t value;
    memcpy(&value, data, 4);
    return (int32_t)STREAM_SWAP(32, value);
}

static inline int64_t stream_int8(const uint8_t *data)
{
    uint64_t value;
    memcpy(&value, data, 8);
    return (int64_t)STREAM_SWAP(64, value);
}

static inline double stream_float8(const uint8_t *data)
{
    int64_t bits = stream_int8(data);
    double value;
    memcpy(&value, &bits, 8);
    return value;
}

#endif
