"""Every token that has been met, with its id and its counters.

A token's record is 64 bytes, one cache line; two tables lead to it, by token and by id.
"""

# ---- records ----
#
# Removing a record moves the last one to its place, so that there are no gaps; the
# indexes and the list of counters to drain follow.


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
    RECENT_PLACES = 1024


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
    uint32_t places[RECENT_PLACES]
    uint64_t secret
    uint64_t seed
    uint64_t mask


cdef struct Name:
    # A token to look up: bytes that the caller owns.
    const char* data
    size_t length
    uint64_t key[2]
    uint64_t hash


cdef inline uint32_t token_tag(const Table* table, uint64_t hash) noexcept nogil:
    return slot_tag(hash_pair(hash, table.seed, table.secret) & table.mask)


cdef inline uint32_t id_tag(const Table* table, int64_t id) noexcept nogil:
    return slot_tag(hash_pair(<uint64_t>id, table.seed, table.secret) & table.mask)


cdef inline uint32_t find_again(
    const Table* table, int64_t id, uint32_t guess
) noexcept nogil:
    """Find by id, at once if the record is where it was found before."""
    if guess < table.count and table.records[guess].id == id:
        return guess
    return find_id(table, id)


cdef inline uint32_t find_place(Table* table, int64_t id) noexcept nogil:
    """Find by id, at once for what was told of lately."""
    cdef uint32_t* place = &table.places[<uint64_t>id % RECENT_PLACES]
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


cdef uint32_t find_token(const Table* table, const Name* name) noexcept nogil:
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
    if find_token(table, name) != SLOT_NONE:
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


cdef uint32_t record_tag(const Table* table, const Record* record) noexcept:
    cdef const char* data = <const char*>record.key
    if record.length > KEY_BYTES:
        return token_tag(table, record.key[0])
    return token_tag(table, hash_key(data, record.length, record.key, table.secret))


cdef void unindex(Table* table, uint32_t number) noexcept:
    cdef Record* record = &table.records[number]
    slots_remove(&table.by_token, record_tag(table, record), number)
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
        slots_renumber(&table.by_token, record_tag(table, record), last, number)
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


# ---- lazy sequences ----
#
# What a prompt contains is mostly passed from one function to the next, as C has it;
# most of its elements are never read.

from collections.abc import Sequence


@cython.no_gc
cdef class LazySequence:
    """The base: a subclass makes the elements, and knows their number. Immutable."""

    cdef list elements  # made, once somebody has asked

    cdef list build(self):
        raise NotImplementedError

    cdef list all(self):
        if self.elements is None:
            self.elements = self.build()
        return self.elements

    def __getitem__(self, position):
        return self.all()[position]

    def __iter__(self):
        return iter(self.all())

    def __contains__(self, value):
        return value in self.all()

    def index(self, value, *where):
        """Return the first position of an element, as a list does."""
        return self.all().index(value, *where)

    def count(self, value):
        """Return how often an element is there."""
        return self.all().count(value)

    def __eq__(self, other):
        if isinstance(other, (list, LazySequence)):
            return self.all() == list(other)
        return NotImplemented

    def __repr__(self):
        return f"{type(self).__name__}({self.all()!r})"

Sequence.register(LazySequence)


# ---- what a text contains ----
#
# Ids of known concepts, and unknown tokens. The ids go on to `tell`, which reads them
# as they are; the tokens are not read before a prompt is answered.


@cython.no_gc
@cython.final
cdef class SalientIds(LazySequence):
    """Ids of concepts, and where their records were found."""

    cdef int64_t* ids
    cdef uint32_t* records  # where they were found, or SLOT_NONE: a guess
    cdef size_t told

    def __dealloc__(self):
        PyMem_Free(self.ids)

    cdef list build(self):
        cdef size_t i
        return [PyLong_FromLongLong(self.ids[i]) for i in range(self.told)]

    def __len__(self):
        return self.told


@cython.no_gc
@cython.final
cdef class UnknownTokens(LazySequence):
    """Unknown terms of a scan, each once; it is kept until they are made."""

    cdef Scan scan  # until the strings are made
    cdef uint32_t* terms  # of the scan
    cdef size_t told

    def __dealloc__(self):
        PyMem_Free(self.terms)

    cdef list build(self):
        # A list may be what wakes the collector, and that somebody who asks as well.
        cdef Scan scan = self.scan
        cdef const Term* term
        cdef list made = []
        cdef size_t i
        # Not the scan's own strings, for which it makes room for those of all terms.
        for i in range(self.told):
            term = &scan.terms[self.terms[i]]
            made.append(
                PyUnicode_DecodeUTF8(scan.lowered + term.offset, term.length, NULL)
            )
        self.scan = None
        return made

    def __len__(self):
        return self.told


cdef SalientIds new_salient(size_t room):
    """Make room for so many ids, and where they are, of which none is written yet."""
    cdef SalientIds salient = SalientIds.__new__(SalientIds)
    salient.ids = <int64_t*>PyMem_Malloc(
        max(room, <size_t>1) * (sizeof(int64_t) + sizeof(uint32_t))
    )
    if salient.ids == NULL:
        raise MemoryError
    salient.records = <uint32_t*>(salient.ids + room)
    return salient


cdef SalientIds salient_of(object ids):
    """Convert ids from Python; for one that does not fit, -1, which no token has.

    As objects they stay what they were, so that an error can name them.
    """
    cdef list made
    cdef SalientIds salient
    cdef int overflow = 0
    cdef size_t i
    if isinstance(ids, SalientIds):
        return <SalientIds>ids
    made = list(ids)
    salient = new_salient(len(made))
    salient.elements = made
    salient.told = len(made)
    for i in range(salient.told):
        salient.records[i] = SLOT_NONE
        salient.ids[i] = PyLong_AsLongLongAndOverflow(made[i], &overflow)
    return salient


def united(found, without=()):
    """Return the ids of some sequences, in order, each once and some of them never.

    Args:
        found: Each of ids that tokens may have, none of them twice.
        without: Those that are left out.
    """
    cdef dict records = {}
    cdef SalientIds salient
    cdef size_t i
    if len(found) == 1 and not without:
        return found[0]
    for ids in found:
        salient = salient_of(ids)
        for i in range(salient.told):
            records.setdefault(salient.ids[i], salient.records[i])
    for id in without:
        records.pop(id, None)
    salient = new_salient(len(records))
    salient.told = len(records)
    for i, (id, record) in enumerate(records.items()):
        salient.ids[i], salient.records[i] = id, record
    return salient


cdef UnknownTokens new_unknown_tokens(Scan scan):
    """Make room for all terms of a scan, of which none is written yet."""
    cdef UnknownTokens unknown_tokens = UnknownTokens.__new__(UnknownTokens)
    unknown_tokens.terms = <uint32_t*>PyMem_Malloc(scan.term_count * sizeof(uint32_t))
    if unknown_tokens.terms == NULL:
        raise MemoryError
    unknown_tokens.scan = scan
    return unknown_tokens


# ---- lookup ----
#
# The time goes into waiting for memory, two cache lines a term: its slot and its
# record. So a batch of terms goes through three passes: the first prefetches slots,
# the second records, and the third compares, counts and decides.


cdef struct Visit:
    double now
    double threshold
    int64_t enough  # encounters for it, or INT64_MAX
    bint count


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
    """Return the fewest encounters whose saliency reaches a threshold.

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
    cdef SalientIds salient = new_salient(scan.term_count)
    cdef UnknownTokens unknown_tokens = new_unknown_tokens(scan)
    if visit.count:
        reserve_dirty(table, scan.term_count)
    look_up_all(table, scan, visit, salient, unknown_tokens)
    reading = new_named(VocabularyLookup, 2)
    fill(reading, 0, salient)
    fill(reading, 1, unknown_tokens)
    return reading


cdef void look_up_all(
    Table* table,
    Scan scan,
    const Visit* visit,
    SalientIds salient,
    UnknownTokens unknown_tokens,
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
                unknown_tokens.terms[unknown_tokens.told] = sought.term
                unknown_tokens.told += 1


cdef inline uint32_t decide(const Table* table, Sought* sought, Scan scan) noexcept:
    """Return the record of a term: as good as always the one that was guessed."""
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
    Table* table, uint32_t number, const Visit* visit, SalientIds salient
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


# ---- Vocabulary ----


cdef int name_of(const Table* table, str token, Name* name) except -1:
    """Return the name of a string; false if it is no Unicode text."""
    cdef Py_ssize_t length = 0
    try:
        name.data = PyUnicode_AsUTF8AndSize(token, &length)
    except UnicodeEncodeError:
        return False
    name.length = length
    hash_name(table, name)
    return True


cdef int64_t as_id(object id) except? -1:
    """Return an id as a C integer; 0, which no token has, if it does not fit."""
    try:
        return id
    except OverflowError:
        return 0


cdef inline bint stays(const Record* record, int64_t least, bint everyday) noexcept:
    """Return whether a record keeps what it has counted."""
    return record.delta != 0 and (
        record.encounters < least or (record.dictionary and not everyday)
    )


cdef struct NewToken:
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

    cdef Table table
    cdef list moves
    # The threshold of the last reading, and the encounters that reach it.
    cdef double threshold
    cdef int64_t enough

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
        """Add unknown tokens at their first encounter, which counts.

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
        """Add some unknown tokens, having asked for the slots of all of them first."""
        cdef NewToken batch[BATCH]
        cdef NewToken* new_token
        cdef uint32_t tag
        cdef Py_ssize_t size = min(<Py_ssize_t>BATCH, len(tokens) - start), i
        for i in range(size):
            new_token = &batch[i]
            new_token.id = as_id(ids[start + i])
            new_token.everyday = tokens[start + i] in dictionary
            new_token.fits = new_token.id > 0 and name_of(
                &self.table, tokens[start + i], &new_token.name
            )
            if new_token.fits:
                # Here and not in a function, which gcc would take for an empty one.
                tag = token_tag(&self.table, new_token.name.hash)
                memory_prefetch(slots_home(&self.table.by_token, tag))
                tag = id_tag(&self.table, new_token.id)
                memory_prefetch(slots_home(&self.table.by_id, tag))
        for i in range(size):
            new_token = &batch[i]
            if not new_token.fits:
                # It says why.
                self.add_token(tokens[start + i], ids[start + i], 1, now, 0.0, False)
            insert(
                &self.table,
                &new_token.name,
                new_token.id,
                1,
                now,
                0.0,
                new_token.everyday,
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
        """Return whether a fact placed a token: its novelty is not 0."""
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
        return VocabularyEntry(
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
        return find_token(&self.table, &name)

    cdef Record* record(self, id) except NULL:
        cdef uint32_t number = find_id(&self.table, as_id(id))
        if number == SLOT_NONE:
            raise KeyError(id)
        return &self.table.records[number]

    cdef str string(self, const Record* record):
        return PyUnicode_DecodeUTF8(data_of(&self.table, record), record.length, NULL)
