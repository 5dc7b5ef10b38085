"""Which of the unknown are asked about: names that somebody wrote as plain words.

Hardly more than the first few are ever wanted, so that they are not sorted.
"""

cimport cython
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int64_t, uint32_t

from festinger._fast.candidates cimport (
    Candidate,
    candidates_first,
    candidates_heap,
    candidates_pop,
)
from festinger._fast.lines cimport Lines, with_hints
from festinger._fast.mentions cimport may_hold
from festinger._fast.records cimport Record, Table, data_of, find_again
from festinger._fast.rooms cimport Room, free_rooms
from festinger._fast.scanner cimport Scan
from festinger._fast.slots cimport SLOT_NONE

from festinger._fast.values import LOOKED_FOR_MAX, PLAIN_LETTERS_MAX

cdef extern from "Python.h":
    const char* PyUnicode_AsUTF8AndSize(object text, Py_ssize_t* size) except NULL


cdef int looked_for_max = LOOKED_FOR_MAX
cdef Py_ssize_t plain_letters_max = PLAIN_LETTERS_MAX


@cython.final
cdef class Unknown:
    """Tokens of concepts that are not known, the important first."""

    def __dealloc__(self):
        free_rooms(<Room*>&self.bench, sizeof(self.bench))

    cdef const Candidate* following(self) except? NULL:
        """The next of them, or NULL."""
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
    """Whether a token stands plainly in one of some texts."""
    cdef Py_ssize_t length = 0
    cdef const char* data = PyUnicode_AsUTF8AndSize(token, &length)
    cdef Scan scan
    for scan in spoken:
        if scan.stands(data, length):
            return True
    return False
