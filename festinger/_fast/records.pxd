"""The records of a vocabulary, one cache line each, and the indexes to them."""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcmp

from festinger._fast.hash cimport KEY_BYTES, hash_pair
from festinger._fast.slots cimport SLOT_NONE, Slots, slot_tag


cdef struct Record:
    # A token of up to 16 bytes, zero-padded; of a longer one its hash, and where it
    # stands among the names.
    uint64_t key[2]
    int64_t id
    int64_t encounters
    int64_t delta  # encounters since the last drain
    double last_seen
    double novelty
    uint32_t edge  # the first of its own, as `edges` was asked last: a guess
    uint16_t length
    uint8_t dictionary
    uint8_t kept  # while it is drained


cdef enum:
    PLACES = 1024


cdef struct Table:
    Record* records
    uint32_t count
    uint32_t capacity
    Slots by_token
    Slots by_id
    # The arena of the long names, with gaps where tokens were forgotten.
    char* names
    size_t names_used
    size_t names_capacity
    size_t names_dead
    # Records with a delta; may name one twice, or one without a delta.
    uint32_t* dirty
    size_t dirty_count
    size_t dirty_capacity
    # Where the records of the few were found last in which others are placed, by their
    # ids' low bits. A guess: who takes it compares the id.
    uint32_t places[PLACES]
    uint64_t secret
    uint64_t seed
    uint64_t mask


cdef struct Name:
    # A token to look up: bytes that the caller owns.
    const char* data
    size_t length
    uint64_t key[2]
    uint64_t hash


cdef int open_table(Table* table, uint64_t seed, uint64_t mask) except -1
cdef void close_table(Table* table) noexcept
cdef size_t nbytes_of(const Table* table) noexcept
cdef void hash_name(const Table* table, Name* name) noexcept nogil
cdef uint32_t find(const Table* table, const Name* name) noexcept nogil
cdef uint32_t find_id(const Table* table, int64_t id) noexcept nogil
cdef int reserve_records(Table* table, size_t more) except -1 nogil
cdef void fit_records(Table* table) noexcept nogil
cdef int insert(
    Table* table,
    const Name* name,
    int64_t id,
    int64_t encounters,
    double last_seen,
    double novelty,
    bint dictionary,
) except -1 nogil
cdef int drop(Table* table, uint32_t number) except -1
cdef void truncate(Table* table, uint32_t count, size_t names_used) noexcept
cdef void renumber(Table* table, uint32_t number, int64_t id) noexcept
cdef int reserve_dirty(Table* table, size_t more) except -1


cdef inline uint32_t token_tag(const Table* table, uint64_t hash) noexcept nogil:
    return slot_tag(hash_pair(hash, table.seed, table.secret) & table.mask)


cdef inline uint32_t id_tag(const Table* table, int64_t id) noexcept nogil:
    return slot_tag(hash_pair(<uint64_t>id, table.seed, table.secret) & table.mask)


cdef inline uint32_t find_again(
    const Table* table, int64_t id, uint32_t guess
) noexcept nogil:
    """As find_id, and at once if the record is where it was found before."""
    if guess < table.count and table.records[guess].id == id:
        return guess
    return find_id(table, id)


cdef inline uint32_t find_place(Table* table, int64_t id) noexcept nogil:
    """As find_id, and at once for what was told of lately."""
    cdef uint32_t* place = &table.places[<uint64_t>id % PLACES]
    place[0] = find_again(table, id, place[0])
    return place[0]


cdef inline const char* data_of(const Table* table, const Record* record) noexcept:
    if record.length <= KEY_BYTES:
        return <const char*>record.key
    return table.names + record.key[1]


cdef inline bint is_named(
    const Table* table, const Record* record, const Name* name
) noexcept nogil:
    if record.length != name.length:
        return False
    if name.length <= KEY_BYTES:
        return record.key[0] == name.key[0] and record.key[1] == name.key[1]
    return (
        record.key[0] == name.hash
        and memcmp(table.names + record.key[1], name.data, name.length) == 0
    )


cdef inline void push_dirty(Table* table, uint32_t number) noexcept:
    table.dirty[table.dirty_count] = number
    table.dirty_count += 1
