"""Tokens, their ids and their counters, in C.

A token's record is 64 bytes, one cache line; two indexes lead to it, by token and by
id (`records`). Reading a scan goes in blocks: first the slots of a block's tokens are
prefetched, then their records, so that the waiting for memory overlaps.
"""

cimport cython
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.math cimport log10, pow
from libc.stdint cimport INT64_MAX, int64_t, uint8_t, uint32_t
from libc.string cimport memcmp, memset

from festinger._fast.index cimport (
    INDEX_NONE,
    Index,
    index_close,
    index_insert,
    index_next,
    index_open,
    index_prefetch,
    index_reserve,
    index_tag,
    key_of_padded,
)
from festinger._fast.reading cimport CONCEPT, Token
from festinger._fast.records cimport (
    Name,
    Record,
    Table,
    close_table,
    data_of,
    drop,
    find,
    find_id,
    hash_name,
    insert,
    is_named,
    nbytes_of,
    next_stamp,
    open_table,
    push_dirty,
    renumber,
    reserve_dirty,
    reserve_records,
    token_tag,
    truncate,
)
from festinger._fast.scanner cimport Scan
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

from festinger._fast.values import SEED, Reading, Row

cdef extern from "Python.h":
    const char* PyUnicode_AsUTF8AndSize(object text, Py_ssize_t* size) except NULL


cdef enum:
    BLOCK = 32
    COLUMNS = 6


cdef inline double saliency(const Record* record) noexcept:
    if record.dictionary or record.encounters < 1:
        return 0.0
    return log10(<double>record.encounters)


cdef int64_t encounters_for(double threshold) noexcept:
    """The fewest encounters whose saliency reaches a threshold; 0 if none can.

    So that reading compares counts, and takes no logarithms.
    """
    cdef int64_t count
    if threshold <= 0:
        return 1
    if not threshold < 18.9:  # nearly 2 ** 63
        return 0
    count = <int64_t>pow(10.0, threshold)
    while count > 1 and log10(<double>(count - 1)) >= threshold:
        count -= 1
    while log10(<double>count) < threshold:
        count += 1
    return count


cdef int name_of(const Table* table, str token, Name* name) except -1:
    """The name of a string; false if it is no Unicode text."""
    cdef Py_ssize_t length = 0
    try:
        name.data = PyUnicode_AsUTF8AndSize(token, &length)
    except UnicodeEncodeError:
        return False
    name.length = length
    hash_name(table, name)
    return True


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
        self.moves = []
        open_table(&self.table, seed, (1 << mask_bits) - 1)

    def __dealloc__(self):
        close_table(&self.table)

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
        reserve_dirty(&self.table, 1)
        self.add_token(token, id, 1, now, 0.0, dictionary)
        self.table.records[self.table.count - 1].delta = 1
        push_dirty(&self.table, self.table.count - 1)

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
        if not name_of(&self.table, token, &name):
            raise ValueError(f"token {token!r} is not Unicode text")
        if not 0 <= encounters <= INT64_MAX:
            raise ValueError(f"encounters {encounters} is not a count")
        insert(&self.table, &name, id, encounters, last_seen, novelty, dictionary)
        return 0

    def id(self, str token not None):
        """Return a token's id, or None if it is not held."""
        cdef uint32_t number = self.number_of_token(token)
        return None if number == INDEX_NONE else self.table.records[number].id

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
        visit.enough = encounters_for(threshold)
        visit.count = count
        if count:
            reserve_dirty(
                &self.table, min(<size_t>scan.length, <size_t>self.table.count)
            )
        next_stamp(&self.table)
        try:
            read_scan(&self.table, scan, &visit, salient, strangers)
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
        if new_id == old_id:
            return
        if not 0 < new_id <= INT64_MAX:
            raise ValueError(f"id {new_id} is not a positive 64-bit integer")
        if find_id(&self.table, new_id) != INDEX_NONE:
            raise ValueError(f"id {new_id} is there already")
        self.moves.append((old_id, new_id))
        renumber(&self.table, record - self.table.records, new_id)

    def forget(self, id):
        """Drop a token, and what it has not drained.

        Raises:
            KeyError: No token has the id.
        """
        cdef Record* record = self.record(id)
        reserve_dirty(&self.table, 1)
        drop(&self.table, record - self.table.records)

    def drain(self):
        """Take the encounters counted since the last drain.

        Returns:
            `(id, encounters, last_seen)` in order of id.
        """
        cdef dict drained = {}
        cdef Record* record
        cdef size_t i
        for i in range(self.table.dirty_count):
            if self.table.dirty[i] >= self.table.count:
                continue
            record = &self.table.records[self.table.dirty[i]]
            if record.delta:
                drained[record.id] = (record.id, record.delta, record.last_seen)
        result = [drained[id] for id in sorted(drained)]
        # Only now, so that a lack of memory has lost nothing.
        for i in range(self.table.dirty_count):
            if self.table.dirty[i] < self.table.count:
                self.table.records[self.table.dirty[i]].delta = 0
        self.table.dirty_count = 0
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
            number = find_id(&self.table, as_id(moved.get(id, id)))
            if number != INDEX_NONE:
                reserve_dirty(&self.table, 1)
                if not self.table.records[number].delta:
                    push_dirty(&self.table, number)
                self.table.records[number].delta += delta

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
        cdef uint32_t before = self.table.count
        cdef size_t names_before = self.table.names_used
        cdef int64_t rows = 0
        open_stream(&stream, data)
        # Once to see that it is whole, once to take it.
        while next_row(&stream, COLUMNS):
            take_row(&stream, &row)
            rows += 1
        open_stream(&stream, data)
        try:
            reserve_records(&self.table, rows)
            while next_row(&stream, COLUMNS):
                take_row(&stream, &row)
                add_row(&self.table, &row, self.table.count - before + 1)
        except BaseException:
            truncate(&self.table, before, names_before)
            raise
        return rows

    @property
    def nbytes(self):
        """Memory held, in bytes."""
        return nbytes_of(&self.table)

    def __len__(self):
        return self.table.count

    def __contains__(self, token):
        return isinstance(token, str) and self.number_of_token(token) != INDEX_NONE

    def __iter__(self):
        cdef uint32_t i
        return iter([self.table.records[i].id for i in range(self.table.count)])

    cdef uint32_t number_of_token(self, str token) except? 0xFFFFFFFF:
        cdef Name name
        if not name_of(&self.table, token, &name) or not name.length:
            return INDEX_NONE
        return find(&self.table, &name)

    cdef Record* record(self, id) except NULL:
        cdef uint32_t number = find_id(&self.table, as_id(id))
        if number == INDEX_NONE:
            raise KeyError(id)
        return &self.table.records[number]

    cdef str string(self, const Record* record):
        return PyUnicode_DecodeUTF8(data_of(&self.table, record), record.length, NULL)


# ---- reading ----

cdef struct Visit:
    double now
    double threshold
    int64_t enough  # encounters for it, or 0
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
    Table* table, Scan scan, Visit* visit, list salient, list strangers
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
            wanted.tag = token_tag(table, token.hash)
            index_prefetch(&table.by_token.slots[wanted.tag & table.by_token.mask])
            size += token.flags & CONCEPT
            position += 1
        for i in range(size):
            wanted = &block[i]
            wanted.at = wanted.tag
            wanted.guess = index_next(&table.by_token, wanted.tag, &wanted.at)
            if wanted.guess != INDEX_NONE:
                index_prefetch(&table.records[wanted.guess])
        for i in range(size):
            wanted = &block[i]
            token = &scan.tokens[wanted.position]
            wanted.name.data = scan.lowered + token.offset
            wanted.name.length = token.length
            wanted.name.hash = token.hash
            key_of_padded(wanted.name.data, token.length, wanted.name.key)
            number = wanted.guess
            while number != INDEX_NONE and not is_named(
                table, &table.records[number], &wanted.name
            ):
                number = index_next(&table.by_token, wanted.tag, &wanted.at)
            if number != INDEX_NONE:
                meet_known(table, number, visit, salient)
            elif is_first_stranger(scan, token, wanted.position, visit):
                strangers.append(scan.string(token))
    return 0


cdef inline int meet_known(
    Table* table, uint32_t number, Visit* visit, list salient
) except -1:
    cdef Record* record = &table.records[number]
    if record.stamp == table.stamp:
        return 0
    record.stamp = table.stamp
    if visit.count:
        record.encounters += 1
        record.last_seen = visit.now
        if not record.delta:
            push_dirty(table, number)
        record.delta += 1
    if (
        (visit.enough and record.encounters >= visit.enough and not record.dictionary)
        or record.novelty >= visit.threshold
        or visit.threshold <= 0
    ):
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


cdef int add_row(Table* table, const Incoming* row, uint32_t number) except -1:
    cdef Name name
    name.data = row.token
    name.length = row.length
    hash_name(table, &name)
    try:
        if row.id < 1:
            raise ValueError(f"id {row.id} is not a positive 64-bit integer")
        if row.encounters < 0:
            raise ValueError(f"encounters {row.encounters} is not a count")
        insert(
            table,
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
