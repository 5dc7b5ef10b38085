"""A line of what is told: `gnommoweb: [geography] ramanujan [type?] repo`.

A dimension is marked `?` where a contradicting statement waits, and `~` where what is
held is somebody's belief only.

Its text is put together from the bytes of the names, right where the block has it.
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport qsort
from libc.string cimport memcmp, memcpy

from festinger._fast.considering cimport height_of
from festinger._fast.hash cimport KEY_BYTES, load64_ordered
from festinger._fast.lines cimport Lines, Written


cdef enum:
    MARKS = 5  # characters of " [?] "
    SORTED_HERE_MAX = 16

cdef bytes pending_bytes = " — conflict pending".encode()
cdef Chars pending
pending.data = pending_bytes
pending.length = len(pending_bytes)


cdef void sort_by_chars(Sorted* all, size_t count) noexcept:
    """Sort structs by the characters they begin with.

    Those of a line are one to three, and those of a block a dozen.
    """
    cdef uint64_t heads[SORTED_HERE_MAX]
    cdef uint64_t head
    cdef Sorted moved
    cdef size_t i, place
    if count > SORTED_HERE_MAX:
        qsort(all, count, sizeof(moved), by_chars)
        return
    for i in range(count):
        moved = all[i]
        head = load64_ordered((<const Chars*>&moved).data)
        place = i
        # Names differ soon.
        while place and (
            heads[place - 1] > head
            or (heads[place - 1] == head and by_chars(&all[place - 1], &moved) > 0)
        ):
            all[place], heads[place] = all[place - 1], heads[place - 1]
            place -= 1
        all[place], heads[place] = moved, head


cdef int by_chars(const void* one, const void* other) noexcept nogil:
    """Order structs by the characters they begin with, as UTF-8's bytes are ordered."""
    cdef const Chars* first = <const Chars*>one
    cdef const Chars* second = <const Chars*>other
    cdef uint64_t head = load64_ordered(first.data)
    cdef uint64_t other_head = load64_ordered(second.data)
    cdef int order
    # What is shorter has zeros behind it.
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
