"""Choose what to tell of a prompt's concepts, and write its lines."""

# ---- Mentions ----
#
# Hardly any id that is asked about is mentioned, so that one bit of some thousands
# answers most questions without a lookup.


cdef enum:
    MARKED = 512  # words of 64 bits, of which each id has one
    MARK_SHIFT = 49  # leaves the number of a bit


cdef inline uint32_t mark_of(int64_t id) noexcept:
    """Return the bit of an id; the product spreads similar ids."""
    return <uint32_t>(<uint64_t>id * <uint64_t>0x9E3779B97F4A7C15 >> MARK_SHIFT)


cdef inline bint may_hold(object mentioned, int64_t id):
    """Return whether an id may be among the mentioned, be they counted here or not."""
    if not isinstance(mentioned, Mentions):
        return True
    return has_bit((<Mentions>mentioned).marks, mark_of(id))


@cython.final
cdef class Mentions:
    """Counts mentions of ids.

    Raises:
        OverflowError: An id is not of 64 bits.
    """

    cdef dict counts
    cdef uint64_t marks[MARKED]
    cdef Py_ssize_t gone  # ids since the marks were set

    def __cinit__(self):
        self.counts = {}

    def add(self, int64_t id):
        """Count a mention."""
        self.counts[id] = self.count(id) + 1
        self.mark(id)

    def discard(self, int64_t id):
        """Take a mention back, if there is one."""
        left = self.count(id) - 1
        if left > 0:
            self.counts[id] = left
        elif not left:
            del self.counts[id]
            self.unmark()

    def count(self, int64_t id):
        """Return how often an id is mentioned."""
        return self.counts.get(id, 0)

    cdef void mark(self, int64_t id) noexcept:
        set_bit(self.marks, mark_of(id))

    cdef int unmark(self) except -1:
        """Set the bits anew, once half of those who set them may be gone."""
        self.gone += 1
        if self.gone < len(self.counts):
            return 0
        self.gone = 0
        memset(self.marks, 0, sizeof(self.marks))
        for id in self.counts:
            self.mark(id)
        return 0

    def __contains__(self, id):
        return id in self.counts

    def __iter__(self):
        return iter(self.counts)

    def __len__(self):
        return len(self.counts)


# ---- heaps ----
#
# The first few of many candidates, without sorting them (`ranking.h`).


cdef extern from "ranking.h" nogil:
    ctypedef struct Candidate:
        double importance
        int64_t id
        uint32_t place
        uint16_t contested
        uint16_t faded
        uint32_t record
        uint32_t first

    void candidates_heap(Candidate *heap, size_t count, int last_on_top) noexcept
    void candidates_keep(Candidate *all, size_t count, size_t few) noexcept
    Candidate *candidates_pop(Candidate *heap, size_t count) noexcept
    void candidates_first(
        const Candidate *all,
        size_t count,
        size_t ordered,
        uint32_t *places,
        size_t few,
    ) noexcept


# ---- Lines ----
#
# Lines stay bytes, one behind the other as in the block, and become `Line`s on first
# access: who only wants the block needs none.


cdef struct Written:
    # A line's text, where in it the name of its concept stands, and why it is there.
    size_t start
    size_t length
    size_t name_start
    size_t name_length
    bint hint  # then the rest is not told
    bint contested
    bint novel
    double novelty
    int64_t encounters


cdef enum:
    LINE_BYTES = 96  # as most need at most
    COUNTS = 256

    HINTED = 3  # places of a hint's text at which its token stands

cdef object RECOLLECTION = GraphLineKind.RECOLLECTION
cdef object HINTING = GraphLineKind.HINT

# Few counts are large.
cdef list met = [f"met {count} times" for count in range(COUNTS)]


# What is between the tokens of a hint, and how long all of it is.
cdef list hint_parts = [part.encode() for part in HINT.split("{}")]


cdef size_t AROUND_BYTES = sum(map(len, hint_parts))


cdef size_t BEFORE_BYTES = len(hint_parts[0])

cdef const char* hint_bytes[HINTED + 1]
cdef size_t hint_lengths[HINTED + 1]
assert len(hint_parts) == HINTED + 1
for _i, _part in enumerate(hint_parts):
    hint_bytes[_i], hint_lengths[_i] = <const char*><bytes>_part, len(_part)


# The collector of garbage has nothing to look for: what is in here cannot lead back.
@cython.no_gc
@cython.final
cdef class Lines(LazySequence):
    """Lines of a block, in its order: a sequence of `Line`. Immutable."""

    cdef LineBuffers buffers
    cdef char* text  # the lines, with a line break behind each
    cdef size_t used
    cdef Written* written
    cdef size_t told

    def __dealloc__(self):
        free_buffers(<Buffer*>&self.buffers, sizeof(self.buffers))

    cdef int reserve(self, size_t more) except -1:
        """Make room for so many bytes."""
        ensure(&self.buffers.text, self.used + more)
        self.text = self.buffers.text.at
        return 0

    cdef Written* begin(self, size_t length) except NULL:
        """Make room for a line of so many bytes, to be written at `text + start`."""
        cdef Written* line = &self.written[self.told]
        # With the line break behind it.
        self.reserve(length + 1)
        line.start = self.used
        return line

    cdef void end(self, size_t length) noexcept:
        """Take the line that was begun, of so many bytes."""
        self.written[self.told].length = length
        self.told += 1
        self.used += length + 1
        self.text[self.used - 1] = c"\n"

    cdef list build(self):
        cdef size_t i
        return [line_of(self.text, &self.written[i]) for i in range(self.told)]

    def __len__(self):
        return self.told


cdef Lines new_lines(size_t count):
    """Make room for so many lines, of which none is written yet."""
    cdef Lines lines = Lines.__new__(Lines)
    # Of no line, too: nothing is copied from nowhere.
    count = max(count, <size_t>1)
    lines.reserve(count * LINE_BYTES)
    ensure(&lines.buffers.written, count * sizeof(Written))
    lines.written = <Written*>lines.buffers.written.at
    return lines


cdef Lines with_hints(Lines lines, list tokens):
    """Return some lines, and behind them questions about some tokens."""
    cdef Lines both = new_lines(lines.told + len(tokens))
    both.reserve(lines.used)
    memcpy(both.text, lines.text, lines.used)
    memcpy(both.written, lines.written, lines.told * sizeof(Written))
    both.used, both.told = lines.used, lines.told
    for token in tokens:
        add_hint(both, token)
    return both


cdef int add_hint(Lines lines, object token) except -1:
    cdef Py_ssize_t length = 0
    cdef const char* data = PyUnicode_AsUTF8AndSize(token, &length)
    cdef size_t size = AROUND_BYTES + HINTED * length
    cdef Written* line = lines.begin(size)
    cdef char* end = lines.text + line.start
    cdef int i
    line.hint = True
    line.name_start, line.name_length = BEFORE_BYTES, length
    for i in range(HINTED + 1):
        memcpy(end, hint_bytes[i], hint_lengths[i])
        end += hint_lengths[i]
        if i < HINTED:
            memcpy(end, data, length)
            end += length
    lines.end(size)
    return 0


def block(str opening not None, lines, str closing not None):
    """Put the texts of some lines between two others.

    Raises:
        TypeError: One is no line.
    """
    cdef Lines ours
    cdef list texts
    if isinstance(lines, Lines):
        ours = <Lines>lines
        if is_ascii_block(opening, ours, closing):
            return plain_block(opening, ours, closing)
        texts = [opening]
        if ours.told:
            texts.append(PyUnicode_DecodeUTF8(ours.text, ours.used - 1, NULL))
    else:
        texts = [opening]
        for line in lines:
            if not isinstance(line, tuple):
                raise TypeError(f"{line!r} is no line")
            texts.append((<tuple>line)[1])
    texts.append(closing)
    return "\n".join(texts)


cdef bint is_ascii_block(str opening, Lines lines, str closing) noexcept:
    """Return whether all is ASCII, as most blocks are."""
    cdef unsigned char wide = 0
    cdef size_t i
    for i in range(lines.used):
        wide |= <unsigned char>lines.text[i]
    return (
        wide < 0x80
        and PyUnicode_IS_COMPACT_ASCII(opening)
        and PyUnicode_IS_COMPACT_ASCII(closing)
    )


cdef str plain_block(str opening, Lines lines, str closing):
    """Return the block, written at once."""
    cdef size_t before = len(opening), behind = len(closing)
    block = PyUnicode_New(before + 1 + lines.used + behind, 0x7F)
    cdef char* end = <char*>PyUnicode_DATA(block)
    memcpy(end, PyUnicode_DATA(opening), before)
    end[before] = c"\n"
    memcpy(end + before + 1, lines.text, lines.used)
    memcpy(end + before + 1 + lines.used, PyUnicode_DATA(closing), behind)
    return block


cdef object line_of(const char* text, const Written* written):
    cdef const char* name = text + written.start + written.name_start
    line = new_named(Line, 4)
    fill(line, 0, PyUnicode_DecodeUTF8(name, written.name_length, NULL))
    fill(line, 1, PyUnicode_DecodeUTF8(text + written.start, written.length, NULL))
    fill(line, 2, kind_of(written))
    fill(line, 3, why_of(written))
    return line


cdef object kind_of(const Written* written):
    return HINTING if written.hint else RECOLLECTION


cdef str why_of(const Written* written):
    if written.hint:
        return "met often, and unknown"
    if written.contested:
        return "conflict"
    if written.novel:
        return f"novelty {written.novelty:.1f}"
    if 0 <= written.encounters < COUNTS:
        return met[written.encounters]
    return f"met {written.encounters} times"


# ---- salience ----
#
# Which concepts have something to be told, and which are unknown. That is in two cache
# lines of each: the record, which is mostly still near, and the first edge, which most
# lack. So the edges go through passes, as in the lookup: one prefetches what the next
# reads. Which ids have none is known from the last time.


cdef struct Limits:
    double now
    double half_life
    double oldest
    double floor
    size_t edges_max


cdef struct Candidates:
    Candidate* at  # room for all that are considered
    size_t count
    size_t ordered  # of the first so many each has a later place than the one before


cdef inline bint is_root(const EdgeRecord* edge) noexcept:
    return edge.concept_id == edge.parent_id and edge.concept_id == edge.dim_id


cdef inline bint is_told(const EdgeRecord* edge, const Limits* limits) noexcept:
    return (
        edge.confidence >= limits.floor
        and edge.last_confirmed >= limits.oldest
        and not is_root(edge)
    )


cdef enum:
    LOGARITHMS = 1024

# Few counts are large.
cdef double logarithms[LOGARITHMS]
# No constant, for which a compiler might take another function than Python's pow.
cdef double HALF = 0.5

cdef enum FactState:
    NO_FACTS
    FADED
    KNOWN


cdef int find_salient(
    Table* table,
    Edges* edges,
    SalientIds ids,
    const Limits* limits,
    object doubts,
    object mentioned,
    Candidates* known,
    Candidates* unknown,
) except -1:
    """Sort out some concepts; those that are only mentioned are left out."""
    part(table, edges, ids, limits, known, unknown)
    unknown.ordered = unknown.count
    find_edges(table, edges, known)
    sort_out(edges, limits, doubts, mentioned, known, unknown)
    if doubts:
        doubt(doubts, mentioned, known)
    return 0


cdef int part(
    Table* table,
    Edges* edges,
    SalientIds ids,
    const Limits* limits,
    Candidates* named,
    Candidates* others,
) except -1:
    """Find the records, and part those few that may have edges from the others."""
    cdef Candidate* room[2]
    cdef Candidate* candidate
    cdef uint32_t record, count = <uint32_t>ids.told, place, edge, moment
    cdef size_t has_none, may_have_edges
    cdef int64_t id
    named.count = others.count = 0
    for place in range(count):
        id = ids.ids[place]
        record = find_again(table, id, ids.records[place])
        if record == SLOT_NONE:
            raise KeyError(ids.all()[place])
        edge, moment = table.records[record].edge, moment_of(edges, id)[0]
        has_none = edge == moment
        may_have_edges = 1 - (has_none | (edge == moment | MENTIONED))
        # Which it will be nobody could foresee; so where it is written is chosen, and
        # it is written once: what was just written in parts is slow to be read whole.
        room[0], room[1] = &others.at[others.count], &named.at[named.count]
        candidate = room[may_have_edges]
        candidate.importance = importance(&table.records[record], limits)
        candidate.id = id
        candidate.place = place
        candidate.contested = candidate.faded = 0
        candidate.record = record
        candidate.first = edge
        named.count += may_have_edges
        others.count += has_none
    return 0


cdef void find_edges(Table* table, Edges* edges, Candidates* named) noexcept:
    """Find the first edge of each, and note what is to be guessed the next time."""
    cdef Candidate* candidate
    cdef size_t i
    for i in range(named.count):
        candidate = &named.at[i]
        if candidate.first < edges.count:
            memory_prefetch(&edges.edges[candidate.first])
        else:
            memory_prefetch(slots_home(&edges.by_id, node_tag(edges, candidate.id)))
    for i in range(named.count):
        candidate = &named.at[i]
        if not is_first(edges, candidate.id, candidate.first):
            candidate.first = find_first(
                edges, candidate.id, &table.records[candidate.record].edge
            )


cdef int sort_out(
    const Edges* edges,
    const Limits* limits,
    object doubts,
    object mentioned,
    Candidates* named,
    Candidates* unknown,
) except -1:
    """Leave those of which there is something to tell among the named."""
    cdef Candidate* candidate
    cdef size_t count = named.count, i
    cdef FactState state
    named.count = 0
    for i in range(count):
        candidate = &named.at[i]
        if candidate.first == ONLY_MENTIONED:
            continue
        state = fact_state(edges, candidate.first, limits)
        # A reader must know that something is contested, however weak or old it is.
        if (
            state == FADED
            and doubts
            and is_contested(doubts, mentioned, candidate.id)
            and has_doubted(edges, candidate.first, doubts[candidate.id])
        ):
            state = KNOWN
        if state == KNOWN:
            named.at[named.count] = candidate[0]
            named.count += 1
        elif state == FADED or not is_mentioned(edges, candidate.id):
            candidate.faded = state == FADED
            unknown.at[unknown.count] = candidate[0]
            unknown.count += 1
    return 0


cdef inline bint is_contested(object doubts, object mentioned, int64_t id) except -1:
    return may_hold(mentioned, id) and id in doubts


cdef bint has_doubted(const Edges* edges, uint32_t first, object doubted) except -1:
    """Return whether an edge is in a dimension that is doubted."""
    cdef uint32_t number = first
    while number != SLOT_NONE:
        if is_doubted(&edges.edges[number], doubted):
            return True
        number = edges.edges[number].next
    return False


cdef inline bint is_doubted(const EdgeRecord* edge, object doubted) except -1:
    return not is_root(edge) and edge.dim_id in doubted


cdef int doubt(object doubts, object mentioned, Candidates* known) except -1:
    cdef size_t i
    for i in range(known.count):
        known.at[i].contested = is_contested(doubts, mentioned, known.at[i].id)
    return 0


cdef bint is_mentioned(const Edges* edges, int64_t id) noexcept:
    """Return whether an edge names a concept; a root, which has one, need not be."""
    cdef uint32_t node = find_node(edges, id)
    return node != SLOT_NONE and edges.nodes[node].mentions != 0


cdef FactState fact_state(
    const Edges* edges, uint32_t first, const Limits* limits
) noexcept:
    cdef FactState state = NO_FACTS
    cdef uint32_t number = first
    cdef const EdgeRecord* edge
    while number != SLOT_NONE:
        edge = &edges.edges[number]
        if is_told(edge, limits):
            # It is taken soon, with the next one; of the last this is near.
            memory_prefetch(edges.edges + min(edge.next, edges.count - 1))
            return KNOWN
        if not is_root(edge):
            state = FADED
        number = edge.next
    return state


cdef inline double importance(const Record* record, const Limits* limits) noexcept:
    cdef double height = height_here(record)
    # What was never met is not important, whatever placed it.
    if record.last_seen == 0:
        return 0.0
    if record.novelty > height:
        height = record.novelty
    # Most were met right now.
    if record.last_seen == limits.now:
        return height
    return height * left(limits.now - record.last_seen, limits.half_life)


cdef double height_of(const Record* record) noexcept:
    return height_here(record)


cdef inline double height_here(const Record* record) noexcept:
    """Return the saliency, mostly without a logarithm."""
    if record.dictionary or record.encounters >= LOGARITHMS:
        return saliency(record)
    return logarithms[record.encounters]


cdef double left(double seconds, double half_life) noexcept:
    """Return the share that a time leaves; time that is to come takes nothing."""
    return pow(HALF, seconds / half_life) if seconds > 0 else 1.0


cdef void fill_logarithms() noexcept:
    cdef int count
    for count in range(1, LOGARITHMS):
        logarithms[count] = log10(<double>count)

fill_logarithms()


# ---- format of a line ----
#
# `gnommoweb: [geography] ramanujan [type?] repo`
#
# A dimension is marked `?` where a contradicting statement waits, and `~` where what
# is held is somebody's belief only. The text is put together from the bytes of the
# names, in place.


cdef struct Chars:
    const char* data
    size_t length


cdef struct Chosen:
    # A concept that is told. Its name first, by which these are sorted.
    Chars name
    const Candidate* candidate
    size_t first  # of its places
    size_t count


cdef struct Place:
    # An edge that is told. Its dimension first: places are sorted by what is first.
    Chars dimension
    Chars parent
    int64_t dim_id
    bint belief


ctypedef fused Sorted:
    Chosen
    Place


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
    """Write a concept's line behind the others.

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
    """Return the bytes of a line, at most."""
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
    cdef char* end = put_name(text, name)
    cdef bint doubt
    cdef size_t i
    end[0] = c":"
    end += 1
    for i in range(count):
        doubt = doubted and places[i].dim_id in doubted
        contested[0] |= doubt
        end[0], end[1] = c" ", c"["
        end = put_name(end + 2, &places[i].dimension)
        # That somebody else says otherwise outweighs that it is a belief.
        end[0] = c"?" if doubt else c"~"
        end += doubt or places[i].belief
        end[0], end[1] = c"]", c" "
        end = put_name(end + 2, &places[i].parent)
    if contested[0]:
        end = put_name(end, &pending)
    return end - text


cdef inline char* put_name(char* end, const Chars* chars) noexcept:
    # Of every name so many bytes can be read, as it is a key or longer than one.
    if chars.length <= KEY_BYTES:
        memcpy(end, chars.data, KEY_BYTES)
    else:
        memcpy(end, chars.data, chars.length)
    return end + chars.length


# ---- hints ----
#
# Questions about unknown names that somebody wrote as plain words. Hardly more than
# the first few are ever wanted, so they are not sorted.


cdef enum:
    PICKED = 8

cdef int looked_for_max = LOOKED_FOR_MAX
cdef Py_ssize_t plain_letters_max = PLAIN_LETTERS_MAX


@cython.final
cdef class Unknown:
    """Tokens of concepts that are not known, the important first."""

    cdef Vocabulary vocabulary
    cdef object mentioned
    cdef Candidates heap
    cdef RecallBuffers buffers  # what all of the telling was made of; the heap is on it
    cdef uint32_t first[PICKED]  # places of the first few, in order
    cdef size_t picked  # how many were told

    def __dealloc__(self):
        free_buffers(<Buffer*>&self.buffers, sizeof(self.buffers))

    cdef const Candidate* following(self) except? NULL:
        """Return the next of them, or NULL."""
        cdef Candidate* all = self.heap.at
        cdef size_t count = self.heap.count, i
        cdef const Candidate* candidate
        if self.picked == 0:
            candidates_first(all, count, self.heap.ordered, self.first, PICKED)
        while self.picked < count:
            if self.picked < PICKED:
                candidate = &all[self.first[self.picked]]
            else:
                if self.picked == PICKED:
                    # Hardly ever: all of them anew, without those that were first.
                    candidates_heap(all, count, False)
                    for i in range(PICKED):
                        candidates_pop(all, count - i)
                candidate = candidates_pop(all, count - self.picked)
            self.picked += 1
            if candidate.faded or not self.is_mentioned(candidate.id):
                return candidate
        return NULL

    cdef bint is_mentioned(self, int64_t id) except -1:
        return may_hold(self.mentioned, id) and id in self.mentioned

    def __iter__(self):
        return self

    def __next__(self):
        cdef const Candidate* candidate = self.following()
        if candidate == NULL:
            raise StopIteration
        return token_of(&self.vocabulary.table, candidate)


def ask(telling, spoken, hinted, everyday, is_name, Py_ssize_t most):
    """Ask about tokens that stand somewhere in some texts as plain words.

    Args:
        telling: Of the same memory.
        hinted: Tokens that were asked about.
        everyday: Tokens that are no question.
        is_name: Whether a token is worth a question; asked of no others, nor of a
            short word of plain letters, which is.
        most: How many are asked about, at most.

    Returns:
        The telling's lines, and behind them the questions.
    """
    cdef Lines lines
    cdef Unknown unknown
    cdef list found = []
    cdef const Candidate* candidate
    cdef int left = looked_for_max
    lines, unknown = telling
    if lines is None or unknown is None:
        raise TypeError(f"{telling!r} tells nothing")
    while left and len(found) < most:
        candidate = unknown.following()
        if candidate == NULL:
            break
        token = token_of(&unknown.vocabulary.table, candidate)
        if token in hinted or token in everyday:
            continue
        if not (is_plain_word(token) or is_name(token)):
            continue
        left -= 1
        if stands(token, spoken):
            found.append(token)
    if not found:
        return lines
    found.sort()
    return with_hints(lines, found)


cdef str token_of(const Table* table, const Candidate* candidate):
    cdef uint32_t number = find_again(table, candidate.id, candidate.record)
    cdef const Record* record
    if number == SLOT_NONE:
        raise KeyError(candidate.id)
    record = &table.records[number]
    return PyUnicode_DecodeUTF8(data_of(table, record), record.length, NULL)


cdef bint is_plain_word(str token) except -1:
    cdef Py_ssize_t length = 0, i
    cdef const char* data = PyUnicode_AsUTF8AndSize(token, &length)
    for i in range(length):
        if not c"a" <= data[i] <= c"z":
            return False
    return length <= plain_letters_max


cdef bint stands(str token, object spoken) except -1:
    """Return whether a token stands plainly in one of some texts."""
    cdef Py_ssize_t length = 0
    cdef const char* data = PyUnicode_AsUTF8AndSize(token, &length)
    cdef Scan scan
    for scan in spoken:
        if scan.stands(data, length):
            return True
    return False


# ---- tell ----
#
# Most concepts have nothing to be told, so they are sorted out by number, and names
# are looked up and lines written for the chosen only.


cdef enum:
    BELIEF = 2  # as in `festinger.core.graph.outcome`


cdef struct WeightedEdge:
    const EdgeRecord* edge
    double weight


cdef struct Choice:
    # What is made on the way, in the buffers.
    RecallBuffers* buffers
    Candidates known
    Chosen* chosen
    size_t chosen_count
    WeightedEdge* edges
    size_t edge_count
    Place* places


def tell(
    Vocabulary vocabulary not None,
    Graph graph not None,
    ids,
    *,
    double now,
    double half_life,
    double oldest,
    double floor,
    Py_ssize_t concepts_max,
    Py_ssize_t edges_max,
    doubts,
    mentioned,
):
    """Choose what to tell of some concepts, and word it.

    Args:
        ids: Each once.
        now: Epoch seconds.
        half_life: Seconds.
        oldest: When an edge that is told was confirmed at the earliest.
        floor: Confidence of an edge that is told, at least.
        concepts_max: Concepts of which something is told, at most.
        edges_max: Edges that are told of one, at most.
        doubts: Concepts that are chosen before all others, and of each the dimensions
            in which its edges are marked, and told whatever their age and confidence.
        mentioned: Concepts that are not unknown, unless by their own edges. If they are
            `Mentions`, those that are doubted are among them.

    Raises:
        KeyError: No token has one of the ids, or one of an edge that is told.
        ValueError: `concepts_max` is negative, or `edges_max` not positive.
    """
    cdef Unknown unknown = Unknown.__new__(Unknown)
    cdef Table* table = &vocabulary.table
    cdef Limits limits
    cdef Choice choice
    if concepts_max < 0 or edges_max < 1:
        raise ValueError(f"{concepts_max} concepts of {edges_max} edges cannot be told")
    limits.now, limits.half_life = now, half_life
    limits.oldest, limits.floor = oldest, floor
    limits.edges_max = edges_max
    unknown.vocabulary = vocabulary
    unknown.mentioned = mentioned
    choice.buffers = &unknown.buffers
    wanted = salient_of(ids)
    ensure(&choice.buffers.unknown, wanted.told * sizeof(Candidate))
    ensure(&choice.buffers.known, wanted.told * sizeof(Candidate))
    unknown.heap.at = <Candidate*>choice.buffers.unknown.at
    choice.known.at = <Candidate*>choice.buffers.known.at
    find_salient(
        table,
        &graph.table,
        wanted,
        &limits,
        doubts,
        mentioned,
        &choice.known,
        &unknown.heap,
    )
    choose(table, &choice, concepts_max)
    take_edges(&graph.table, &limits, doubts, &choice)
    name_places(table, &choice)
    lines = lines_of(table, &choice, doubts)
    telling = new_named(GraphLines, 2)
    fill(telling, 0, lines)
    fill(telling, 1, unknown)
    return telling


# ---- which concepts ----

cdef int choose(const Table* table, Choice* choice, size_t concepts_max) except -1:
    """Take the first of the known, in order of their names."""
    cdef Candidates* known = &choice.known
    cdef size_t count = min(concepts_max, known.count), i
    cdef Chosen* chosen
    ensure(&choice.buffers.chosen, count * sizeof(Chosen))
    choice.chosen = <Chosen*>choice.buffers.chosen.at
    choice.chosen_count = count
    candidates_keep(known.at, known.count, count)
    for i in range(count):
        chosen = &choice.chosen[i]
        chosen.candidate = &known.at[i]
        view_name(table, &table.records[chosen.candidate.record], &chosen.name)
    sort_by_chars(choice.chosen, count)
    return 0


cdef inline void view_name(
    const Table* table, const Record* record, Chars* name
) noexcept:
    name.data = data_of(table, record)
    name.length = record.length


# ---- which edges ----

cdef int take_edges(
    const Edges* edges, const Limits* limits, object doubts, Choice* choice
) except -1:
    """Return the edges that are told of the chosen."""
    cdef Chosen* chosen
    cdef uint32_t number
    cdef size_t i
    choice.edge_count = 0
    choice.edges = <WeightedEdge*>choice.buffers.edges.at
    for i in range(choice.chosen_count):
        chosen = &choice.chosen[i]
        chosen.first = choice.edge_count
        number = chosen.candidate.first
        doubted = doubts[chosen.candidate.id] if chosen.candidate.contested else None
        while number != SLOT_NONE:
            take_edge(&edges.edges[number], limits, doubted, choice)
            number = edges.edges[number].next
        chosen.count = choice.edge_count - chosen.first
        if chosen.count > limits.edges_max:
            keep_heaviest(&choice.edges[chosen.first], chosen.count, limits)
            chosen.count = limits.edges_max
            choice.edge_count = chosen.first + chosen.count
    return 0


cdef inline int take_edge(
    const EdgeRecord* edge, const Limits* limits, object doubted, Choice* choice
) except -1:
    if not is_told(edge, limits) and not (doubted and is_doubted(edge, doubted)):
        return 0
    ensure(&choice.buffers.edges, (choice.edge_count + 1) * sizeof(WeightedEdge))
    choice.edges = <WeightedEdge*>choice.buffers.edges.at
    choice.edges[choice.edge_count].edge = edge
    choice.edge_count += 1
    return 0


cdef void keep_heaviest(
    WeightedEdge* edges, size_t count, const Limits* limits
) noexcept:
    """Bring the heaviest edges of a concept to the front."""
    cdef size_t i
    for i in range(count):
        edges[i].weight = edges[i].edge.confidence * left(
            limits.now - edges[i].edge.last_confirmed, limits.half_life
        )
    qsort(edges, count, sizeof(WeightedEdge), by_weight)


cdef int by_weight(const void* one, const void* other) noexcept nogil:
    cdef const WeightedEdge* first = <const WeightedEdge*>one
    cdef const WeightedEdge* second = <const WeightedEdge*>other
    if first.weight != second.weight:
        return -1 if first.weight > second.weight else 1
    return (first.edge.dim_id > second.edge.dim_id) - (
        first.edge.dim_id < second.edge.dim_id
    )


# ---- which names ----

cdef int name_places(Table* table, Choice* choice) except -1:
    """Look up the names of the edges' dimensions and parents, and sort by them."""
    cdef const EdgeRecord* edge
    cdef Place* place
    cdef size_t i
    ensure(&choice.buffers.places, choice.edge_count * sizeof(Place))
    choice.places = <Place*>choice.buffers.places.at
    for i in range(choice.edge_count):
        edge = choice.edges[i].edge
        place = &choice.places[i]
        place.dim_id = edge.dim_id
        place.belief = edge.modality == BELIEF
        view_name(table, record_of(table, edge.dim_id), &place.dimension)
        view_name(table, record_of(table, edge.parent_id), &place.parent)
    for i in range(choice.chosen_count):
        place = &choice.places[choice.chosen[i].first]
        sort_by_chars(place, choice.chosen[i].count)
    return 0


cdef const Record* record_of(Table* table, int64_t id) except NULL:
    cdef uint32_t number = find_place(table, id)
    if number == SLOT_NONE:
        raise KeyError(id)
    return &table.records[number]


cdef Lines lines_of(const Table* table, const Choice* choice, object doubts):
    cdef Lines lines = new_lines(choice.chosen_count)
    cdef const Chosen* chosen
    cdef size_t i
    for i in range(choice.chosen_count):
        chosen = &choice.chosen[i]
        doubted = doubts[chosen.candidate.id] if chosen.candidate.contested else None
        add_line(
            lines,
            &table.records[chosen.candidate.record],
            &chosen.name,
            &choice.places[chosen.first],
            chosen.count,
            doubted,
        )
    return lines
