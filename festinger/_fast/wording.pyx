"""A line of what is told: `gnommoweb: [geography] ramanujan [type?] repo`.

A dimension is marked `?` where a contradicting statement waits, and `~` where what is
held is somebody's belief only.

Its text is put together from the bytes of the names, right where the block has it.
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport qsort
from libc.string cimport memcmp, memcpy, memmove

from festinger._fast.considering cimport height_of
from festinger._fast.hash cimport KEY_BYTES, load64_ordered
from festinger._fast.lines cimport Lines, Written


cdef enum:
    MARKS = 5  # characters of " [?] "
    SORTED_HERE_MAX = 16
    SORTED_BYTES_MAX = 64

cdef bytes pending_bytes = " — conflict pending".encode()
cdef Chars pending
pending.data = pending_bytes
pending.length = len(pending_bytes)


cdef void sort_by_chars(void* at, size_t count, size_t size) noexcept:
    """Sort structs by the characters they begin with.

    Those of a line are one to three, and those of a block a dozen.
    """
    cdef char spare[SORTED_BYTES_MAX]
    cdef char* first = <char*>at
    cdef size_t i, place
    if count > SORTED_HERE_MAX or size > SORTED_BYTES_MAX:
        qsort(at, count, size, by_chars)
        return
    for i in range(1, count):
        place = i
        while place and by_chars(first + (place - 1) * size, first + i * size) > 0:
            place -= 1
        if place < i:
            memcpy(spare, first + i * size, size)
            memmove(
                first + (place + 1) * size, first + place * size, (i - place) * size
            )
            memcpy(first + place * size, spare, size)


cdef int by_chars(const void* one, const void* other) noexcept nogil:
    """Order structs by the characters they begin with, as UTF-8's bytes are ordered."""
    cdef const Chars* first = <const Chars*>one
    cdef const Chars* second = <const Chars*>other
    cdef uint64_t head = load64_ordered(first.data)
    cdef uint64_t other_head = load64_ordered(second.data)
    cdef int order
    # Names differ soon, and what is shorter has zeros behind it.
    if head != other_head:
        return -1 if head < other_head else 1
    order = memcmp(first.data, second.data, min(first.length, second.length))
    if order:
        return order
    return (first.length > second.length) - (first.length < second.length)


cdef int add_line(
    Lines lines,
    const Record* record,
    const Chars* name,
    const Place* places,
    size_t count,
    object doubted,
) except -1:
    """Word a concept's line, and put it behind the others.

    Args:
        places: In the order in which they are told.
        doubted: The dimensions whose places are marked.
    """
    cdef Written* line = lines.begin(length_max(name, places, count))
    line.name_start, line.name_length = 0, name.length
    line.hint = line.contested = False
    lines.end(
        write(
            lines.text + line.start, name, places, count, doubted, &line.contested
        )
    )
    line.novel = record.novelty >= height_of(record)
    line.novelty = record.novelty
    line.encounters = record.encounters
    return 0


cdef size_t length_max(
    const Chars* name, const Place* places, size_t count
) noexcept:
    """Bytes of a line, at most."""
    cdef size_t i, length = name.length + 1 + pending.length + KEY_BYTES
    for i in range(count):
        length += places[i].dimension.length + places[i].parent.length + MARKS
    return length


cdef size_t write(
    char* text,
    const Chars* name,
    const Place* places,
    size_t count,
    object doubted,
    bint* contested,
) except 0:
    """Write a line's text, for which there must be room, and return its length."""
    cdef char* end = put(text, name)
    cdef bint doubt
    cdef size_t i
    end[0] = c":"
    end += 1
    for i in range(count):
        doubt = doubted and places[i].dim_id in doubted
        contested[0] |= doubt
        end[0], end[1] = c" ", c"["
        end = put(end + 2, &places[i].dimension)
        # That somebody else says otherwise outweighs that it is a belief.
        end[0] = c"?" if doubt else c"~"
        end += doubt or places[i].belief
        end[0], end[1] = c"]", c" "
        end = put(end + 2, &places[i].parent)
    if contested[0]:
        end = put(end, &pending)
    return end - text


cdef inline char* put(char* end, const Chars* chars) noexcept:
    # Of every name so many bytes can be read, as it is a key or longer than one.
    if chars.length <= KEY_BYTES:
        memcpy(end, chars.data, KEY_BYTES)
    else:
        memcpy(end, chars.data, chars.length)
    return end + chars.length
