"""Types of `around`, where it is compiled."""

cimport cython

# Constants of Python's, as C has them.
cdef int LED, REMARKED, STRUCK
cdef Py_ssize_t LED_CHARACTERS_MAX

cpdef str around(str text, Py_ssize_t start, Py_ssize_t end, int surroundings)


@cython.locals(
    low=Py_ssize_t, line=Py_ssize_t, last=Py_ssize_t, above=Py_ssize_t, listed=bint,
    parted=bint, said=str,
)
cdef str _above(str text, Py_ssize_t start)


@cython.locals(last=Py_ssize_t)
cdef Py_ssize_t _last_above(str text, Py_ssize_t low, Py_ssize_t line) except -2


cdef bint _is_item(str text, Py_ssize_t at) except -1
