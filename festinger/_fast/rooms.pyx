"""The stores of rooms. Who takes from one or gives to it holds the GIL."""

from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memset


cdef enum:
    # Of a text that is larger than prompts are, the memory is given back.
    ROOM_BYTES_MAX = 1 << 20

    WORKSHOPS_MAX = 2
    SHELVES_MAX = 8
    BENCHES_MAX = 2
    SHEETS_MAX = 4


cdef struct Store:
    # Things of a kind, each of so many rooms.
    Room* rooms
    int each
    int most
    int count

cdef Workshop kept_workshops[WORKSHOPS_MAX]
cdef Shelf kept_shelves[SHELVES_MAX]
cdef Bench kept_benches[BENCHES_MAX]
cdef Sheet kept_sheets[SHEETS_MAX]

cdef Store workshops = Store(
    <Room*>kept_workshops, sizeof(Workshop) // sizeof(Room), WORKSHOPS_MAX, 0
)
cdef Store shelves = Store(
    <Room*>kept_shelves, sizeof(Shelf) // sizeof(Room), SHELVES_MAX, 0
)
cdef Store benches = Store(
    <Room*>kept_benches, sizeof(Bench) // sizeof(Room), BENCHES_MAX, 0
)
cdef Store sheets = Store(
    <Room*>kept_sheets, sizeof(Sheet) // sizeof(Room), SHEETS_MAX, 0
)


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


cdef void take(Store* store, void* thing) noexcept:
    """Take one from a store, or make one without rooms."""
    cdef size_t size = store.each * sizeof(Room)
    if store.count == 0:
        memset(thing, 0, size)
        return
    store.count -= 1
    memcpy(thing, store.rooms + store.count * store.each, size)


cdef void give(Store* store, void* thing) noexcept:
    """Give one back, or free it."""
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


cdef void take_workshop(Workshop* workshop) noexcept:
    take(&workshops, workshop)


cdef void give_workshop(Workshop* workshop) noexcept:
    give(&workshops, workshop)


cdef void take_shelf(Shelf* shelf) noexcept:
    take(&shelves, shelf)


cdef void give_shelf(Shelf* shelf) noexcept:
    give(&shelves, shelf)


cdef void take_bench(Bench* bench) noexcept:
    take(&benches, bench)


cdef void give_bench(Bench* bench) noexcept:
    give(&benches, bench)


cdef void take_sheet(Sheet* sheet) noexcept:
    take(&sheets, sheet)


cdef void give_sheet(Sheet* sheet) noexcept:
    give(&sheets, sheet)
