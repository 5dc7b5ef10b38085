"""How often ids are mentioned, in C; the surface is `tests/oracle/mentions.py`'s.

Hardly any id that is asked about is, so that one bit of some thousands answers most
questions: where it is not set, nobody need make an object of the id and look it up.
"""

cimport cython
from libc.stdint cimport int64_t
from libc.string cimport memset

from festinger._fast.bits cimport set_bit


@cython.final
cdef class Mentions:
    """Counts mentions of ids.

    Raises:
        OverflowError: An id is not of 64 bits.
    """

    def __cinit__(self):
        self.counts = {}

    def add(self, int64_t id):
        """Count a mention."""
        self.counts[id] = self.count(id) + 1
        self.mark(id)

    def discard(self, int64_t id):
        """Take a mention back, if there is one."""
        left = self.count(id) - 1
        if left > 0:
            self.counts[id] = left
        elif not left:
            del self.counts[id]
            self.unmark()

    def count(self, int64_t id):
        """Return how often an id is mentioned."""
        return self.counts.get(id, 0)

    cdef void mark(self, int64_t id) noexcept:
        set_bit(self.marks, mark_of(id))

    cdef int unmark(self) except -1:
        """Set the bits anew, once half of those who set them may be gone."""
        self.gone += 1
        if self.gone < len(self.counts):
            return 0
        self.gone = 0
        memset(self.marks, 0, sizeof(self.marks))
        for id in self.counts:
            self.mark(id)
        return 0

    def __contains__(self, id):
        return id in self.counts

    def __iter__(self):
        return iter(self.counts)

    def __len__(self):
        return len(self.counts)
