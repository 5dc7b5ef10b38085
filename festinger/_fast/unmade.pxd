"""Sequences whose elements are made when somebody asks for one."""

cimport cython


# See `Lines` of why the collector of garbage is kept out; it is so for each subclass.
@cython.no_gc
cdef class Unmade:
    cdef list made  # the elements, once somebody has asked

    cdef list make(self)
    cdef list all(self)
