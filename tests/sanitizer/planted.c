/* Mistakes on purpose, which the sanitizers must report: else a clean run says nothing. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Read one byte behind a block. */
int overrun(int size)
{
    volatile char *block = malloc((size_t)size);
    int found;
    memset((char *)block, 1, (size_t)size);
    found = block[size];
    free((char *)block);
    return found;
}

/* Read a block that was given back. */
int reuse(int size)
{
    volatile char *block = malloc((size_t)size);
    block[0] = 1;
    free((char *)block);
    return block[0];
}

/* Add beyond what an int can hold. */
int overflow(int number)
{
    return INT_MAX + number;
}

/* Lose a block. */
int leak(int size)
{
    volatile char *block = malloc((size_t)size);
    block[0] = 1;
    block = NULL;
    return size;
}
