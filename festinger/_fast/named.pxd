"""Named tuples, made as their own __new__ does it in the end.

The way there, through the arguments of a call, takes five times as long.
"""

from cpython.object cimport PyTypeObject
from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_SET_ITEM

cdef extern from "Python.h":
    object PyType_GenericAlloc(PyTypeObject* cls, Py_ssize_t count)


cdef inline object new_named(type cls, Py_ssize_t count):
    """One whose fields are still to be filled."""
    return PyType_GenericAlloc(<PyTypeObject*>cls, count)


cdef inline void fill(object named, Py_ssize_t at, object item) noexcept:
    Py_INCREF(item)
    PyTuple_SET_ITEM(named, at, item)
