"""An inverted index of short lines: terms to the lines that have them."""

# ---- Postings ----
#
# Lines are numbered from 0 in the order in which they are added. A closed line stays
# where it is and is never found again. A line's weight for a term is fixed when it is
# added (BM25's saturation, for a mean length that hardly moves for sentences); a
# term's rarity is computed when it is searched for.

cdef double _SATURATION = SATURATION
cdef double _LENGTH_MEAN = LENGTH_MEAN
cdef double _WEIGHT_UNIT = WEIGHT_UNIT
cdef size_t _READ_MAX = POSTINGS_READ_MAX
cdef int _TERMS_MAX = QUERY_TERMS_MAX

cdef struct Slot:
    # Of a line: its terms and its score in the search under way, and its group, which
    # is negative once it is closed. Together, so that a line costs one look.
    uint64_t matched
    float score
    int32_t group


cdef struct Ranked:
    # A line that was found, and what it is ranked by.
    double rank
    uint32_t line


cdef inline bint _is_behind(Ranked one, Ranked other) noexcept nogil:
    """Return whether a line is told after another: of equal ones the earlier is."""
    return one.rank < other.rank or (one.rank == other.rank and one.line < other.line)


cdef struct List:
    uint32_t* lines
    uint8_t* weights
    uint32_t size
    uint32_t capacity
    uint32_t closed


@cython.final
cdef class Postings:
    """An inverted index of lines, in memory.

    Only one thread may touch it.
    """

    cdef dict _numbers
    cdef List* _lists
    cdef uint32_t _lists_capacity
    cdef Slot* _slots
    cdef uint32_t* _touched
    cdef uint32_t _touched_size
    cdef uint32_t _touched_capacity
    cdef Ranked* _heap
    cdef uint32_t _heap_size
    cdef uint32_t _heap_capacity
    cdef uint32_t _size
    cdef uint32_t _capacity
    cdef uint32_t _open

    def __cinit__(self):
        self._numbers = {}

    def __dealloc__(self):
        cdef uint32_t i
        for i in range(self._lists_capacity):
            free(self._lists[i].lines)
            free(self._lists[i].weights)
        free(self._lists)
        free(self._slots)
        free(self._touched)
        free(self._heap)

    def __len__(self):
        return self._size

    @property
    def open(self):
        """The number of lines that are not closed."""
        return self._open

    @property
    def nbytes(self):
        """Bytes that the index takes, the terms' own strings included."""
        cdef size_t total = self._lists_capacity * sizeof(List)
        cdef uint32_t i
        for i in range(self._lists_capacity):
            total += self._lists[i].capacity * (sizeof(uint32_t) + 1)
        total += self._capacity * sizeof(Slot)
        # A string of nine characters, and its place in the dictionary.
        return total + 160 * len(self._numbers)

    def add(self, terms, int32_t group=0):
        """Add a line and return its number.

        Args:
            terms: Pairs of a term and how often the line has it, perhaps a fraction.
            group: What `search` may prefer lines of.
        """
        cdef uint32_t line = self._size
        cdef double length = 0
        cdef double count, weight, steps
        cdef uint32_t number
        if line == self._capacity:
            self._grow()
        for _, count in terms:
            length += count
        for term, count in terms:
            number = self._number(term)
            weight = count * (_SATURATION + 1) / (
                count + _SATURATION * (0.6 + 0.4 * length / _LENGTH_MEAN)
            )
            steps = max(1, min(255, weight * _WEIGHT_UNIT + 0.5))
            self._append(number, line, <uint8_t> steps)
        self._slots[line] = Slot(0, 0, group)
        self._size += 1
        self._open += 1
        return line

    def close(self, uint32_t line, terms):
        """Have a line never found again.

        Args:
            terms: Those of the line, each once.
        """
        if line >= self._size or self._slots[line].group < 0:
            return
        self._slots[line].group = -1
        self._open -= 1
        for term in terms:
            number = self._numbers.get(term)
            if number is not None:
                self._lists[<uint32_t> number].closed += 1

    def frequency(self, term):
        """Return how many open lines have a term."""
        number = self._numbers.get(term)
        if number is None:
            return 0
        cdef List* found = &self._lists[<uint32_t> number]
        return found.size - min(found.size, found.closed)

    def search(
        self,
        terms,
        int32_t group,
        double bonus,
        uint32_t most,
        uint32_t first=0,
        size_t read_max=_READ_MAX,
    ):
        """Return the lines that match best, the best first.

        Args:
            terms: Pairs of a term and its weight, which is multiplied by how rare it
                is; the first `QUERY_TERMS_MAX` are looked up, the rarest first.
            group: Lines of this group get the bonus.
            most: How many lines, at most.
            first: The number of the first line that is looked at.
            read_max: Places of terms that are read, at most, the first term's apart.

        Returns:
            Triples of a line, its score without the bonus, and the terms that it has:
            bit `i` for the pair `i`.
        """
        cdef list wanted = []
        cdef int i
        for i, (term, weight) in enumerate(terms):
            if i == _TERMS_MAX:
                break
            number = self._numbers.get(term)
            if number is not None:
                wanted.append((self._lists[<uint32_t> number].size, i, number, weight))
        wanted.sort()
        cdef size_t read = 0
        cdef uint32_t start
        cdef List* found
        self._forget()
        for _size, i, number, weight in wanted:
            found = &self._lists[<uint32_t> number]
            start = self._start(found, first)
            # The commonest terms of a large memory tell least and cost most.
            if read and read + found.size - start > read_max:
                break
            read += found.size - start
            self._need_touched(found.size - start)
            self._score(found, start, i, weight * self._rarity(found))
        return self._best(group, bonus, most)

    cdef uint32_t _start(self, List* found, uint32_t first) noexcept nogil:
        """Return the place of the first line of a list that is looked at."""
        cdef uint32_t low = 0
        cdef uint32_t high = found.size if first else 0
        cdef uint32_t middle
        while low < high:
            middle = low + (high - low) // 2
            if found.lines[middle] < first:
                low = middle + 1
            else:
                high = middle
        return low

    cdef double _rarity(self, List* found) noexcept:
        cdef double having = found.size - min(found.size, found.closed)
        return log(1 + (self._open - having + 0.5) / (having + 0.5))

    cdef void _score(
        self, List* found, uint32_t start, int bit, double weight
    ) noexcept nogil:
        cdef uint32_t i
        cdef Slot* slot
        cdef uint64_t mask = <uint64_t> 1 << bit
        cdef float unit = <float> (weight / _WEIGHT_UNIT)
        for i in range(start, found.size):
            slot = &self._slots[found.lines[i]]
            if slot.matched == 0:
                self._touched[self._touched_size] = found.lines[i]
                self._touched_size += 1
            slot.score += unit * found.weights[i]
            slot.matched |= mask

    cdef list _best(self, int32_t group, double bonus, uint32_t most):
        """Return the best of the lines that were scored."""
        cdef list best = []
        cdef uint32_t i, line
        cdef Ranked ranked
        cdef Slot* slot
        self._heap_size = 0
        self._need_heap(min(most, self._touched_size))
        # Backwards: of lines that match as well as each other the later ones are
        # wanted, and who comes first need not be pushed out again.
        for i in range(self._touched_size, 0, -1):
            line = self._touched[i - 1]
            slot = &self._slots[line]
            if slot.group < 0:
                continue
            ranked.rank = slot.score
            ranked.line = line
            if slot.group == group:
                ranked.rank += bonus
            if self._heap_size < most:
                self._push(ranked)
            elif most and _is_behind(self._heap[0], ranked):
                self._sink(ranked)
        while self._heap_size:
            line = self._heap[0].line
            slot = &self._slots[line]
            best.append((line, slot.score, slot.matched))
            self._heap_size -= 1
            self._sink(self._heap[self._heap_size])
        best.reverse()
        return best

    cdef void _push(self, Ranked ranked) noexcept nogil:
        """Add a line to the heap, whose first is the one that is told last."""
        cdef uint32_t at = self._heap_size
        cdef uint32_t above
        self._heap_size += 1
        while at:
            above = (at - 1) // 2
            if not _is_behind(ranked, self._heap[above]):
                break
            self._heap[at] = self._heap[above]
            at = above
        self._heap[at] = ranked

    cdef void _sink(self, Ranked ranked) noexcept nogil:
        """Put a line into the heap in place of its first."""
        cdef uint32_t at = 0
        cdef uint32_t below = 1
        while below < self._heap_size:
            if below + 1 < self._heap_size and _is_behind(
                self._heap[below + 1], self._heap[below]
            ):
                below += 1
            if not _is_behind(self._heap[below], ranked):
                break
            self._heap[at] = self._heap[below]
            at, below = below, 2 * below + 1
        self._heap[at] = ranked

    cdef int _need_heap(self, uint32_t wanted) except -1:
        cdef Ranked* memory
        if wanted <= self._heap_capacity:
            return 0
        memory = <Ranked*> realloc(self._heap, wanted * sizeof(Ranked))
        if memory == NULL:
            raise MemoryError
        self._heap, self._heap_capacity = memory, wanted
        return 0

    def matched(self, lines):
        """Return which terms of the last search some lines have together, as bits.

        Args:
            lines: Their numbers.
        """
        cdef uint64_t found = 0
        cdef uint32_t line
        for line in lines:
            if line < self._size:
                found |= self._slots[line].matched
        return found

    cdef void _forget(self) noexcept:
        """Forget the scores of the last search."""
        cdef uint32_t i
        cdef Slot* slot
        for i in range(self._touched_size):
            slot = &self._slots[self._touched[i]]
            slot.score = 0
            slot.matched = 0
        self._touched_size = 0

    cdef int _need_touched(self, uint32_t more) except -1:
        cdef uint32_t wanted = self._touched_size + more
        cdef uint32_t* memory
        if wanted <= self._touched_capacity:
            return 0
        memory = <uint32_t*> realloc(self._touched, wanted * sizeof(uint32_t))
        if memory == NULL:
            raise MemoryError
        self._touched, self._touched_capacity = memory, wanted
        return 0

    cdef uint32_t _number(self, term) except? 0:
        """Return the number of a term, a new one if it is new."""
        number = self._numbers.get(term)
        if number is not None:
            return number
        cdef uint32_t new = <uint32_t> len(self._numbers)
        cdef uint32_t capacity
        cdef List* lists
        if new >= self._lists_capacity:
            capacity = max(64, 2 * self._lists_capacity)
            lists = <List*> realloc(self._lists, capacity * sizeof(List))
            if lists == NULL:
                raise MemoryError
            memset(
                lists + self._lists_capacity,
                0,
                (capacity - self._lists_capacity) * sizeof(List),
            )
            self._lists, self._lists_capacity = lists, capacity
        self._numbers[term] = new
        return new

    cdef int _append(self, uint32_t number, uint32_t line, uint8_t weight) except -1:
        cdef List* found = &self._lists[number]
        cdef uint32_t capacity
        cdef void* memory
        if found.size == found.capacity:
            capacity = max(2, found.capacity + (found.capacity >> 1) + 1)
            memory = realloc(found.lines, capacity * sizeof(uint32_t))
            if memory == NULL:
                raise MemoryError
            found.lines = <uint32_t*> memory
            memory = realloc(found.weights, capacity)
            if memory == NULL:
                raise MemoryError
            found.weights = <uint8_t*> memory
            found.capacity = capacity
        found.lines[found.size] = line
        found.weights[found.size] = weight
        found.size += 1
        return 0

    cdef int _grow(self) except -1:
        cdef uint32_t capacity = max(256, self._capacity + (self._capacity >> 1))
        cdef Slot* slots = <Slot*> realloc(self._slots, capacity * sizeof(Slot))
        if slots == NULL:
            raise MemoryError
        self._slots = slots
        self._capacity = capacity
        return 0
