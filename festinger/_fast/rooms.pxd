"""Memory that one text leaves to the next.

Reading 32 KB takes some 400 KB for a tenth of a millisecond. To ask the system for that
each time, and to have it clear the pages, would cost as much as the reading. So what a
text no longer needs goes to a small store, and the next text takes it from there.
"""

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


cdef int need(Room* room, size_t size) except -1 nogil
cdef void take_workshop(Workshop* workshop) noexcept
cdef void give_workshop(Workshop* workshop) noexcept
cdef void take_shelf(Shelf* shelf) noexcept
cdef void give_shelf(Shelf* shelf) noexcept
