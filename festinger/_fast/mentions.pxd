"""Which ids are mentioned, for who tells of them."""

from libc.stdint cimport int64_t, uint64_t


cdef enum:
    MARKED = 64  # words, of a bit for each of their ids


cdef class Mentions:
    cdef dict counts
    cdef uint64_t marks[MARKED]
    cdef Py_ssize_t gone  # ids since the marks were set

    cdef void mark(self, int64_t id) noexcept
    cdef int unmark(self) except -1


cdef inline uint64_t* marks_of(Mentions mentions, int64_t id) noexcept:
    """The word that has an id's bit."""
    return &mentions.marks[<uint64_t>id // 64 % MARKED]


cdef inline bint may_hold(object mentioned, int64_t id):
    """Whether an id may be among the mentioned, be they counted here or not."""
    if not isinstance(mentioned, Mentions):
        return True
    return marks_of(<Mentions>mentioned, id)[0] >> (<uint64_t>id % 64) & 1
