"""Types of `scanner`, where it is compiled."""

cimport cython

from festinger.core.cues.patterns cimport Match as Found
from festinger.core.cues.phrases cimport Phrase as Noun
from festinger.core.cues.sentences cimport Sentence as Words
from festinger.core.cues.subjects cimport Subject as Name

# Constants of Python's, as C has them.
cdef object _START, _HELD, _CANDIDATE, _DROPPED
cdef int CONCEPT, SENTENCE_CHARACTERS_MAX
cdef frozenset MEMBER_HEADS, RELATIONAL, TRANSPARENT


cdef class _Statement:
    cdef Found match
    cdef object pattern
    cdef Name subject
    cdef Noun phrase


@cython.locals(match=Found, statement=_Statement, previous=_Statement)
cdef list _cues_of(Words sentence, str text, object lexicon)


@cython.locals(subject=Name, phrase=Noun)
cdef _Statement _read(
    Words sentence, Found match, _Statement previous, object lexicon
)


cdef Name _same_subject(Words sentence, Found match, _Statement previous)


@cython.locals(match=Found, subject=Name, phrase=Noun, reason=str)
cdef tuple _judge(Words sentence, _Statement statement)


@cython.locals(phrase=Noun, concept=str, whole=str, member=bint, triples=list)
cdef list _triples(Words sentence, _Statement statement, object lexicon)


@cython.locals(phrase=Noun)
cdef str _named_after(
    Words sentence, Py_ssize_t at, str preposition, object lexicon
)


cdef str _context(Words sentence, Py_ssize_t at)


@cython.locals(first=Py_ssize_t, last=Py_ssize_t)
cdef object _cue(
    Words sentence,
    str text,
    _Statement statement,
    object triple,
    double confidence,
    str reason,
)


@cython.locals(behind=list, at=Py_ssize_t, end=Py_ssize_t)
cdef Py_ssize_t _end(Words sentence, _Statement statement, object triple) except -1


cdef bint _may_be_told(object triple) except -1
