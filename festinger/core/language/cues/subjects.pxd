"""Types of `subjects`, where it is compiled."""

cimport cython

from festinger._fast.sentences cimport Sentence as Words
from festinger.core.language.cues.phrases cimport (
    is_everyday,
    is_known,
    without_emphasis,
)

# Constants of Python's, as C has them.
cdef int _WITHIN, _START, _OPENED, _CLAUSE, _FRONTED, _LABEL, _THAT
cdef int _NOTHING, _NAME, _WORD, _GENERIC
cdef int CAPITAL, CLOSE, CLOSED, COLON, COMMA, COMPOUND, CONCEPT, DASH, ODD, OPEN
cdef int NAME_CHARACTERS_MAX, NAME_WORDS_MAX, PLAIN, POSSESSIVE, QUOTED, WRAP
cdef int _ENUMERATOR_CHARACTERS
cdef unsigned long long ADJECTIVES, AND, ARTICLES, AS, BUT, CLAUSE_JOINS, DETERMINERS
cdef unsigned long long NO_FIRST_WORDS, NO_SUBJECTS, OF, OPENING, OR, POINTERS, THAT
cdef unsigned long long THE


cdef class Subject:
    cdef readonly str name
    cdef readonly int kind
    cdef readonly int edge
    cdef readonly Py_ssize_t start
    cdef readonly Py_ssize_t end
    cdef readonly bint definite
    cdef readonly bint quoted
    cdef readonly bint wrapped


@cython.locals(
    determiner=cython.ulonglong, before=cython.ulonglong, end=Py_ssize_t,
    start=Py_ssize_t, first=Py_ssize_t, edge=int, service=Subject,
)
cpdef Subject read_subject(Words sentence, Py_ssize_t cue, object lexicon)


@cython.locals(
    word=str, name=str, opened=str, lists=cython.ulonglong, last=cython.ulonglong,
    kind=int, found=Subject,
)
cdef Subject _subject(
    Words sentence,
    Py_ssize_t first,
    Py_ssize_t start,
    Py_ssize_t end,
    unsigned long long determiner,
    int edge,
    object lexicon,
)


@cython.locals(found=Subject)
cdef Subject _named(
    str name, int kind, int edge, Py_ssize_t start, Py_ssize_t end
)


cdef int _kind(
    Words sentence,
    Py_ssize_t start,
    Py_ssize_t end,
    str name,
    unsigned long long determiner,
    object lexicon,
) except -1


@cython.locals(flags=int)
cdef int _definite_kind(
    Words sentence, Py_ssize_t start, Py_ssize_t end, str name, object lexicon
) except -1


@cython.locals(end=Py_ssize_t, alias=Py_ssize_t, depth=int, gap=int)
cdef Py_ssize_t _end_of_subject(Words sentence, Py_ssize_t cue) except -1


@cython.locals(start=Py_ssize_t, at=Py_ssize_t)
cdef Py_ssize_t _end_before_apposition(Words sentence, Py_ssize_t cue) except -1


@cython.locals(end=Py_ssize_t, lists=cython.ulonglong)
cdef Py_ssize_t _end_of_leading_phrase(
    Words sentence, Py_ssize_t start, Py_ssize_t cue
) except -1


@cython.locals(start=Py_ssize_t)
cdef Py_ssize_t _start_of_alias(Words sentence, Py_ssize_t end) except -1


@cython.locals(start=Py_ssize_t)
cdef Py_ssize_t _start_of_words(Words sentence, Py_ssize_t end) except -1


@cython.locals(middle=Py_ssize_t, first=Py_ssize_t, is_name=bint)
cdef Subject _joined_by_preposition(Words sentence, Py_ssize_t start, Py_ssize_t end)


@cython.locals(first=Py_ssize_t)
cdef Subject _as_a_service(Words sentence, Py_ssize_t end)


@cython.locals(name=str, start=Py_ssize_t, edge=int)
cdef Subject _with_preposition(Words sentence, Py_ssize_t first, Py_ssize_t end)


@cython.locals(gap=int, before=cython.ulonglong)
cdef int _edge(Words sentence, Py_ssize_t first) except -1


cdef str _joined(Words sentence, Py_ssize_t start, Py_ssize_t end)


@cython.locals(at=Py_ssize_t)
cdef bint _are_concepts(Words sentence, Py_ssize_t start, Py_ssize_t end) except -1


cdef str _without_opening(str name)


@cython.locals(at=Py_ssize_t)
cdef bint _all_opening(Words sentence, Py_ssize_t end) except -1
