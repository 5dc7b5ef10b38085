"""Types of `subjects`, where it is compiled."""

cimport cython

from festinger.core.cues.sentences cimport Sentence as Words

# Constants of Python's, as C has them.
cdef object _START, _OPENED, _CLAUSE, _FRONTED, _LABEL, _THAT, _NAME, _WORD, _GENERIC
cdef int CAPITAL, CLOSE, CLOSED, COLON, COMMA, COMPOUND, CONCEPT, DASH, ODD, OPEN
cdef int PLAIN, POSSESSIVE, QUOTED, WRAP
cdef frozenset ADJECTIVES, CLAUSE_JOINS, DETERMINERS, NO_FIRST_WORDS, NO_SUBJECTS
cdef frozenset OPENING, POINTERS


cdef class Subject:
    cdef readonly str name
    cdef readonly object kind
    cdef readonly object edge
    cdef readonly Py_ssize_t start
    cdef readonly Py_ssize_t end
    cdef readonly bint definite
    cdef readonly bint quoted
    cdef readonly bint wrapped


@cython.locals(
    words=list, gaps=list, determiner=str, before=str, end=Py_ssize_t,
    start=Py_ssize_t, first=Py_ssize_t,
)
cpdef Subject read_subject(Words sentence, Py_ssize_t cue, object lexicon)


@cython.locals(words=list, name=str, opened=str, nobody=bint)
cdef Subject _subject(
    Words sentence,
    Py_ssize_t first,
    Py_ssize_t start,
    Py_ssize_t end,
    str determiner,
    object edge,
    object lexicon,
)


@cython.locals(first=str)
cdef object _kind(
    Words sentence,
    Py_ssize_t start,
    Py_ssize_t end,
    str name,
    str determiner,
    object lexicon,
)


@cython.locals(flags=long)
cdef object _definite_kind(
    Words sentence, Py_ssize_t start, Py_ssize_t end, str name, object lexicon
)


@cython.locals(gaps=list, end=Py_ssize_t, alias=Py_ssize_t, depth=long)
cdef Py_ssize_t _end_of_subject(Words sentence, Py_ssize_t cue) except -1


@cython.locals(words=list, gaps=list, start=Py_ssize_t, at=Py_ssize_t)
cdef Py_ssize_t _end_before_apposition(Words sentence, Py_ssize_t cue) except -1


@cython.locals(words=list, gaps=list, flags=list, end=Py_ssize_t)
cdef Py_ssize_t _end_of_leading_phrase(
    Words sentence, Py_ssize_t start, Py_ssize_t cue
) except -1


@cython.locals(words=list, flags=list, start=Py_ssize_t)
cdef Py_ssize_t _start_of_alias(Words sentence, Py_ssize_t end) except -1


@cython.locals(words=list, gaps=list, flags=list, start=Py_ssize_t)
cdef Py_ssize_t _start_of_words(Words sentence, Py_ssize_t end) except -1


@cython.locals(
    words=list, flags=list, middle=Py_ssize_t, first=Py_ssize_t, is_name=bint,
    is_as=bint,
)
cdef Subject _joined_by_preposition(
    Words sentence, Py_ssize_t start, Py_ssize_t end, object lexicon
)


@cython.locals(end=Py_ssize_t, first=Py_ssize_t)
cpdef Subject read_as_a_service(Words sentence, Py_ssize_t cue)


@cython.locals(name=str, start=Py_ssize_t)
cdef Subject _with_preposition(Words sentence, Py_ssize_t first, Py_ssize_t end)


@cython.locals(words=list, gaps=list, gap=long)
cdef object _edge(Words sentence, Py_ssize_t first)


cdef str _joined(list words)


@cython.locals(at=Py_ssize_t)
cdef bint _are_concepts(Words sentence, Py_ssize_t start, Py_ssize_t end) except -1


cdef str _without_opening(str name)


@cython.locals(at=Py_ssize_t)
cdef bint _all_opening(list words, Py_ssize_t end) except -1
