/* The classes of characters, in pages of 256 that are made when first written to.
 *
 * Reading needs no lock: a page is made known when it is whole, and its entries are
 * written once. Who writes holds the GIL. Pages are never freed.
 */
#ifndef FESTINGER_PAGES_H
#define FESTINGER_PAGES_H

#include <stdint.h>
#include <stdlib.h>

static uint16_t *pages[0x1100];

/* What was written for a character, or 0. */
static inline uint16_t page_read(uint32_t point)
{
    const uint16_t *page = __atomic_load_n(&pages[point >> 8], __ATOMIC_ACQUIRE);
    return page == NULL ? 0 : __atomic_load_n(&page[point & 0xff], __ATOMIC_RELAXED);
}

/* -1 if there is no memory. */
static inline int page_write(uint32_t point, uint16_t bits)
{
    uint16_t *page = pages[point >> 8];
    if (page == NULL) {
        page = (uint16_t *)calloc(256, sizeof(uint16_t));
        if (page == NULL)
            return -1;
        __atomic_store_n(&pages[point >> 8], page, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&page[point & 0xff], bits, __ATOMIC_RELAXED);
    return 0;
}

#endif
