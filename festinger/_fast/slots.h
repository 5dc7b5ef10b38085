/* The slots that every lasting table here is made of.
 *
 * Slots map a 32-bit tag to the numbers of an array that somebody else owns. A slot is
 * `tag << 32 | number + 1`, empty is 0, probing is linear and at most six slots in ten
 * are full. A slot's home is its tag's low bits, so that growing and removing need
 * neither the keys nor their hashes. Equal tags are never taken for equal keys:
 * slots_next() only proposes a number, and the owner compares.
 */
#ifndef FESTINGER_SLOTS_H
#define FESTINGER_SLOTS_H

#include <stdint.h>
#include <stdlib.h>

#include "memory.h"

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
