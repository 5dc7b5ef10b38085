"""Types of `patterns`, where it is compiled."""

cimport cython

from festinger.core.cues.sentences cimport Sentence as Words

# Constants of Python's, as C has them.
cdef int PLAIN
cdef frozenset ABBREVIATIONS, ADVERBS, CLAUSE_JOINS, GENERA, HALF_DENIALS, HEDGES
cdef frozenset NEGATIONS, OPENING, POINTERS, SOFTENERS


cdef class Match:
    cdef readonly object pattern
    cdef readonly Py_ssize_t start
    cdef readonly Py_ssize_t end
    cdef readonly bint negated
    cdef readonly bint softened


@cython.locals(word=str, preposition=str, start=Py_ssize_t)
cpdef Match match_at(Words sentence, Py_ssize_t at)


@cython.locals(words=list, word=str, i=Py_ssize_t, start=Py_ssize_t, end=Py_ssize_t)
cdef Match _copula(Words sentence, Py_ssize_t at)


@cython.locals(words=list, gaps=list, word=str, head=str)
cdef tuple _behind_copula(Words sentence, Py_ssize_t i)


@cython.locals(start=Py_ssize_t, end=Py_ssize_t, written=str)
cdef Match _keyword(Words sentence, Py_ssize_t at)


@cython.locals(start=Py_ssize_t, end=Py_ssize_t)
cdef Match _verb(Words sentence, Py_ssize_t at, str name, str preposition)


@cython.locals(words=list, start=Py_ssize_t)
cdef Match _denied_verb(Words sentence, Py_ssize_t at, str name, str preposition)


@cython.locals(words=list, gaps=list, word=str, negated=bint, softened=bint)
cdef tuple _before(Words sentence, Py_ssize_t at)


cdef bint _may_stand_in(str word) except -1
