"""Which ids are mentioned, for who tells of them."""

from libc.stdint cimport int64_t, uint32_t, uint64_t

from festinger._fast.bits cimport has_bit


cdef enum:
    MARKED = 512  # words of 64 bits, of which each id has one
    MARK_SHIFT = 49  # leaves the number of a bit


cdef class Mentions:
    cdef dict counts
    cdef uint64_t marks[MARKED]
    cdef Py_ssize_t gone  # ids since the marks were set

    cdef void mark(self, int64_t id) noexcept
    cdef int unmark(self) except -1


cdef inline uint32_t mark_of(int64_t id) noexcept:
    """The bit of an id; the product spreads those that are alike, as every tenth."""
    return <uint32_t>(<uint64_t>id * <uint64_t>0x9E3779B97F4A7C15 >> MARK_SHIFT)


cdef inline bint may_hold(object mentioned, int64_t id):
    """Whether an id may be among the mentioned, be they counted here or not."""
    if not isinstance(mentioned, Mentions):
        return True
    return has_bit((<Mentions>mentioned).marks, mark_of(id))
