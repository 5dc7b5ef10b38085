"""Tokens, their ids and their counters, in C.

A token's record is 64 bytes, one cache line; two tables lead to it, by token and by id
(`records`). Here is what Python sees of them; reading is in `lookup`, loading in
`loading`.
"""

cimport cython
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport INT64_MAX, int64_t, uint32_t

from festinger._fast.hash cimport memory_prefetch
from festinger._fast.loading cimport load_concepts
from festinger._fast.lookup cimport Visit, encounters_for, look_up, saliency
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
    id_tag,
    insert,
    nbytes_of,
    open_table,
    push_dirty,
    renumber,
    reserve_dirty,
    reserve_records,
    token_tag,
)
from festinger._fast.scanner cimport Scan
from festinger._fast.slots cimport SLOT_NONE, slots_home

from festinger._fast.values import SEED, Row

cdef extern from "Python.h":
    const char* PyUnicode_AsUTF8AndSize(object text, Py_ssize_t* size) except NULL


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


cdef inline bint stays(const Record* record, int64_t least, bint everyday) noexcept:
    """Whether a record keeps what it has counted."""
    return record.delta != 0 and (
        record.encounters < least or (record.dictionary and not everyday)
    )


cdef enum:
    BATCH = 64


cdef struct Stranger:
    # A token that is met, on its way into the table.
    Name name
    int64_t id
    bint everyday
    bint fits  # false if it cannot be added


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
        self.enough = encounters_for(self.threshold)
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

    def meet(self, tokens, ids, *, double now, dictionary=()):
        """Add strangers at their first encounter, which counts.

        Args:
            ids: One for each token.
            dictionary: Those of the tokens that are of the dictionary, and any others.

        Raises:
            ValueError: A token or an id is there already, or out of range; those
                before it are added then.
        """
        cdef Py_ssize_t start
        # Nobody else can change or drop them meanwhile.
        tokens, ids = list(tokens), list(ids)
        if len(tokens) != len(ids):
            raise ValueError(f"{len(ids)} ids for {len(tokens)} tokens")
        reserve_dirty(&self.table, len(tokens))
        reserve_records(&self.table, len(tokens))
        for start in range(0, len(tokens), BATCH):
            self.meet_batch(tokens, ids, start, now, dictionary)

    cdef int meet_batch(
        self, list tokens, list ids, Py_ssize_t start, double now, object dictionary
    ) except -1:
        """Add some strangers, having asked for the slots of all of them first."""
        cdef Stranger batch[BATCH]
        cdef Stranger* stranger
        cdef uint32_t tag
        cdef Py_ssize_t size = min(<Py_ssize_t>BATCH, len(tokens) - start), i
        for i in range(size):
            stranger = &batch[i]
            stranger.id = as_id(ids[start + i])
            stranger.everyday = tokens[start + i] in dictionary
            stranger.fits = stranger.id > 0 and name_of(
                &self.table, tokens[start + i], &stranger.name
            )
            if stranger.fits:
                # Here and not in a function, which gcc would take for an empty one.
                tag = token_tag(&self.table, stranger.name.hash)
                memory_prefetch(slots_home(&self.table.by_token, tag))
                tag = id_tag(&self.table, stranger.id)
                memory_prefetch(slots_home(&self.table.by_id, tag))
        for i in range(size):
            stranger = &batch[i]
            if not stranger.fits:
                # It says why.
                self.add_token(tokens[start + i], ids[start + i], 1, now, 0.0, False)
            insert(
                &self.table, &stranger.name, stranger.id, 1, now, 0.0, stranger.everyday
            )
            self.table.records[self.table.count - 1].delta = 1
            push_dirty(&self.table, self.table.count - 1)
        return 0

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
        return None if number == SLOT_NONE else self.table.records[number].id

    cpdef bint is_placed(self, str token) except -1:
        """Whether a fact placed a token: its novelty is not 0."""
        cdef uint32_t number = self.number_of_token(token)
        return number != SLOT_NONE and self.table.records[number].novelty != 0

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
        if threshold != self.threshold:
            self.threshold = threshold
            self.enough = encounters_for(threshold)
        visit.now = now
        visit.threshold = threshold
        visit.enough = self.enough
        visit.count = count
        return look_up(&self.table, scan, &visit)

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
        if find_id(&self.table, new_id) != SLOT_NONE:
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

    def count(self, id, encounters, double last_seen):
        """Count encounters of a token that happened elsewhere.

        Raises:
            KeyError: No token has the id.
            ValueError: They are none, or more than can be counted.
        """
        cdef Record* record = self.record(id)
        if not 0 < encounters <= INT64_MAX - record.encounters:
            raise ValueError(f"{encounters} encounters cannot be counted")
        reserve_dirty(&self.table, 1)
        if not record.delta:
            push_dirty(&self.table, record - self.table.records)
        record.encounters += encounters
        record.delta += encounters
        record.last_seen = max(record.last_seen, last_seen)

    def pending(self, id):
        """Return how many encounters of a token were not drained yet.

        Raises:
            KeyError: No token has the id.
        """
        return self.record(id).delta

    def drain(self, *, int64_t least=0, bint everyday=True):
        """Take the encounters counted since the last drain.

        Args:
            least: Tokens that were met fewer times in all keep theirs.
            everyday: Whether tokens of the dictionary are drained, too.

        Returns:
            `(id, encounters, last_seen)` in order of id.
        """
        cdef dict drained = {}
        cdef Record* record
        cdef size_t i, kept = 0
        for i in range(self.table.dirty_count):
            if self.table.dirty[i] >= self.table.count:
                continue
            record = &self.table.records[self.table.dirty[i]]
            record.kept = stays(record, least, everyday)
            if record.delta and not record.kept:
                drained[record.id] = (record.id, record.delta, record.last_seen)
        result = [drained[id] for id in sorted(drained)]
        # Only now, so that a lack of memory has lost nothing.
        for i in range(self.table.dirty_count):
            if self.table.dirty[i] >= self.table.count:
                continue
            record = &self.table.records[self.table.dirty[i]]
            if not stays(record, least, everyday):
                record.delta = 0
            elif record.kept:
                # A record that was moved is listed twice; it stays listed once.
                record.kept = False
                self.table.dirty[kept] = self.table.dirty[i]
                kept += 1
        self.table.dirty_count = kept
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
            if number != SLOT_NONE:
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
        return load_concepts(&self.table, data)

    @property
    def nbytes(self):
        """Memory held, in bytes."""
        return nbytes_of(&self.table)

    def __len__(self):
        return self.table.count

    def __contains__(self, token):
        return isinstance(token, str) and self.number_of_token(token) != SLOT_NONE

    def __iter__(self):
        cdef uint32_t i
        return iter([self.table.records[i].id for i in range(self.table.count)])

    cdef uint32_t number_of_token(self, str token) except? 0xFFFFFFFF:
        cdef Name name
        if not name_of(&self.table, token, &name) or not name.length:
            return SLOT_NONE
        return find(&self.table, &name)

    cdef Record* record(self, id) except NULL:
        cdef uint32_t number = find_id(&self.table, as_id(id))
        if number == SLOT_NONE:
            raise KeyError(id)
        return &self.table.records[number]

    cdef str string(self, const Record* record):
        return PyUnicode_DecodeUTF8(data_of(&self.table, record), record.length, NULL)
