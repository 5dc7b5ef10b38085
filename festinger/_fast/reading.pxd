"""What reading a text makes: tokens and terms over a buffer of lowered bytes."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from festinger._fast.rooms cimport Shelf, Workshop
from festinger._fast.terms cimport Terms
from festinger._fast.words cimport Words


cdef enum:
    # Flags of tokens, with CLOSED and CUE of `wordtable`; those of `values`.
    CONCEPT = 1
    CAPITAL = 2
    COMPOUND = 4

    COMPOUND_WORDS_MAX = 5


cdef struct Piece:
    # A word on its way to become a token, or part of one.
    size_t start  # bytes of the text, half open
    size_t end
    size_t offset  # bytes of the output
    size_t length
    uint32_t flags
    uint64_t key[2]
    uint64_t hash


cdef struct Reader:
    const uint8_t* text  # UTF-8, NUL behind it
    size_t length
    bint portable  # whether only what every processor can is used
    bint wide  # whether anything is beyond ASCII
    int seen  # what the text has, as `blocks_read` says
    # The lowered text, and behind it tokens that are not in it as they are; 16 bytes
    # are readable from each token's first.
    char* out
    size_t used
    Words words
    Terms terms
    size_t words_left  # for which there must be room among the terms
    size_t terms_room
    Piece run[COMPOUND_WORDS_MAX]  # capitalised words that may be one compound
    size_t run_length  # may be more than have a place in it
    size_t run_end  # where in the text the last of them ends
    uint64_t steps
    Workshop workshop
    Shelf shelf


cdef int reserve_out(Reader* reader, size_t more) except -1 nogil
cdef int reserve_terms(Reader* reader) except -1 nogil
cdef int read_all(Reader* reader) except -1 nogil
