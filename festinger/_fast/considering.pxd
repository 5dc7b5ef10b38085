"""Which of some concepts are known, which unknown, and how important each is."""

from festinger._fast.candidates cimport Candidate
from festinger._fast.edges cimport EdgeRecord, Edges
from festinger._fast.found cimport Salient
from festinger._fast.records cimport Record, Table


cdef struct Limits:
    double now
    double half_life
    double oldest
    double floor
    size_t edges_max


cdef struct Candidates:
    Candidate* at  # room for all that are considered
    size_t count
    size_t ordered  # of the first so many each has a later place than the one before


cdef int consider_all(
    Table* table,
    Edges* edges,
    Salient ids,
    const Limits* limits,
    object doubts,
    object mentioned,
    Candidates* known,
    Candidates* unknown,
) except -1
cdef double height_of(const Record* record) noexcept
cdef double left(double seconds, double half_life) noexcept


cdef inline bint is_root(const EdgeRecord* edge) noexcept:
    return edge.concept_id == edge.parent_id and edge.concept_id == edge.dim_id


cdef inline bint is_told(const EdgeRecord* edge, const Limits* limits) noexcept:
    return (
        edge.confidence >= limits.floor
        and edge.last_confirmed >= limits.oldest
        and not is_root(edge)
    )
