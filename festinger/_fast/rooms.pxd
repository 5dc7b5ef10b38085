"""Memory that a text needs, in rooms of their own size."""

cdef struct Room:
    char* at
    size_t size


cdef struct Workshop:
    # What is needed while a text is read.
    Room text
    Room blocks
    Room bounds
    Room marked


cdef struct Shelf:
    # What a scan keeps: its lowered bytes, tokens and terms, and the ways to these.
    Room lowered
    Room tokens
    Room keys
    Room terms
    Room seen
    Room cues


cdef struct Bench:
    # What a telling is made of: the candidates, the chosen, their edges and the names.
    Room known
    Room unknown
    Room chosen
    Room edges
    Room places


cdef struct Sheet:
    # What lines are written on, and where each of them is.
    Room text
    Room written


cdef int grow(Room* room, size_t size) except -1 nogil
cdef void free_rooms(Room* rooms, size_t size) noexcept


cdef inline int need(Room* room, size_t size) except -1 nogil:
    """Make a room at least so large; what is in it stays."""
    return 0 if size <= room.size else grow(room, size)
