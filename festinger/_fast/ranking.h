/* Concepts of which something may be told, as heaps: with the first of them on top, or
 * with the last.
 *
 * Few of many are wanted, so they are not sorted. The order is total, since no two have
 * the same place, and so what comes out does not depend on how it got in.
 */
#ifndef FESTINGER_RANKING_H
#define FESTINGER_RANKING_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    double importance;
    int64_t id;
    uint32_t place; /* among those that were asked about */
    uint16_t contested;
    uint16_t faded;
    uint32_t record; /* of the vocabulary */
    uint32_t first;  /* of its edges */
} Candidate;

/* Without branches: many are equally important, and nobody could foresee which. */
static inline int candidate_precedes(const Candidate *one, const Candidate *other)
{
    int more = (one->importance > other->importance) |
               ((one->importance == other->importance) & (one->place < other->place));
    return (one->contested > other->contested) |
           ((one->contested == other->contested) & more);
}

/* Bring a candidate from `at` down to where it belongs. */
static inline void candidates_sink(Candidate *heap, size_t count, size_t at,
                                   int last_on_top)
{
    Candidate sinking = heap[at];
    size_t child;
    while ((child = 2 * at + 1) < count) {
        child +=
            child + 1 < count &&
            candidate_precedes(&heap[child + 1], &heap[child]) != last_on_top;
        if (candidate_precedes(&heap[child], &sinking) == last_on_top)
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = sinking;
}

static inline void candidates_heap(Candidate *heap, size_t count, int last_on_top)
{
    size_t at;
    for (at = count / 2; at-- > 0;)
        candidates_sink(heap, count, at, last_on_top);
}

/* Bring the first few to the front, in no order; the others are behind them. */
static inline void candidates_keep(Candidate *all, size_t count, size_t few)
{
    size_t at;
    if (count <= few || few == 0)
        return;
    candidates_heap(all, few, 1);
    for (at = few; at < count; at++) {
        /* Most are no match for the last of the few, and that is soon seen. */
        if (all[at].importance < all[0].importance && !all[at].contested)
            continue;
        if (candidate_precedes(&all[at], &all[0])) {
            Candidate last = all[0];
            all[0] = all[at];
            all[at] = last;
            candidates_sink(all, few, 0, 1);
        }
    }
}

/* Take the first of a heap, which is one less then. It goes to where the last was. */
static inline Candidate *candidates_pop(Candidate *heap, size_t count)
{
    Candidate first = heap[0];
    heap[0] = heap[count - 1];
    if (count > 1)
        candidates_sink(heap, count - 1, 0, 0);
    heap[count - 1] = first;
    return &heap[count - 1];
}

/* Write down where the first few of all are, in their order. Nothing is moved: for a few
 * of many that is cheaper than a heap. Of those of which none is contested, so many are
 * in order of their places. */
static inline void candidates_first(const Candidate *all, size_t count, size_t ordered,
                                    uint32_t *places, size_t few)
{
    size_t told = 0, at, place;
    for (at = 0; at < count; at++) {
        /* Most are no match for the last of the few, and that is soon seen: what comes
         * later must be more important. */
        if (told == few &&
            !(at < ordered
                  ? all[at].importance > all[places[few - 1]].importance
                  : candidate_precedes(&all[at], &all[places[few - 1]])))
            continue;
        told += told < few;
        for (place = told - 1; place > 0; place--) {
            if (!candidate_precedes(&all[at], &all[places[place - 1]]))
                break;
            places[place] = places[place - 1];
        }
        places[place] = (uint32_t)at;
    }
}

#endif
