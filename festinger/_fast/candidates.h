/* Concepts of which something may be told, as a heap: the first is on top.
 *
 * Few of many are wanted, so they are not sorted. The order is total, since no two have
 * the same place, and so what comes out does not depend on how it got in.
 */
#ifndef FESTINGER_CANDIDATES_H
#define FESTINGER_CANDIDATES_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    double importance;
    int64_t id;
    uint32_t place; /* among those that were asked about */
    uint16_t contested;
    uint16_t faded;
    uint32_t record; /* of the vocabulary */
    uint32_t node;   /* of the graph */
} Candidate;

static inline int candidate_precedes(const Candidate *one, const Candidate *other)
{
    if (one->contested != other->contested)
        return one->contested > other->contested;
    if (one->importance != other->importance)
        return one->importance > other->importance;
    return one->place < other->place;
}

/* Bring a candidate from `at` down to where it belongs. */
static inline void candidates_sink(Candidate *heap, size_t count, size_t at)
{
    Candidate sinking = heap[at];
    size_t child;
    while ((child = 2 * at + 1) < count) {
        child += child + 1 < count &&
                 candidate_precedes(&heap[child + 1], &heap[child]);
        if (!candidate_precedes(&heap[child], &sinking))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = sinking;
}

static inline void candidates_heap(Candidate *heap, size_t count)
{
    size_t at;
    for (at = count / 2; at-- > 0;)
        candidates_sink(heap, count, at);
}

/* Take the first of so many, which are one less then. It goes to where the last was. */
static inline Candidate *candidates_pop(Candidate *heap, size_t count)
{
    Candidate first = heap[0];
    heap[0] = heap[count - 1];
    if (count > 1)
        candidates_sink(heap, count - 1, 0);
    heap[count - 1] = first;
    return &heap[count - 1];
}

#endif
