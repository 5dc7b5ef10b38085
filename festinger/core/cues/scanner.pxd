"""Types of `scanner`, where it is compiled."""

cimport cython

from festinger._fast.scanner cimport Scan as Tokens
from festinger._fast.sentences cimport Sentence as Words
from festinger._fast.sentences cimport SentenceReader as Reader
from festinger.core.cues.patterns cimport Match as Found
from festinger.core.cues.patterns cimport Pattern
from festinger.core.cues.phrases cimport Phrase as Noun
from festinger.core.cues.phrases cimport (
    read_phrase,
    without_emphasis,
)
from festinger.core.cues.rules cimport doubt, reason_to_drop
from festinger.core.cues.subjects cimport Subject as Name
from festinger.core.cues.subjects cimport read_subject

# Constants of Python's, as C has them.
cdef object _START, _HELD, _CANDIDATE, _DROPPED
cdef int CONCEPT, CUE, PLAIN, RENDERED_CHARACTERS_MAX, SENTENCE_CHARACTERS_MAX
cdef unsigned long long AND, IN, MEMBER_HEADS, OF, RELATIONAL, THE, TRANSPARENT
cdef double CANDIDATE_MIN, COPULA, DROPPED, HELD_MIN, KEYWORD
cdef frozenset _SEEDED


cdef object _verdict(double confidence)


cdef class _Statement:
    cdef Found match
    cdef Pattern pattern
    cdef Name subject
    cdef Noun phrase


@cython.locals(
    text=str, leads=list, hopes=list, end=Py_ssize_t, reader=Reader, found=list,
    near=list, prose=str, done=Py_ssize_t, hope=Py_ssize_t, lead=Py_ssize_t,
    first=Py_ssize_t,
)
cpdef list find_cues(Tokens scan, object lexicon)


@cython.locals(
    match=Found, statement=_Statement, previous=_Statement, at=Py_ssize_t,
    stated=tuple, done=Py_ssize_t, matches=int,
)
cdef list _cues_of(Words sentence, str text, object lexicon)


@cython.locals(subject=Name, phrase=Noun, found=_Statement)
cdef _Statement _read(
    Words sentence, Found match, _Statement previous, object lexicon
)


cdef Name _same_subject(Words sentence, Found match, _Statement previous)


@cython.locals(
    match=Found, subject=Name, phrase=Noun, reason=str, prior=double, most=double
)
cdef tuple _judge(Words sentence, _Statement statement)


@cython.locals(
    pattern=Pattern, phrase=Noun, concept=str, whole=str, context=str, dimension=str,
    negated=bint, member=bint, stated=list,
)
cdef list _stated(Words sentence, _Statement statement, object lexicon)


@cython.locals(phrase=Noun)
cdef str _named_after_of(Words sentence, Py_ssize_t at, object lexicon)


cdef str _context(Words sentence, Py_ssize_t at)


@cython.locals(first=Py_ssize_t, last=Py_ssize_t, found=tuple)
cdef object _cue(
    Words sentence,
    str text,
    _Statement statement,
    tuple stated,
    double confidence,
    str reason,
)


@cython.locals(
    phrase=Noun, pattern=Pattern, at=Py_ssize_t, last=Py_ssize_t, parent=str,
    dimension=str, named=set,
)
cdef Py_ssize_t _end(Words sentence, _Statement statement, tuple stated) except -1


@cython.locals(concept=str, parent=str, dimension=str)
cdef bint _may_be_told(tuple stated) except -1


@cython.locals(character=Py_UCS4)
cdef bint _is_name(str name) except -1
