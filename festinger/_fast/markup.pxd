"""Tags, addresses and our own lines, blotted out."""

from festinger._fast.blotter cimport Blotter


cdef Py_ssize_t tag(
    Blotter* blotter, str given, Py_ssize_t start, set unclosed
) except -1
cdef Py_ssize_t address(Blotter* blotter, Py_ssize_t start) except -1
cdef Py_ssize_t own_line(Blotter* blotter, str given, Py_ssize_t start) except -1
