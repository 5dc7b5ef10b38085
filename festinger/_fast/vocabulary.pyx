"""Tokens, their ids and their counters, in C.

A token's record is 64 bytes, one cache line; two indexes lead to it, by token and by
id. Reading a scan goes in blocks: first the slots of a block's tokens are prefetched,
then their records, so that the waiting for memory overlaps.
"""

cimport cython
from cpython.mem cimport PyMem_Free, PyMem_Malloc, PyMem_Realloc
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.math cimport log10
from libc.stdint cimport (
    INT64_MAX,
    UINT32_MAX,
    int64_t,
    uint8_t,
    uint16_t,
    uint32_t,
    uint64_t,
)
from libc.string cimport memcmp, memcpy, memset

from festinger._fast.index cimport (
    INDEX_NONE,
    Index,
    hash_key,
    hash_pair,
    index_close,
    index_insert,
    index_nbytes,
    index_next,
    index_open,
    index_prefetch,
    index_remove,
    index_renumber,
    index_reserve,
    index_tag,
    key_of,
    key_of_padded,
)
from festinger._fast.scanner cimport Scan, Token, hash_secret
from festinger._fast.stream cimport (
    Stream,
    next_row,
    open_stream,
    read_float8,
    take_bool,
    take_field,
    take_float8,
    take_int8,
)
from festinger._fast.vocabulary cimport Record, Vocabulary

from festinger._fast.values import SEED, Reading, Row

cdef extern from "Python.h":
    const char* PyUnicode_AsUTF8AndSize(object text, Py_ssize_t* size) except NULL

cdef extern from "stdlib.h" nogil:
    int posix_memalign(void** memory, size_t alignment, size_t size)
    void free(void* memory)


cdef enum:
    CONCEPT = 1
    INLINE_BYTES = 16
    TOKEN_BYTES_MAX = 65535
    BLOCK = 32
    COLUMNS = 6
    LOGS = 1024
    NAMES_DEAD_MIN = 65536

cdef double logs[LOGS]
cdef uint32_t i_log
for i_log in range(1, LOGS):
    logs[i_log] = log10(i_log)

cdef uint64_t secret = hash_secret()

assert sizeof(Record) == 64


cdef struct Name:
    # A token to look up: bytes that the caller owns.
    const char* data
    size_t length
    uint64_t key[2]
    uint64_t hash


cdef inline double saliency(const Record* record) noexcept:
    if record.dictionary or record.encounters < 1:
        return 0.0
    if record.encounters < LOGS:
        return logs[record.encounters]
    return log10(<double>record.encounters)


cdef int name_of(str token, Name* name) except -1:
    """The name of a string; false if it is no Unicode text."""
    cdef Py_ssize_t length = 0
    try:
        name.data = PyUnicode_AsUTF8AndSize(token, &length)
    except UnicodeEncodeError:
        return False
    name.length = length
    if length:
        hash_name(name)
    return True


cdef void hash_name(Name* name) noexcept:
    key_of(name.data, name.length, name.key)
    name.hash = hash_key(name.data, name.length, name.key, secret)


cdef int64_t as_id(object id) except? -1:
    """An id as a C integer; 0, which no token has, if it does not fit."""
    try:
        return id
    except OverflowError:
        return 0


@cython.final
cdef class Vocabulary:
    """Every token that has been met, with its id and its counters.

    `seed` and `mask_bits` shape the hash tables: tests use them to force collisions.
    """

    def __cinit__(self, *, seed=SEED, mask_bits=64):
        if not 0 <= seed < 2**64:
            raise ValueError(f"seed {seed} is not a 64-bit unsigned integer")
        if not 0 <= mask_bits <= 64:
            raise ValueError(f"mask_bits {mask_bits} is not between 0 and 64")
        self.seed = seed
        self.mask = (1 << mask_bits) - 1
        self.moves = []
        if index_open(&self.by_token) < 0 or index_open(&self.by_id) < 0:
            raise MemoryError

    def __dealloc__(self):
        index_close(&self.by_token)
        index_close(&self.by_id)
        free(self.records)
        PyMem_Free(self.names)
        PyMem_Free(self.dirty)

    def add(
        self,
        str token not None,
        id,
        *,
        encounters=0,
        double last_seen=0.0,
        double novelty=0.0,
        bint dictionary=False,
    ):
        """Add a token as it is stored: `encounters` counts nothing anew.

        Raises:
            ValueError: The token or the id is there already, or out of range.
        """
        self.add_token(token, id, encounters, last_seen, novelty, dictionary)

    def meet(self, str token not None, id, *, double now, bint dictionary=False):
        """Add a stranger at its first encounter, which counts.

        Raises:
            ValueError: The token or the id is there already, or out of range.
        """
        reserve_dirty(self, 1)
        self.add_token(token, id, 1, now, 0.0, dictionary)
        self.records[self.count - 1].delta = 1
        push_dirty(self, self.count - 1)

    cdef int add_token(
        self,
        str token,
        object id,
        object encounters,
        double last_seen,
        double novelty,
        bint dictionary,
    ) except -1:
        cdef Name name
        if not 0 < id <= INT64_MAX:
            raise ValueError(f"id {id} is not a positive 64-bit integer")
        if not name_of(token, &name):
            raise ValueError(f"token {token!r} is not Unicode text")
        if not 0 <= encounters <= INT64_MAX:
            raise ValueError(f"encounters {encounters} is not a count")
        insert(self, &name, id, encounters, last_seen, novelty, dictionary)
        return 0

    def id(self, str token not None):
        """Return a token's id, or None if it is not held."""
        cdef uint32_t number = self.number_of_token(token)
        return None if number == INDEX_NONE else self.records[number].id

    def token(self, id):
        """Return the token of an id.

        Raises:
            KeyError: No token has it.
        """
        return self.string(self.record(id))

    def row(self, id):
        """Return everything about the token of an id.

        Raises:
            KeyError: No token has it.
        """
        cdef Record* record = self.record(id)
        return Row(
            record.id,
            self.string(record),
            record.encounters,
            record.last_seen,
            saliency(record),
            record.novelty,
            bool(record.dictionary),
        )

    def read(
        self, Scan scan not None, *, double now, double threshold, bint count
    ):
        """Look up the concepts of a scan, each distinct one once.

        Args:
            scan: The tokens.
            now: Epoch seconds, for `last_seen`.
            threshold: Saliency or novelty from which a concept is salient.
            count: Whether this is an encounter; it is counted before the test.
        """
        cdef Visit visit
        cdef list salient = [], strangers = []
        memset(&visit, 0, sizeof(visit))
        visit.now = now
        visit.threshold = threshold
        visit.count = count
        if count:
            reserve_dirty(self, min(<size_t>scan.length, <size_t>self.count))
        next_stamp(self)
        try:
            read_scan(self, scan, &visit, salient, strangers)
        finally:
            index_close(&visit.seen)
        return Reading(salient, strangers)

    def set_novelty(self, id, double value):
        """Set the novelty of a token.

        Raises:
            KeyError: No token has the id.
        """
        self.record(id).novelty = value

    def remap(self, old_id, new_id):
        """Give a token another id; its counters move with it.

        Raises:
            KeyError: No token has the old id.
            ValueError: The new id is taken or out of range.
        """
        cdef Record* record = self.record(old_id)
        cdef uint32_t number = record - self.records
        if new_id == old_id:
            return
        if not 0 < new_id <= INT64_MAX:
            raise ValueError(f"id {new_id} is not a positive 64-bit integer")
        if find_id(self, new_id) != INDEX_NONE:
            raise ValueError(f"id {new_id} is there already")
        self.moves.append((old_id, new_id))
        index_remove(&self.by_id, id_tag(self, record.id), number)
        record.id = new_id
        index_insert(&self.by_id, id_tag(self, record.id), number)

    def forget(self, id):
        """Drop a token, and what it has not drained.

        Raises:
            KeyError: No token has the id.
        """
        cdef Record* record = self.record(id)
        reserve_dirty(self, 1)
        drop(self, record - self.records)

    def drain(self):
        """Take the encounters counted since the last drain.

        Returns:
            `(id, encounters, last_seen)` in order of id.
        """
        cdef dict drained = {}
        cdef Record* record
        cdef size_t i
        for i in range(self.dirty_count):
            if self.dirty[i] >= self.count:
                continue
            record = &self.records[self.dirty[i]]
            if record.delta:
                drained[record.id] = (record.id, record.delta, record.last_seen)
        result = [drained[id] for id in sorted(drained)]
        # Only now, so that a lack of memory has lost nothing.
        for i in range(self.dirty_count):
            if self.dirty[i] < self.count:
                self.records[self.dirty[i]].delta = 0
        self.dirty_count = 0
        self.moves.clear()
        return result

    def restore(self, deltas):
        """Give back what the last drain took and nobody could store.

        Ids that were remapped in between are followed, forgotten ones are dropped.
        """
        cdef dict moved = {}
        cdef uint32_t number
        for old_id, new_id in reversed(self.moves):
            moved[old_id] = moved.get(new_id, new_id)
        for id, delta, _ in deltas:
            number = find_id(self, as_id(moved.get(id, id)))
            if number != INDEX_NONE:
                reserve_dirty(self, 1)
                if not self.records[number].delta:
                    push_dirty(self, number)
                self.records[number].delta += delta

    def load_copy(self, bytes data not None):
        """Add the rows of a binary COPY stream.

        Its columns are id int8, token text, encounters int8, last_seen float8 (epoch
        seconds; NULL for never), novelty float8 and dictionary bool.

        Returns:
            How many tokens were added.

        Raises:
            ValueError: The stream is corrupt or has a token or id twice or one that
                is held already. Nothing has been added then.
        """
        cdef Stream stream
        cdef Incoming row
        cdef uint32_t before = self.count
        cdef size_t names_before = self.names_used
        cdef int64_t rows = 0
        open_stream(&stream, data)
        # Once to see that it is whole, once to take it.
        while next_row(&stream, COLUMNS):
            take_row(&stream, &row)
            rows += 1
        open_stream(&stream, data)
        try:
            reserve_records(self, rows)
            while next_row(&stream, COLUMNS):
                take_row(&stream, &row)
                add_row(self, &row, self.count - before + 1)
        except BaseException:
            while self.count > before:
                unindex(self, self.count - 1)
                self.count -= 1
            self.names_used = names_before
            raise
        return rows

    @property
    def nbytes(self):
        """Memory held, in bytes."""
        return (
            self.capacity * sizeof(Record)
            + index_nbytes(&self.by_token)
            + index_nbytes(&self.by_id)
            + self.names_capacity
            + self.dirty_capacity * sizeof(uint32_t)
        )

    def __len__(self):
        return self.count

    def __contains__(self, token):
        return isinstance(token, str) and self.number_of_token(token) != INDEX_NONE

    def __iter__(self):
        cdef uint32_t number
        return iter([self.records[number].id for number in range(self.count)])

    cdef uint32_t number_of_token(self, str token) except? 0xFFFFFFFF:
        cdef Name name
        if not name_of(token, &name) or not name.length:
            return INDEX_NONE
        return find(self, &name)

    cdef Record* record(self, id) except NULL:
        cdef uint32_t number = find_id(self, as_id(id))
        if number == INDEX_NONE:
            raise KeyError(id)
        return &self.records[number]

    cdef str string(self, const Record* record):
        return PyUnicode_DecodeUTF8(data_of(self, record), record.length, NULL)


# ---- looking up ----

cdef inline uint32_t token_tag(Vocabulary self, uint64_t hash) noexcept:
    return index_tag(hash_pair(hash, self.seed, secret) & self.mask)


cdef inline uint32_t id_tag(Vocabulary self, int64_t id) noexcept:
    return index_tag(hash_pair(<uint64_t>id, self.seed, secret) & self.mask)


cdef inline const char* data_of(Vocabulary self, const Record* record) noexcept:
    if record.length <= INLINE_BYTES:
        return <const char*>record.key
    return self.names + record.key[1]


cdef inline bint is_named(
    Vocabulary self, const Record* record, const Name* name
) noexcept:
    if record.length != name.length:
        return False
    if name.length <= INLINE_BYTES:
        return record.key[0] == name.key[0] and record.key[1] == name.key[1]
    return (
        record.key[0] == name.hash
        and memcmp(self.names + record.key[1], name.data, name.length) == 0
    )


cdef uint32_t find(Vocabulary self, const Name* name) noexcept:
    cdef uint32_t tag = token_tag(self, name.hash), number
    cdef size_t at = tag
    while True:
        number = index_next(&self.by_token, tag, &at)
        if number == INDEX_NONE or is_named(self, &self.records[number], name):
            return number


cdef uint32_t find_id(Vocabulary self, int64_t id) noexcept:
    cdef uint32_t tag = id_tag(self, id), number
    cdef size_t at = tag
    while True:
        number = index_next(&self.by_id, tag, &at)
        if number == INDEX_NONE or self.records[number].id == id:
            return number


# ---- adding and dropping ----

cdef int reserve_records(Vocabulary self, size_t more) except -1:
    cdef size_t wanted = self.count + more
    cdef void* grown = NULL
    if index_reserve(&self.by_token, more) or index_reserve(&self.by_id, more):
        raise MemoryError
    if wanted <= self.capacity:
        return 0
    wanted = max(wanted, self.capacity + self.capacity // 2, <size_t>64)
    if wanted >= UINT32_MAX:
        raise MemoryError
    # Aligned, so that a record is one cache line and not two.
    if posix_memalign(&grown, 64, wanted * sizeof(Record)):
        raise MemoryError
    if self.count:
        memcpy(grown, self.records, self.count * sizeof(Record))
    free(self.records)
    self.records = <Record*>grown
    self.capacity = <uint32_t>wanted
    return 0


cdef int reserve_names(Vocabulary self, size_t more) except -1:
    cdef size_t wanted = self.names_used + more
    cdef char* grown
    if wanted <= self.names_capacity:
        return 0
    wanted += wanted // 2 + 256
    grown = <char*>PyMem_Realloc(self.names, wanted)
    if grown == NULL:
        raise MemoryError
    self.names = grown
    self.names_capacity = wanted
    return 0


cdef int insert(
    Vocabulary self,
    Name* name,
    int64_t id,
    int64_t encounters,
    double last_seen,
    double novelty,
    bint dictionary,
) except -1:
    """Add a record at the end; nothing has changed if it cannot be."""
    cdef Record* record
    if find_id(self, id) != INDEX_NONE:
        raise ValueError(f"id {id} is there already")
    if not 0 < name.length <= TOKEN_BYTES_MAX:
        raise ValueError(f"token of {name.length} bytes; 1 to {TOKEN_BYTES_MAX} fit")
    if find(self, name) != INDEX_NONE:
        token = PyUnicode_DecodeUTF8(name.data, name.length, NULL)
        raise ValueError(f"token {token!r} is there already")
    reserve_records(self, 1)
    record = &self.records[self.count]
    memset(record, 0, sizeof(Record))
    record.key[0], record.key[1] = name.key[0], name.key[1]
    if name.length > INLINE_BYTES:
        reserve_names(self, name.length)
        record.key[0], record.key[1] = name.hash, self.names_used
        memcpy(self.names + self.names_used, name.data, name.length)
        self.names_used += name.length
    record.length = <uint16_t>name.length
    record.id = id
    record.encounters = encounters
    record.last_seen = last_seen
    record.novelty = novelty
    record.dictionary = dictionary
    index_insert(&self.by_token, token_tag(self, name.hash), self.count)
    index_insert(&self.by_id, id_tag(self, id), self.count)
    self.count += 1
    return 0


cdef uint32_t tag_of(Vocabulary self, const Record* record) noexcept:
    if record.length > INLINE_BYTES:
        return token_tag(self, record.key[0])
    return token_tag(
        self, hash_key(<const char*>record.key, record.length, record.key, secret)
    )


cdef void unindex(Vocabulary self, uint32_t number) noexcept:
    cdef Record* record = &self.records[number]
    index_remove(&self.by_token, tag_of(self, record), number)
    index_remove(&self.by_id, id_tag(self, record.id), number)


cdef int drop(Vocabulary self, uint32_t number) except -1:
    """Take a record out; the last one moves to its place."""
    cdef Record* record = &self.records[number]
    cdef uint32_t last = self.count - 1
    unindex(self, number)
    if record.length > INLINE_BYTES:
        self.names_dead += record.length
    if number != last:
        record[0] = self.records[last]
        index_renumber(&self.by_token, tag_of(self, record), last, number)
        index_renumber(&self.by_id, id_tag(self, record.id), last, number)
        if record.delta:
            push_dirty(self, number)
    self.count = last
    if self.names_dead > NAMES_DEAD_MIN and self.names_dead > self.names_used // 2:
        close_gaps(self)
    return 0


cdef void close_gaps(Vocabulary self) noexcept:
    """Write the names anew without the forgotten ones; another time if no memory."""
    cdef size_t wanted = self.names_used - self.names_dead + 256, used = 0
    cdef char* names = <char*>PyMem_Malloc(wanted)
    cdef Record* record
    cdef uint32_t number
    if names == NULL:
        return
    for number in range(self.count):
        record = &self.records[number]
        if record.length > INLINE_BYTES:
            memcpy(names + used, self.names + record.key[1], record.length)
            record.key[1] = used
            used += record.length
    PyMem_Free(self.names)
    self.names = names
    self.names_capacity = wanted
    self.names_used = used
    self.names_dead = 0


# ---- counting ----

cdef int reserve_dirty(Vocabulary self, size_t more) except -1:
    cdef size_t wanted = self.dirty_count + more
    cdef uint32_t* grown
    if wanted <= self.dirty_capacity:
        return 0
    wanted += wanted // 2 + 64
    grown = <uint32_t*>PyMem_Realloc(self.dirty, wanted * sizeof(uint32_t))
    if grown == NULL:
        raise MemoryError
    self.dirty = grown
    self.dirty_capacity = wanted
    return 0


cdef inline void push_dirty(Vocabulary self, uint32_t number) noexcept:
    self.dirty[self.dirty_count] = number
    self.dirty_count += 1


cdef void next_stamp(Vocabulary self) noexcept:
    cdef uint32_t number
    self.stamp += 1
    if self.stamp == 0:
        for number in range(self.count):
            self.records[number].stamp = 0
        self.stamp = 1


# ---- reading ----

cdef struct Visit:
    double now
    double threshold
    bint count
    Index seen  # the strangers, numbers of tokens; opened at the first one


cdef struct Wanted:
    # A token on its way through a block.
    uint32_t position
    uint32_t tag
    uint32_t guess  # the first record with its tag
    size_t at  # where to look on if the guess is wrong
    Name name


cdef int read_scan(
    Vocabulary self, Scan scan, Visit* visit, list salient, list strangers
) except -1:
    cdef Wanted block[BLOCK]
    cdef Wanted* wanted
    cdef const Token* token
    cdef uint32_t position = 0, number
    cdef size_t size, i
    while position < scan.length:
        size = 0
        while position < scan.length and size < BLOCK:
            # Each token is written and only concepts stay: no branch, since what is a
            # concept cannot be foreseen.
            token = &scan.tokens[position]
            wanted = &block[size]
            wanted.position = position
            wanted.tag = token_tag(self, token.hash)
            index_prefetch(&self.by_token.slots[wanted.tag & self.by_token.mask])
            size += token.flags & CONCEPT
            position += 1
        for i in range(size):
            wanted = &block[i]
            wanted.at = wanted.tag
            wanted.guess = index_next(&self.by_token, wanted.tag, &wanted.at)
            if wanted.guess != INDEX_NONE:
                index_prefetch(&self.records[wanted.guess])
        for i in range(size):
            wanted = &block[i]
            token = &scan.tokens[wanted.position]
            wanted.name.data = scan.lowered + token.offset
            wanted.name.length = token.length
            wanted.name.hash = token.hash
            key_of_padded(wanted.name.data, token.length, wanted.name.key)
            number = wanted.guess
            while number != INDEX_NONE and not is_named(
                self, &self.records[number], &wanted.name
            ):
                number = index_next(&self.by_token, wanted.tag, &wanted.at)
            if number != INDEX_NONE:
                meet_known(self, number, visit, salient)
            elif is_first_stranger(scan, token, wanted.position, visit):
                strangers.append(scan.string(token))
    return 0


cdef inline int meet_known(
    Vocabulary self, uint32_t number, Visit* visit, list salient
) except -1:
    cdef Record* record = &self.records[number]
    cdef double weight
    if record.stamp == self.stamp:
        return 0
    record.stamp = self.stamp
    if visit.count:
        record.encounters += 1
        record.last_seen = visit.now
        if not record.delta:
            push_dirty(self, number)
        record.delta += 1
    weight = saliency(record)
    if record.novelty > weight:
        weight = record.novelty
    if weight >= visit.threshold:
        salient.append(record.id)
    return 0


cdef bint is_first_stranger(
    Scan scan, const Token* token, uint32_t position, Visit* visit
) except -1:
    """Whether no earlier token of the scan is the same stranger."""
    cdef uint32_t tag = index_tag(token.hash), number
    cdef size_t at = tag
    cdef const Token* other
    if visit.seen.slots == NULL and index_open(&visit.seen) < 0:
        raise MemoryError
    while True:
        number = index_next(&visit.seen, tag, &at)
        if number == INDEX_NONE:
            break
        other = &scan.tokens[number]
        if (
            other.hash == token.hash
            and other.length == token.length
            and not memcmp(
                scan.lowered + other.offset, scan.lowered + token.offset, token.length
            )
        ):
            return False
    if index_reserve(&visit.seen, 1) < 0:
        raise MemoryError
    index_insert(&visit.seen, tag, position)
    return True


# ---- loading ----

cdef struct Incoming:
    int64_t id
    const char* token
    Py_ssize_t length
    int64_t encounters
    double last_seen
    double novelty
    bint dictionary


cdef int take_row(Stream* stream, Incoming* row) except -1:
    """Take the fields of a row, and check that the token is UTF-8."""
    cdef Py_ssize_t length = 0, i
    cdef const uint8_t* data
    cdef uint8_t wide = 0
    row.id = take_int8(stream, 1)
    data = take_field(stream, 2, "text", -1, &length)
    if data == NULL:
        raise ValueError(f"NULL in column 2, at byte {stream.at - 4}")
    row.token = <const char*>data
    row.length = length
    for i in range(length):
        wide |= data[i]
    if wide & 0x80:
        try:
            PyUnicode_DecodeUTF8(row.token, length, NULL)
        except UnicodeDecodeError:
            raise ValueError(
                f"text that is not UTF-8, at byte {stream.at - length}"
            ) from None
    row.encounters = take_int8(stream, 3)
    data = take_field(stream, 4, "float8", 8, &length)
    row.last_seen = 0.0 if data == NULL else read_float8(data)
    row.novelty = take_float8(stream, 5)
    row.dictionary = take_bool(stream, 6)
    return 0


cdef int add_row(Vocabulary self, const Incoming* row, uint32_t number) except -1:
    cdef Name name
    name.data = row.token
    name.length = row.length
    if name.length:
        hash_name(&name)
    try:
        if row.id < 1:
            raise ValueError(f"id {row.id} is not a positive 64-bit integer")
        if row.encounters < 0:
            raise ValueError(f"encounters {row.encounters} is not a count")
        insert(
            self,
            &name,
            row.id,
            row.encounters,
            row.last_seen,
            row.novelty,
            row.dictionary,
        )
    except ValueError as error:
        raise ValueError(f"row {number}: {error}") from None
    return 0
