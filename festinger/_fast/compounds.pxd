"""Words become tokens here, alone or merged."""

from festinger._fast.reading cimport Piece, Reader


cdef int add_piece(Reader* reader, Piece* piece) except -1 nogil
cdef int add_word(Reader* reader, Piece* piece) except -1 nogil
cdef int close_run(Reader* reader) except -1 nogil
