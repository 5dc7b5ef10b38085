"""Types of `phrases`, where it is compiled."""

cimport cython

from festinger._fast.sentences cimport Sentence as Words
from festinger._fast.wordbook cimport Wordbook as Book

# Constants of Python's, as C has them.
cdef int CAPITAL, CLOSE, CLOSED, COMMA, COMPOUND, CONCEPT, CUE, ODD, OPEN, PLAIN
cdef int PHRASE_WORDS_MAX, POSSESSIVE, QUOTED
cdef unsigned long long ADJECTIVES, AND, ATTRIBUTES, BUT, DETERMINERS, ED_NOUNS
cdef unsigned long long ENDS_IN_ED, ENDS_IN_ING, ENDS_IN_LY, ENDS_PHRASE, FINITE_VERBS
cdef unsigned long long GERUND_NOUNS, HYPHENATED, INTENSIFIERS, LY_NOUNS
cdef unsigned long long PARTICIPLE_PREPOSITIONS, POINTERS
cdef tuple ADJECTIVE_ENDINGS, _VERB_ENDINGS


cdef class Phrase:
    cdef readonly str name
    cdef readonly unsigned long long lists
    cdef readonly Py_ssize_t start
    cdef readonly Py_ssize_t head
    cdef readonly Py_ssize_t end
    cdef readonly unsigned long long determiner


@cython.locals(wordbook=Book)
cpdef bint is_everyday(object lexicon, str token) except -1


@cython.locals(wordbook=Book)
cpdef bint is_known(object lexicon, str token) except -1


@cython.locals(
    determiner=cython.ulonglong, word=str, phrase=Phrase, end=Py_ssize_t,
    resumed=Py_ssize_t, head=Py_ssize_t,
)
cpdef Phrase read_phrase(Words sentence, Py_ssize_t start, object lexicon)


cdef Py_ssize_t _end_of_phrase(
    Words sentence, Py_ssize_t start, Py_ssize_t at, object lexicon
) except -1


@cython.locals(lists=cython.ulonglong, at=Py_ssize_t, count=Py_ssize_t)
cdef Py_ssize_t _resumes_at(Words sentence, Py_ssize_t end) except -1


cpdef bint is_compound_at(Words sentence, Py_ssize_t at) except -1


@cython.locals(word=str, flags=int)
cpdef bint has_form_of_name(Words sentence, Py_ssize_t at, object lexicon) except -1


@cython.locals(between=str)
cpdef bint is_cut_off(Words sentence, Py_ssize_t at) except -1


cpdef bint is_adjective(str word, unsigned long long lists) except -1


@cython.locals(lists=cython.ulonglong)
cdef bint _is_adjective_at(Words sentence, Py_ssize_t at) except -1


cdef bint _ends_like_an_adverb(unsigned long long lists) noexcept


@cython.locals(gap=int, looks=bint)
cdef bint _reaches_over(Words sentence, Py_ssize_t at) except -1


@cython.locals(
    lists=cython.ulonglong, following=cython.ulonglong, flags=int, closes=bint,
    adverb=bint,
)
cdef bint _ends_phrase(
    Words sentence, Py_ssize_t start, Py_ssize_t at, object lexicon
) except -1


@cython.locals(at=Py_ssize_t)
cdef bint _are_adjectives(Words sentence, Py_ssize_t start, Py_ssize_t end) except -1


cdef bint _joins_adjectives(Words sentence, Py_ssize_t start, Py_ssize_t at) except -1


cpdef str without_emphasis(str word)
