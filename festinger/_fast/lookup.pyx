"""Looking up the terms of a text, and counting them.

What takes the time is waiting for memory, two cache lines a term: its slot and its
record. So a batch of terms goes through three passes: the first prefetches their slots,
the second their records, and the third compares, counts and decides.
"""

from libc.math cimport log10, pow
from libc.stdint cimport INT64_MAX, int64_t, uint32_t

from festinger._fast.found cimport Salient, Strangers, new_salient, new_strangers
from festinger._fast.hash cimport memory_prefetch
from festinger._fast.named cimport fill, new_named
from festinger._fast.reading cimport CONCEPT
from festinger._fast.records cimport (
    Name,
    Record,
    Table,
    is_named,
    reserve_dirty,
    token_tag,
)
from festinger._fast.scanner cimport Scan
from festinger._fast.slots cimport SLOT_NONE, slots_home, slots_next
from festinger._fast.terms cimport Key, Term

from festinger._fast.values import Reading


cdef enum:
    BATCH = 64


cdef struct Sought:
    # A term on its way through the passes.
    uint32_t term
    uint32_t tag
    uint32_t guess  # the first record with its tag
    size_t at  # where to look on if the guess is wrong


cdef double saliency(const Record* record) noexcept:
    if record.dictionary or record.encounters < 1:
        return 0.0
    return log10(<double>record.encounters)


cdef int64_t encounters_for(double threshold) noexcept:
    """The fewest encounters whose saliency reaches a threshold.

    So that reading compares counts, and takes no logarithms.
    """
    cdef int64_t count
    if threshold <= 0:
        return 1
    if not threshold < 18.9:  # nearly 2 ** 63
        return INT64_MAX
    count = <int64_t>pow(10.0, threshold)
    while count > 1 and log10(<double>(count - 1)) >= threshold:
        count -= 1
    while log10(<double>count) < threshold:
        count += 1
    return count


cdef object look_up(Table* table, Scan scan, const Visit* visit):
    """Look up each term that may be a concept, and tell what it meant."""
    cdef Salient salient = new_salient(scan.term_count)
    cdef Strangers strangers = new_strangers(scan)
    if visit.count:
        reserve_dirty(table, scan.term_count)
    look_up_all(table, scan, visit, salient, strangers)
    reading = new_named(Reading, 2)
    fill(reading, 0, salient)
    fill(reading, 1, strangers)
    return reading


cdef void look_up_all(
    Table* table, Scan scan, const Visit* visit, Salient salient, Strangers strangers
) noexcept:
    cdef Sought batch[BATCH]
    cdef Sought* sought
    cdef const Term* terms = scan.terms
    cdef uint32_t term = 1, count = scan.term_count, number
    cdef size_t size, i
    while term < count:
        size = 0
        while term < count and size < BATCH:
            # Each is written and only concepts stay, which nobody could foresee.
            sought = &batch[size]
            sought.term = term
            sought.tag = token_tag(table, terms[term].hash)
            memory_prefetch(slots_home(&table.by_token, sought.tag))
            size += terms[term].flags & CONCEPT
            term += 1
        for i in range(size):
            sought = &batch[i]
            sought.at = sought.tag
            sought.guess = slots_next(&table.by_token, sought.tag, &sought.at)
            if sought.guess != SLOT_NONE:
                memory_prefetch(&table.records[sought.guess])
        for i in range(size):
            sought = &batch[i]
            number = decide(table, sought, scan)
            if number != SLOT_NONE:
                meet(table, number, visit, salient)
            else:
                strangers.terms[strangers.told] = sought.term
                strangers.told += 1


cdef inline uint32_t decide(const Table* table, Sought* sought, Scan scan) noexcept:
    """The record of a term: as good as always the one that was guessed."""
    cdef const Term* term = &scan.terms[sought.term]
    cdef const Key* key = &scan.keys[sought.term]
    cdef uint32_t number = sought.guess
    cdef const Record* record
    cdef Name name
    if number == SLOT_NONE:
        return number
    record = &table.records[number]
    if (
        record.key[0] == key.words[0]
        and record.key[1] == key.words[1]
        and record.length == term.length
    ):
        return number
    name.data = scan.lowered + term.offset
    name.length = term.length
    name.hash = term.hash
    name.key[0], name.key[1] = key.words[0], key.words[1]
    while number != SLOT_NONE and not is_named(table, &table.records[number], &name):
        number = slots_next(&table.by_token, sought.tag, &sought.at)
    return number


cdef inline void meet(
    Table* table, uint32_t number, const Visit* visit, Salient salient
) noexcept:
    """Count an encounter, and tell of it if the concept is salient."""
    cdef Record* record = &table.records[number]
    if visit.count:
        table.dirty[table.dirty_count] = number
        table.dirty_count += record.delta == 0
        record.encounters += 1
        record.delta += 1
        record.last_seen = visit.now
    salient.ids[salient.told] = record.id
    salient.records[salient.told] = number
    salient.told += (
        ((record.encounters >= visit.enough) & (not record.dictionary))
        | (record.novelty >= visit.threshold)
        | (visit.threshold <= 0)
    )
