"""Types of `patterns`, where it is compiled."""

cimport cython

from festinger._fast.sentences cimport Sentence as Words
from festinger.core.language.cues.phrases cimport Phrase as Noun
from festinger.core.language.cues.subjects cimport Subject as Name

# Constants of Python's, as C has them.
cdef int ADVERBS_MAX, CUE, PLAIN
cdef unsigned long long ADVERBS, ARTICLES, BY, ENDS_IN_LY, GENERA, HALF_DENIALS, HEDGES
cdef unsigned long long IN, LONGER, NEGATIONS, NO, OF, ON, SOFTENERS, THE, TO
cdef frozenset _NOT_ONLY
cdef dict _DEFINED, _DENIED, _HEADED, _STATED
cdef Pattern _A, _AN, _THE


cdef class Pattern:
    cdef readonly str name
    cdef readonly bint is_isa
    cdef readonly str dimension
    cdef readonly double prior
    cdef readonly bint verbless


cdef class Match:
    cdef readonly Pattern pattern
    cdef readonly Py_ssize_t start
    cdef readonly Py_ssize_t end
    cdef readonly bint negated
    cdef readonly bint softened
    cdef readonly Name subject
    cdef readonly Noun phrase
    cdef readonly double confidence
    cdef readonly str reason


@cython.locals(word=str)
cpdef Match match_at(Words sentence, Py_ssize_t at)


@cython.locals(i=Py_ssize_t, found=Match, lists=cython.ulonglong)
cdef Match _copula(Words sentence, Py_ssize_t at, bint negated)


cdef bint _is_not_only(Words sentence, Py_ssize_t at) except -1


@cython.locals(lists=cython.ulonglong, pattern=Pattern)
cdef Match _behind_copula(Words sentence, Py_ssize_t i, Match found)


@cython.locals(written=str, found=Match)
cdef Match _keyword(Words sentence, Py_ssize_t at)


@cython.locals(end=Py_ssize_t, on_top=bint)
cdef Match _verb(
    Words sentence, Py_ssize_t at, unsigned long long preposition, Pattern pattern
)


@cython.locals(start=Py_ssize_t, found=Match)
cdef Match _denied_verb(
    Words sentence, Py_ssize_t at, unsigned long long preposition, Pattern pattern
)


@cython.locals(lists=cython.ulonglong, found=Match)
cdef Match _begun(Words sentence, Py_ssize_t at)


cdef Match _begun_and_ended(
    Words sentence, Py_ssize_t at, Pattern pattern, Py_ssize_t end
)


cdef Match _ended(Match found, Pattern pattern, Py_ssize_t end)


@cython.locals(lists=cython.ulonglong)
cdef bint _may_stand_in(Words sentence, Py_ssize_t at) except -1
