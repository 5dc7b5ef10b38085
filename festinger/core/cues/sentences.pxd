"""Types of `sentences`, where it is compiled."""

cimport cython

from festinger._fast.scanner cimport Scan as Tokens

# Constants of Python's, as C has them.
cdef int BREAK, CLOSE, COLON, COMMA, CUE, DASH, END, ODD, OPEN, PLAIN, POSSESSIVE
cdef int QUOTED, SENTENCE_CHARACTERS_MAX, STOP, WRAP
cdef frozenset ABBREVIATIONS, OPEN_ENDS


cdef class Sentence:
    cdef readonly list words
    cdef readonly list flags
    cdef readonly list gaps
    cdef readonly list starts
    cdef readonly list ends
    cdef readonly list cues
    cdef readonly bint asked
    cdef readonly bint quoted
    cdef readonly str text

    @cython.locals(flags=int)
    cdef int add(self, Tokens scan, Py_ssize_t at, int gap) except -1

    cpdef bint follows(self, Py_ssize_t at, str word) except -1

    cpdef bint is_wrapped_at(self, Py_ssize_t at) except -1


cdef class SentenceReader:
    cdef readonly Tokens scan
    cdef readonly str text
    cdef readonly Py_ssize_t count
    cdef readonly Py_ssize_t steps
    cdef Py_ssize_t _searched
    cdef Py_ssize_t _begin
    cdef bint _cut

    @cython.locals(first=Py_ssize_t, at=Py_ssize_t)
    cpdef tuple around(self, Py_ssize_t cue)

    @cython.locals(sentence=Sentence, end=Py_ssize_t)
    cpdef Sentence sentence(self, Py_ssize_t first)

    @cython.locals(at=Py_ssize_t)
    cdef Py_ssize_t _beginning(self, Py_ssize_t cue) except -1

    @cython.locals(
        scan=Tokens, text=str, start=Py_ssize_t, at=Py_ssize_t, last=Py_ssize_t, gap=int
    )
    cdef Py_ssize_t _walk(self, Py_ssize_t first, Sentence sentence) except -1

    @cython.locals(end=Py_ssize_t, start=Py_ssize_t, length=Py_ssize_t, marks=int)
    cdef int _gap(self, Py_ssize_t before, Py_ssize_t behind) except -1

    @cython.locals(
        text=str,
        end=Py_ssize_t,
        start=Py_ssize_t,
        at=Py_ssize_t,
        low=Py_ssize_t,
        high=Py_ssize_t,
        line=Py_ssize_t,
        fits=bint,
    )
    cdef int _line_break(
        self, Py_ssize_t before, Py_ssize_t behind, int marks
    ) except -1

    cdef bint _is_quoted_line(self, Py_ssize_t start) except -1

    cdef bint _is_blotted(self, Py_ssize_t at) except -1


@cython.locals(
    i=Py_ssize_t, begin=Py_ssize_t, character=Py_UCS4, mark=int, marks=int, alone=bint
)
cdef int _marks(str text, Py_ssize_t start, Py_ssize_t end) except -1


@cython.locals(line=Py_ssize_t)
cdef bint _begins_block(str text, Py_ssize_t at, Py_ssize_t end) except -1


cdef int _mark(Py_UCS4 character) except -1


cdef bint _is_dash(
    str text, Py_ssize_t begin, Py_ssize_t at, Py_ssize_t end
) except -1


cdef bint _is_abbreviated(str word) except -1


@cython.locals(character=Py_UCS4)
cdef bint _is_asked(str tail) except -1
