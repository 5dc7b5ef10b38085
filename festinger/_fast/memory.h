/* Memory for the large tables: in whole cache lines, and in huge pages where there are.
 *
 * A table of a million records is looked into at random. In pages of 4 KB each look
 * would also miss what the processor remembers of addresses.
 */
#ifndef FESTINGER_MEMORY_H
#define FESTINGER_MEMORY_H

#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE
#endif
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
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

#endif
