"""Types of `phrases`, where it is compiled."""

cimport cython

from festinger.core.cues.sentences cimport Sentence as Words

# Constants of Python's, as C has them.
cdef int CAPITAL, CLOSE, CLOSED, COMMA, COMPOUND, CONCEPT, CUE, ODD, OPEN, PLAIN
cdef int POSSESSIVE, QUOTED
cdef frozenset ADJECTIVES, ATTRIBUTES, DETERMINERS, ED_NOUNS, ENDS_PHRASE, FINITE_VERBS
cdef frozenset GERUND_NOUNS, INTENSIFIERS, LY_NOUNS, PARTICIPLE_PREPOSITIONS, POINTERS


cdef class Phrase:
    cdef readonly str name
    cdef readonly Py_ssize_t start
    cdef readonly Py_ssize_t head
    cdef readonly Py_ssize_t end
    cdef readonly str determiner
    cdef readonly bint named


@cython.locals(
    words=list, gaps=list, determiner=str, name=str, end=Py_ssize_t,
    resumed=Py_ssize_t, head=Py_ssize_t, flags=long,
)
cpdef Phrase read_phrase(Words sentence, Py_ssize_t start, object lexicon)


cdef Py_ssize_t _end_of_phrase(
    Words sentence, Py_ssize_t start, Py_ssize_t at, object lexicon
) except -1


@cython.locals(words=list, gaps=list, flags=list, at=Py_ssize_t)
cdef Py_ssize_t _resumes_at(Words sentence, Py_ssize_t end, object lexicon) except -1


cpdef bint is_compound_at(Words sentence, Py_ssize_t at) except -1


@cython.locals(word=str, flags=long)
cpdef bint has_form_of_name(Words sentence, Py_ssize_t at, object lexicon) except -1


@cython.locals(between=str)
cpdef bint is_cut_off(Words sentence, Py_ssize_t at) except -1


cpdef bint is_adjective(str word) except -1


@cython.locals(gap=long, word=str)
cdef bint _reaches_over(Words sentence, Py_ssize_t at) except -1


@cython.locals(words=list, flags=list, word=str, following=str)
cdef bint _ends_phrase(
    Words sentence, Py_ssize_t start, Py_ssize_t at, object lexicon
) except -1


@cython.locals(at=Py_ssize_t)
cdef bint _are_adjectives(list words, Py_ssize_t start, Py_ssize_t end) except -1


@cython.locals(words=list)
cdef bint _joins_adjectives(Words sentence, Py_ssize_t start, Py_ssize_t at) except -1


cpdef str without_emphasis(str word)
