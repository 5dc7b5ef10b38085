/* Where the cue words of a text stand.
 *
 * One term in a hundred is one, and one token in sixty. What a term is takes a byte of its
 * own here, so that all of them are in the nearest cache while the tokens go by.
 */
#ifndef FESTINGER_CUEWORDS_H
#define FESTINGER_CUEWORDS_H

#include "terms.h"

#define CUEWORDS_GROUP 8

/* Write the positions of the tokens whose terms have a flag, and return how many they
 * are. `marked` has a byte for each term, and `places` room for all tokens. */
static inline size_t cuewords_find(const Token *tokens, size_t token_count,
                                   const Term *terms, uint32_t term_count,
                                   uint32_t flag, uint8_t *marked, uint32_t *places)
{
    const Token *token = tokens, *const behind = tokens + token_count;
    size_t count = 0, i;
    uint32_t number;
    marked[0] = 0;
    for (number = 1; number < term_count; number++)
        marked[number] = (terms[number].flags & flag) != 0;
    for (; behind - token >= CUEWORDS_GROUP; token += CUEWORDS_GROUP) {
        uint8_t any = 0;
        for (i = 0; i < CUEWORDS_GROUP; i++)
            any |= marked[token[i].term & TOKEN_TERM];
        if (HASH_LIKELY(!any))
            continue;
        for (i = 0; i < CUEWORDS_GROUP; i++) {
            places[count] = (uint32_t)(token + i - tokens);
            count += marked[token[i].term & TOKEN_TERM];
        }
    }
    for (; token < behind; token++) {
        places[count] = (uint32_t)(token - tokens);
        count += marked[token->term & TOKEN_TERM];
    }
    return count;
}

#endif
