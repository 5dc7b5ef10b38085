"""Types of `behind`, where it is compiled."""

cimport cython

from festinger._fast.sentences cimport Sentence as Words
from festinger.core.language.cues.patterns cimport Match as Cue
from festinger.core.language.cues.patterns cimport Pattern
from festinger.core.language.cues.phrases cimport Phrase as Noun
from festinger.core.language.cues.subjects cimport Subject as Name

# Constants of Python's, as C has them.
cdef int _GENERIC, COLON, COMMA, DASH, OPEN, PLAIN, POSSESSIVE
cdef unsigned long long AND, AS, ASIDES, BUT, DENIALS, FINITE_VERBS, HEDGES_BEHIND, IN
cdef unsigned long long NO, OR, PARTICIPLE_PREPOSITIONS
cdef Pattern _THE


@cython.locals(
    lists=cython.ulonglong, gap=int, at=Py_ssize_t, defines=bint, denies=bint,
    hedges=bint,
)
cpdef str behind(Words sentence, Cue match, Name subject, Noun phrase)


@cython.locals(word=str, gap=int, apart=bint, more=bint)
cdef bint _takes_back(Words sentence, Py_ssize_t at) except -1


cdef bint _ends_at(Words sentence, Py_ssize_t at) except -1


cdef bint _closes(Words sentence, Py_ssize_t at) except -1


@cython.locals(start=Py_ssize_t)
cdef bint _is_aside(Words sentence, Py_ssize_t first, Py_ssize_t at) except -1


cdef bint _is_as_far_as(Words sentence, Py_ssize_t at) except -1


@cython.locals(end=Py_ssize_t)
cdef bint _begins_clause(Words sentence, Py_ssize_t at) except -1
