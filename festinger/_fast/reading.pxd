"""What reading a text makes: an array of tokens over a buffer of lowered bytes."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from festinger._fast.blocks cimport Block


cdef enum:
    # Flags of tokens, with CLOSED and CUE of `wordtable`; those of `values`.
    CONCEPT = 1
    CAPITAL = 2
    COMPOUND = 4


cdef struct Token:
    uint64_t hash
    uint32_t start  # characters of the text, half open
    uint32_t end
    uint32_t offset  # bytes of the output
    uint32_t length
    uint32_t flags


cdef struct Reader:
    const uint8_t* text  # UTF-8, NUL behind it
    size_t length
    Block* blocks
    bint wide  # whether anything is beyond ASCII
    size_t skew  # bytes less characters, up to where the reader is
    # The lowered text, and behind it tokens that are not in it as they are; 16 bytes
    # are readable from each token's first.
    char* out
    size_t used
    size_t capacity
    Token* tokens
    size_t count
    size_t tokens_capacity
    size_t run  # how many of the last tokens are a run of capitalised words
    size_t run_end  # where in the text the last of them ends
    uint64_t steps


cdef int read_all(Reader* reader) except -1
