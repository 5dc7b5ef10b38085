"""Sequences whose elements are made when somebody asks for one.

What a prompt is found to hold is mostly handed from one function to the next, as C has
it. Objects of it would be made, counted and freed, and nobody would have looked.
"""

cimport cython

from collections.abc import Sequence


@cython.no_gc
cdef class Unmade:
    """The base: a subclass makes the elements, and knows their number. Immutable."""

    cdef list make(self):
        raise NotImplementedError

    cdef list all(self):
        if self.made is None:
            self.made = self.make()
        return self.made

    def __getitem__(self, position):
        return self.all()[position]

    def __iter__(self):
        return iter(self.all())

    def __contains__(self, value):
        return value in self.all()

    def index(self, value, *where):
        """Return the first position of an element, as a list does."""
        return self.all().index(value, *where)

    def count(self, value):
        """Return how often an element is there."""
        return self.all().count(value)

    def __eq__(self, other):
        if isinstance(other, (list, Unmade)):
            return self.all() == list(other)
        return NotImplemented

    def __repr__(self):
        return f"{type(self).__name__}({self.all()!r})"


Sequence.register(Unmade)
