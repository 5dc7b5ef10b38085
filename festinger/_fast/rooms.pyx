"""Memory that grows by what is needed; rooms begin and end empty."""

from libc.stdlib cimport free, realloc


cdef int grow(Room* room, size_t size) except -1 nogil:
    """Make a room larger, and somewhat more than is needed now."""
    cdef char* grown
    size += size // 2
    grown = <char*>realloc(room.at, size)
    if grown == NULL:
        with gil:
            raise MemoryError
    room.at = grown
    room.size = size
    return 0


cdef void free_rooms(Room* rooms, size_t size) noexcept:
    """Free the rooms that a struct of so many bytes consists of."""
    cdef size_t i
    for i in range(size // sizeof(Room)):
        free(rooms[i].at)
