"""The stores of rooms. Who takes from one or gives to it holds the GIL."""

from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memset


cdef enum:
    # Of a text that is larger than prompts are, the memory is given back.
    ROOM_BYTES_MAX = 1 << 20
    PURPOSES = 4
    KEPT_MAX = 48


cdef struct Store:
    # Things of one purpose, one behind the other.
    int each  # rooms of a thing
    int most
    int count
    Room rooms[KEPT_MAX]


cdef Store stores[PURPOSES]


cdef int open_store(int purpose, size_t size, int most) except -1:
    cdef int each = <int>(size // sizeof(Room))
    assert each * most <= KEPT_MAX
    stores[purpose].each, stores[purpose].most = each, most
    return 0


open_store(WORKSHOP, sizeof(Workshop), 2)
open_store(SHELF, sizeof(Shelf), 8)
open_store(BENCH, sizeof(Bench), 2)
open_store(SHEET, sizeof(Sheet), 4)


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


cdef void take(int purpose, void* thing) noexcept:
    """Take one from the store of its purpose, or make one without rooms."""
    cdef Store* store = &stores[purpose]
    cdef size_t size = store.each * sizeof(Room)
    if store.count == 0:
        memset(thing, 0, size)
        return
    store.count -= 1
    memcpy(thing, store.rooms + store.count * store.each, size)


cdef void give(int purpose, void* thing) noexcept:
    """Give one back, or free it."""
    cdef Store* store = &stores[purpose]
    cdef size_t size = store.each * sizeof(Room)
    cdef Room* rooms = <Room*>thing
    cdef int i
    if store.count < store.most and are_small(rooms, store.each):
        memcpy(store.rooms + store.count * store.each, thing, size)
        store.count += 1
    else:
        for i in range(store.each):
            free(rooms[i].at)
    memset(thing, 0, size)


cdef bint are_small(const Room* rooms, int count) noexcept:
    cdef int i
    for i in range(count):
        if rooms[i].size > ROOM_BYTES_MAX:
            return False
    return True
