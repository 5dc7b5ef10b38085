"""What is enclosed in two marks, blotted out."""

from festinger._fast.blotter cimport Blotter


cdef Py_ssize_t ticks(Blotter* blotter, Py_ssize_t start) except -1
cdef Py_ssize_t tildes(Blotter* blotter, Py_ssize_t start) except -1
cdef Py_ssize_t quote(
    Blotter* blotter, Py_ssize_t start, Py_ssize_t end, int kind
) except -1
cdef Py_ssize_t link(
    Blotter* blotter, Py_ssize_t start, int kind, int character
) except -1
