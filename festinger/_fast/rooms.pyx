"""The store of rooms. Who takes from it or gives to it holds the GIL."""

from libc.stdlib cimport free, realloc
from libc.string cimport memset


cdef enum:
    WORKSHOPS_MAX = 2
    SHELVES_MAX = 8
    BENCHES_MAX = 2
    # Of a text that is larger than prompts are, the memory is given back.
    ROOM_BYTES_MAX = 1 << 20

    WORKSHOP_ROOMS = 4
    SHELF_ROOMS = 6
    BENCH_ROOMS = 5

assert sizeof(Workshop) == WORKSHOP_ROOMS * sizeof(Room)
assert sizeof(Shelf) == SHELF_ROOMS * sizeof(Room)
assert sizeof(Bench) == BENCH_ROOMS * sizeof(Room)

cdef Workshop workshops[WORKSHOPS_MAX]
cdef Shelf shelves[SHELVES_MAX]
cdef Bench benches[BENCHES_MAX]
cdef int workshop_count = 0
cdef int shelf_count = 0
cdef int bench_count = 0


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


cdef bint are_small(const Room* rooms, int count) noexcept:
    cdef int i
    for i in range(count):
        if rooms[i].size > ROOM_BYTES_MAX:
            return False
    return True


cdef void close(Room* rooms, int count) noexcept:
    cdef int i
    for i in range(count):
        free(rooms[i].at)


cdef void take_workshop(Workshop* workshop) noexcept:
    """Take one from the store, or make one without rooms."""
    global workshop_count
    memset(workshop, 0, sizeof(Workshop))
    if workshop_count:
        workshop_count -= 1
        workshop[0] = workshops[workshop_count]


cdef void give_workshop(Workshop* workshop) noexcept:
    """Give one back, or free it."""
    global workshop_count
    cdef Room* rooms = <Room*>workshop
    if workshop_count < WORKSHOPS_MAX and are_small(rooms, WORKSHOP_ROOMS):
        workshops[workshop_count] = workshop[0]
        workshop_count += 1
    else:
        close(rooms, WORKSHOP_ROOMS)
    memset(workshop, 0, sizeof(Workshop))


cdef void take_shelf(Shelf* shelf) noexcept:
    """Take one from the store, or make one without rooms."""
    global shelf_count
    memset(shelf, 0, sizeof(Shelf))
    if shelf_count:
        shelf_count -= 1
        shelf[0] = shelves[shelf_count]


cdef void give_shelf(Shelf* shelf) noexcept:
    """Give one back, or free it."""
    global shelf_count
    cdef Room* rooms = <Room*>shelf
    if shelf_count < SHELVES_MAX and are_small(rooms, SHELF_ROOMS):
        shelves[shelf_count] = shelf[0]
        shelf_count += 1
    else:
        close(rooms, SHELF_ROOMS)
    memset(shelf, 0, sizeof(Shelf))


cdef void take_bench(Bench* bench) noexcept:
    """Take one from the store, or make one without rooms."""
    global bench_count
    memset(bench, 0, sizeof(Bench))
    if bench_count:
        bench_count -= 1
        bench[0] = benches[bench_count]


cdef void give_bench(Bench* bench) noexcept:
    """Give one back, or free it."""
    global bench_count
    cdef Room* rooms = <Room*>bench
    if bench_count < BENCHES_MAX and are_small(rooms, BENCH_ROOMS):
        benches[bench_count] = bench[0]
        bench_count += 1
    else:
        close(rooms, BENCH_ROOMS)
    memset(bench, 0, sizeof(Bench))
