"""The sentences that hold cues, in C.

As in `tests/oracle/sentences.py`, whose rules these are, but that a gap is read once:
what the walk to the sentence's end has seen is what the sentence is made of.
"""

cimport cython
from cpython.object cimport PyObject
from cpython.ref cimport Py_CLEAR, Py_INCREF
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy

from festinger._fast.characters cimport characters
from festinger._fast.gaps cimport (
    BREAK,
    COMMA,
    END,
    ODD,
    PLAIN,
    SENTENCE_CHARACTERS_MAX,
    STOP,
    WRAP,
    char_at,
    ends_line,
    is_asked,
    is_quoted_line,
    marks_of,
    surroundings_of,
)
from festinger._fast.lists cimport Lists
from festinger._fast.scanner cimport Scan, flags_of
from festinger._fast.terms cimport TOKEN_TERM, Term

from festinger._fast import values

cdef extern from "Python.h":
    bint PyUnicode_IS_COMPACT_ASCII(object text)
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    str PyUnicode_New(Py_ssize_t length, Py_UCS4 largest)


cdef enum:
    PLACES = SENTENCE_CHARACTERS_MAX + 2  # no word is shorter than a character

# What one text's sentences leave to those of the next.
cdef Place* spare = NULL

cdef uint64_t SHORT = values.SHORT
cdef uint64_t OPEN_END = values.OPEN_END
cdef uint64_t OPEN_START = values.OPEN_START


@cython.final
cdef class Sentence:
    """One sentence: its words, and what stands between them."""

    def __cinit__(self):
        global spare
        self.places, spare = spare, NULL
        if self.places == NULL:
            self.places = <Place*>malloc(PLACES * sizeof(Place))
        if self.places == NULL:
            raise MemoryError

    def __dealloc__(self):
        global spare
        self.forget()
        if spare == NULL:
            spare = self.places
        else:
            free(self.places)

    cdef void forget(self) noexcept:
        """Give back the strings that were asked for."""
        cdef Py_ssize_t at
        for at in range(self.count):
            Py_CLEAR(self.places[at].string)
        self.count = 0

    cdef const Place* place(self, Py_ssize_t at) except NULL:
        """Return a word's place, or the one behind the last word."""
        if not 0 <= at <= self.count:
            raise IndexError("no word of the sentence")
        return &self.places[at]

    def lists(self, Py_ssize_t at):
        """Return which lists hold a word, one bit each."""
        return self.place(at).lists

    def flags(self, Py_ssize_t at):
        """Return the flags of a word's token."""
        return self.place(at).flags

    def gap(self, Py_ssize_t at):
        """Return what stands between a word and the one before it."""
        return self.place(at).gap

    def start(self, Py_ssize_t at):
        """Return the place of a word's first character in the text."""
        return self.place(at).start

    def end(self, Py_ssize_t at):
        """Return the place behind a word's last character in the text."""
        return self.place(at).end

    def among(self, Py_ssize_t first, Py_ssize_t end):
        """Return the lists that hold any word of a range."""
        cdef uint64_t found = 0
        cdef Py_ssize_t at
        for at in range(first, end):
            found |= self.place(at).lists
        return found

    def follows(self, Py_ssize_t at, uint64_t lists):
        """Return whether a word of the lists stands here after a plain gap."""
        cdef const Place* place
        if at >= self.count:
            return False
        place = self.place(at)
        return place.lists & lists != 0 and place.gap & ~PLAIN == 0

    def is_wrapped_at(self, Py_ssize_t at):
        """Return whether only a line wrap stands before a word."""
        return self.place(at).gap == WRAP

    cpdef str word(self, Py_ssize_t at):
        """Return the token at a place."""
        cdef Place* place = &self.places[at]
        if not 0 <= at < self.count:
            raise IndexError("no word of the sentence")
        if place.string == NULL:
            # The scan's own strings are of all its terms, of which few are asked for.
            word = string_of(self.scan, place.token)
            Py_INCREF(word)
            place.string = <PyObject*>word
        return <str>place.string

    cpdef bint reads(self, Py_ssize_t at, str word) except -1:
        """Whether a word stands at a place."""
        cdef const Term* term
        if not 0 <= at < self.count:
            return False
        if word is None or not PyUnicode_IS_COMPACT_ASCII(word):
            return self.word(at) == word
        # As it stands in the scan: no string need be made to tell.
        term = term_of(self.scan, self.places[at].token)
        return term.length == <size_t>len(word) and not memcmp(
            self.scan.lowered + term.offset, PyUnicode_DATA(word), term.length
        )

    cpdef int surroundings(self) except -1:
        """Return what stands around the sentence that may take it back; mostly 0."""
        if self.count == 0:
            raise IndexError("no word of the sentence")
        return surroundings_of(
            &self.prose, self.places[0].start, self.places[self.count - 1].end
        )


cdef inline Py_ssize_t start_of(Scan scan, Py_ssize_t at) except -1:
    """The place of a token's first character."""
    cdef uint32_t start = scan.tokens[at].start
    return scan.character_at(start) if scan.wide else start


cdef inline Py_ssize_t end_of(Scan scan, Py_ssize_t at) except -1:
    cdef uint32_t end = scan.tokens[at].end
    return scan.character_at(end) if scan.wide else end


cdef inline int gap_of(
    SentenceReader reader,
    Py_ssize_t before,
    Py_ssize_t end,
    Py_ssize_t behind,
    Py_ssize_t start,
) except -1:
    """Read the gap between two tokens: nine in ten are a blank."""
    if start - end == 1 and char_at(&reader.prose, end) == c" ":
        return 0
    return reader.gap(before, end, behind, start)


cdef inline const Term* term_of(Scan scan, Py_ssize_t token) noexcept:
    return &scan.terms[scan.tokens[token].term & TOKEN_TERM]


cdef str string_of(Scan scan, Py_ssize_t token):
    cdef const Term* term = term_of(scan, token)
    if not scan.wide:
        word = PyUnicode_New(term.length, 127)
        memcpy(PyUnicode_DATA(word), scan.lowered + term.offset, term.length)
        return word
    return PyUnicode_DecodeUTF8(scan.lowered + term.offset, term.length, NULL)


cdef class SentenceReader:
    """Finds the sentence around one cue after the other, moving forward only.

    There is one sentence at a time: the next is written over it.
    """

    def __init__(self, Scan scan not None, str text not None, Lists lists not None):
        if len(text) != len(scan.text):
            raise ValueError("the prose is not as long as the text")
        self.scan = scan
        self.text = text
        self.lists = lists
        self.prose.data = PyUnicode_DATA(text)
        self.prose.size = PyUnicode_KIND(text)
        self.prose.length = len(text)
        self.found = Sentence()
        self.found.scan = scan
        self.found.text = text
        self.found.prose = self.prose

    cpdef Py_ssize_t around(self, Py_ssize_t cue) except -2:
        """Return where the sentence of a cue begins."""
        cdef Scan scan = self.scan
        cdef Py_ssize_t first, at
        if not 0 <= cue < scan.length:
            raise IndexError("position out of range")
        self.done = cue + 1
        if self.is_blotted(cue):
            return -1
        first = self.beginning(cue)
        if end_of(scan, cue) - start_of(scan, first) > SENTENCE_CHARACTERS_MAX:
            return -1
        at = self.walk(first)
        self.done = self.searched = max(at, first + 1)
        # What is cut off is no sentence of its own: its cues are too far from `first`.
        self.begin = first if self.cut else self.searched
        return first

    cpdef Sentence sentence(self, Py_ssize_t first):
        """Return the sentence that `around` has just found to begin at a token."""
        cdef Sentence found = self.found
        cdef Place* place = found.places
        cdef Py_ssize_t i
        # Nobody asks about these words but here, so they are far.
        for i in range(found.count):
            self.lists.fetch(term_of(self.scan, found.places[i].token).hash)
        for i in range(found.count):
            self.lists.fetch_listed(term_of(self.scan, found.places[i].token).hash)
        for i in range(found.count):
            place = &found.places[i]
            place.lists = self.lists_of(place.token)
            # Of a word that stands in the prose, which is as the text is there.
            place.flags = flags_of(
                self.scan, place.token, char_at(&self.prose, place.start)
            )
        found.quoted = is_quoted_line(&self.prose, start_of(self.scan, first))
        found.asked = is_asked(&self.prose, place.end)
        return found

    cdef Py_ssize_t beginning(self, Py_ssize_t cue) except -1:
        """Walk left to the sentence's first word, never over the same gap twice."""
        cdef Scan scan = self.scan
        cdef Py_ssize_t at = cue, start = start_of(scan, cue)
        while at > self.searched:
            self.steps += 1
            if gap_of(self, at - 1, end_of(scan, at - 1), at, start) & END:
                self.begin = at
                break
            at -= 1
            start = start_of(scan, at)
        else:
            at = self.begin
        self.searched = cue
        while at < cue and self.is_blotted(at):
            at += 1
            self.steps += 1
        return at

    cdef Py_ssize_t walk(self, Py_ssize_t first) except -1:
        """Walk right to the token behind a sentence, and write it down."""
        cdef Scan scan = self.scan
        cdef Sentence found = self.found
        cdef Place* place = found.places
        cdef Py_ssize_t begin = start_of(scan, first), start, end, last = -1, at = first
        cdef int gap = 0
        # "$HOME is", "%s is": what is named begins before its first word.
        if begin and char_at(&self.prose, begin - 1) in (
            c"$", c"%", c"&", c"/", c"=", c"{", c"\\"
        ):
            gap = ODD
        self.cut = False
        found.forget()
        while at < scan.length:
            self.steps += 1
            start, end = start_of(scan, at), end_of(scan, at)
            if end - begin > SENTENCE_CHARACTERS_MAX:
                self.cut = True
                break
            if char_at(&self.prose, start) <= 1:
                at += 1
                continue
            if last >= 0:
                gap = gap_of(self, last, (place - 1).end, at, start)
                if gap & END:
                    break
            place.start, place.end = start, end
            place.token = at
            place.string = NULL
            place.gap = gap
            place += 1
            last = at
            at += 1
        found.count = place - found.places
        place.gap = gap | END
        place.lists = place.flags = 0
        return at

    cdef int gap(
        self, Py_ssize_t before, Py_ssize_t end, Py_ssize_t behind, Py_ssize_t start
    ) except -1:
        """Read the gap between two tokens, where it is more than a blank."""
        cdef Prose* text = &self.prose
        cdef int marks
        if start <= end:
            return ODD
        if start - end > SENTENCE_CHARACTERS_MAX:
            return END
        self.steps += start - end
        marks = marks_of(text, end, start)
        if marks & STOP:
            marks &= ~STOP
            if self.is_abbreviated(before):
                marks = marks & ~END | COMMA
        if marks & BREAK:
            marks &= ~BREAK
            ends = ends_line(text, end, start, marks, self.goes_on(before, behind))
            marks |= END if ends else WRAP
        return marks

    cdef bint goes_on(self, Py_ssize_t before, Py_ssize_t behind) except -1:
        """Whether words between which a line ends are of one sentence."""
        cdef uint32_t first
        if self.lists_of(before) & OPEN_END:
            return True
        first = char_at(&self.prose, start_of(self.scan, behind))
        return c"a" <= first <= c"z" and self.lists_of(behind) & OPEN_START != 0

    cdef bint is_blotted(self, Py_ssize_t at) except -1:
        return char_at(&self.prose, start_of(self.scan, at)) <= 1

    cdef uint64_t lists_of(self, Py_ssize_t at) noexcept:
        cdef Scan scan = self.scan
        cdef uint32_t number = scan.tokens[at].term & TOKEN_TERM
        cdef const Term* term = &scan.terms[number]
        return self.lists.of_term(
            &scan.keys[number], term, scan.lowered + term.offset
        )

    cdef bint is_abbreviated(self, Py_ssize_t at) except -1:
        """Whether a full stop behind a word may end no sentence."""
        cdef Scan scan = self.scan
        cdef uint32_t number = scan.tokens[at].term & TOKEN_TERM
        cdef const Term* term = &scan.terms[number]
        cdef char letter
        if self.lists_of(at) & SHORT:
            return True
        if term.length == 1:
            letter = scan.lowered[term.offset]
            return c"a" <= letter <= c"z" and letter != c"i"
        if term.length > 4 or characters(scan.lowered + term.offset, term.length) != 1:
            return False
        return string_of(scan, at).isalpha()
