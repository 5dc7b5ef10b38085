"""Words that are not taken as they stand."""

from festinger._fast.reading cimport Reader


cdef int read_closely(Reader* reader, size_t first, size_t last) except -1 nogil
