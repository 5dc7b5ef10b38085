"""Named tuples without their own __new__, in C."""

from cpython.object cimport PyTypeObject
from cpython.tuple cimport PyTuple_GET_ITEM, PyTuple_GET_SIZE

from festinger._fast.named cimport fill, new_named

cdef extern from "Python.h":
    unsigned long Py_TPFLAGS_TUPLE_SUBCLASS
    bint PyType_FastSubclass(PyTypeObject* cls, unsigned long flag)


cpdef object filled(type cls, tuple fields):
    """Return a named tuple of some fields, which must be all that it has."""
    cdef Py_ssize_t at
    if cls is None or fields is None:
        raise TypeError("a named tuple has a class and fields")
    if not PyType_FastSubclass(<PyTypeObject*>cls, Py_TPFLAGS_TUPLE_SUBCLASS):
        raise TypeError(f"{cls.__name__} is no named tuple")
    made = new_named(cls, PyTuple_GET_SIZE(fields))
    for at in range(PyTuple_GET_SIZE(fields)):
        fill(made, at, <object>PyTuple_GET_ITEM(fields, at))
    return made
