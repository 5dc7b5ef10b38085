"""What `candidates.h` gives to the telling: the first few of many."""

from libc.stdint cimport int64_t, uint16_t, uint32_t


cdef extern from "candidates.h" nogil:
    ctypedef struct Candidate:
        double importance
        int64_t id
        uint32_t place
        uint16_t contested
        uint16_t faded
        uint32_t record
        uint32_t first

    void candidates_heap(Candidate *heap, size_t count, int last_on_top) noexcept
    void candidates_keep(Candidate *all, size_t count, size_t few) noexcept
    Candidate *candidates_pop(Candidate *heap, size_t count) noexcept
    void candidates_first(
        const Candidate *all,
        size_t count,
        size_t ordered,
        uint32_t *places,
        size_t few,
    ) noexcept
