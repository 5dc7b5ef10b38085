"""Records: adding, finding and dropping them.

Taking a record out moves the last one to its place, so that there are no gaps. What
leads to a record by number (the indexes, the list of counters to drain) is told.
"""

from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport UINT32_MAX, int64_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset

from festinger._fast.hash cimport KEY_BYTES, hash_key, key_of
from festinger._fast.memory cimport memory_settle, memory_take, no_memory
from festinger._fast.slots cimport (
    SLOT_NONE,
    slots_close,
    slots_insert,
    slots_nbytes,
    slots_next,
    slots_open,
    slots_remove,
    slots_renumber,
    slots_reserve,
    slots_settle,
)
from festinger._fast.wordtable cimport hash_secret


cdef enum:
    TOKEN_BYTES_MAX = 65535
    NAMES_DEAD_MIN = 65536

assert sizeof(Record) == 64


cdef int open_table(Table* table, uint64_t seed, uint64_t mask) except -1:
    """Make an empty table of zeroed memory."""
    table.secret = hash_secret()
    table.seed = seed
    table.mask = mask
    if slots_open(&table.by_token) < 0 or slots_open(&table.by_id) < 0:
        raise MemoryError
    return 0


cdef void close_table(Table* table) noexcept:
    """Free what the table owns, be it open or zeroed."""
    slots_close(&table.by_token)
    slots_close(&table.by_id)
    free(table.records)
    free(table.names)
    free(table.dirty)


cdef size_t nbytes_of(const Table* table) noexcept:
    return (
        table.capacity * sizeof(Record)
        + slots_nbytes(&table.by_token)
        + slots_nbytes(&table.by_id)
        + table.names_capacity
        + table.dirty_capacity * sizeof(uint32_t)
    )


# ---- looking up ----

cdef void hash_name(const Table* table, Name* name) noexcept nogil:
    """Fill in what follows from a name's bytes."""
    key_of(name.data, name.length, name.key)
    name.hash = hash_key(name.data, name.length, name.key, table.secret)


cdef uint32_t find(const Table* table, const Name* name) noexcept nogil:
    cdef uint32_t tag = token_tag(table, name.hash), number
    cdef size_t at = tag
    while True:
        number = slots_next(&table.by_token, tag, &at)
        if number == SLOT_NONE or is_named(table, &table.records[number], name):
            return number


cdef uint32_t find_id(const Table* table, int64_t id) noexcept nogil:
    cdef uint32_t tag = id_tag(table, id), number
    cdef size_t at = tag
    while True:
        number = slots_next(&table.by_id, tag, &at)
        if number == SLOT_NONE or table.records[number].id == id:
            return number


# ---- adding and dropping ----

cdef int reserve_records(Table* table, size_t more) except -1 nogil:
    cdef size_t wanted = table.count + more
    cdef void* grown
    if slots_reserve(&table.by_token, more) or slots_reserve(&table.by_id, more):
        no_memory()
    if wanted <= table.capacity:
        return 0
    wanted = max(wanted, table.capacity + table.capacity // 2, <size_t>64)
    if wanted >= UINT32_MAX:
        no_memory()
    # In whole cache lines, so that a record is one and not two.
    grown = memory_take(wanted * sizeof(Record))
    if grown == NULL:
        no_memory()
    if table.count:
        memcpy(grown, table.records, table.count * sizeof(Record))
    free(table.records)
    table.records = <Record*>grown
    table.capacity = <uint32_t>wanted
    return 0


cdef void fit_records(Table* table) noexcept nogil:
    """Give back the room that no record took; another time if it cannot be."""
    cdef void* fitting
    if 0 < table.count < table.capacity:
        fitting = realloc(table.records, table.count * sizeof(Record))
        if fitting != NULL:
            table.records = <Record*>fitting
            table.capacity = table.count
    memory_settle(table.records, table.count * sizeof(Record))
    slots_settle(&table.by_token)
    slots_settle(&table.by_id)


cdef int reserve_names(Table* table, size_t more) except -1 nogil:
    cdef size_t wanted = table.names_used + more
    cdef char* grown
    if wanted <= table.names_capacity:
        return 0
    wanted += wanted // 2 + 256
    grown = <char*>realloc(table.names, wanted)
    if grown == NULL:
        no_memory()
    table.names = grown
    table.names_capacity = wanted
    return 0


cdef int insert(
    Table* table,
    const Name* name,
    int64_t id,
    int64_t encounters,
    double last_seen,
    double novelty,
    bint dictionary,
) except -1 nogil:
    """Add a record at the end; nothing has changed if it cannot be."""
    cdef Record* record
    if find_id(table, id) != SLOT_NONE:
        with gil:
            raise ValueError(f"id {id} is there already")
    if not 0 < name.length <= TOKEN_BYTES_MAX:
        with gil:
            raise ValueError(
                f"token of {name.length} bytes; 1 to {TOKEN_BYTES_MAX} fit"
            )
    if find(table, name) != SLOT_NONE:
        with gil:
            token = PyUnicode_DecodeUTF8(name.data, name.length, NULL)
            raise ValueError(f"token {token!r} is there already")
    reserve_records(table, 1)
    record = &table.records[table.count]
    memset(record, 0, sizeof(Record))
    record.key[0], record.key[1] = name.key[0], name.key[1]
    if name.length > KEY_BYTES:
        reserve_names(table, name.length)
        record.key[0], record.key[1] = name.hash, table.names_used
        memcpy(table.names + table.names_used, name.data, name.length)
        table.names_used += name.length
    record.length = <uint16_t>name.length
    record.id = id
    record.encounters = encounters
    record.last_seen = last_seen
    record.novelty = novelty
    record.dictionary = dictionary
    slots_insert(&table.by_token, token_tag(table, name.hash), table.count)
    slots_insert(&table.by_id, id_tag(table, id), table.count)
    table.count += 1
    return 0


cdef uint32_t tag_of(const Table* table, const Record* record) noexcept:
    cdef const char* data = <const char*>record.key
    if record.length > KEY_BYTES:
        return token_tag(table, record.key[0])
    return token_tag(table, hash_key(data, record.length, record.key, table.secret))


cdef void unindex(Table* table, uint32_t number) noexcept:
    cdef Record* record = &table.records[number]
    slots_remove(&table.by_token, tag_of(table, record), number)
    slots_remove(&table.by_id, id_tag(table, record.id), number)


cdef void truncate(Table* table, uint32_t count, size_t names_used) noexcept:
    """Go back to when there were fewer records, of which none has been dropped."""
    while table.count > count:
        unindex(table, table.count - 1)
        table.count -= 1
    table.names_used = names_used


cdef void renumber(Table* table, uint32_t number, int64_t id) noexcept:
    """Give a record another id, which must be free."""
    cdef Record* record = &table.records[number]
    slots_remove(&table.by_id, id_tag(table, record.id), number)
    record.id = id
    record.edge = 0
    slots_insert(&table.by_id, id_tag(table, id), number)


cdef int drop(Table* table, uint32_t number) except -1:
    """Take a record out; the last one moves to its place.

    There must be room for one more among the dirty.
    """
    cdef Record* record = &table.records[number]
    cdef uint32_t last = table.count - 1
    unindex(table, number)
    if record.length > KEY_BYTES:
        table.names_dead += record.length
    if number != last:
        record[0] = table.records[last]
        slots_renumber(&table.by_token, tag_of(table, record), last, number)
        slots_renumber(&table.by_id, id_tag(table, record.id), last, number)
        if record.delta:
            push_dirty(table, number)
    table.count = last
    if table.names_dead > NAMES_DEAD_MIN and table.names_dead > table.names_used // 2:
        close_gaps(table)
    return 0


cdef void close_gaps(Table* table) noexcept:
    """Write the names anew without the forgotten ones; another time if no memory."""
    cdef size_t wanted = table.names_used - table.names_dead + 256, used = 0
    cdef char* names = <char*>malloc(wanted)
    cdef Record* record
    cdef uint32_t number
    if names == NULL:
        return
    for number in range(table.count):
        record = &table.records[number]
        if record.length > KEY_BYTES:
            memcpy(names + used, table.names + record.key[1], record.length)
            record.key[1] = used
            used += record.length
    free(table.names)
    table.names = names
    table.names_capacity = wanted
    table.names_used = used
    table.names_dead = 0


# ---- counting ----

cdef int reserve_dirty(Table* table, size_t more) except -1:
    cdef size_t wanted = table.dirty_count + more
    cdef uint32_t* grown
    if wanted <= table.dirty_capacity:
        return 0
    wanted += wanted // 2 + 64
    grown = <uint32_t*>realloc(table.dirty, wanted * sizeof(uint32_t))
    if grown == NULL:
        raise MemoryError
    table.dirty = grown
    table.dirty_capacity = wanted
    return 0
