"""Types of `scanner`, where it is compiled."""

cimport cython

from festinger._fast.emphasis cimport unemphasised
from festinger._fast.leads cimport Leads as Finder
from festinger._fast.naming cimport filled
from festinger._fast.prose cimport readable
from festinger._fast.scanner cimport Scan as Tokens
from festinger._fast.sentences cimport Sentence as Words
from festinger._fast.sentences cimport SentenceReader as Reader
from festinger.core.language.cues.around cimport around
from festinger.core.language.cues.patterns cimport Match as Found
from festinger.core.language.cues.patterns cimport Pattern, match_at
from festinger.core.language.cues.phrases cimport Phrase as Noun
from festinger.core.language.cues.phrases cimport (
    has_form_of_name,
    read_phrase,
    without_emphasis,
)
from festinger.core.language.cues.rules cimport doubt, reason_to_drop
from festinger.core.language.cues.subjects cimport Subject as Name
from festinger.core.language.cues.subjects cimport read_subject

# Constants of Python's, as C has them.
cdef object _HELD, _CANDIDATE, _DROPPED
cdef int _START, CONCEPT, CUE, CUES_MAX, FOUND_MAX, MODIFIER_WORDS_MAX, PLAIN
cdef int RENDERED_CHARACTERS_MAX, SCANNED_CHARACTERS_MAX, SENTENCE_CHARACTERS_MAX
cdef unsigned long long AND, IN, MEMBER_HEADS, OF, RELATIONAL, THE, TRANSPARENT
cdef double CANDIDATE_MIN, CERTAIN, COPULA, DOUBTFUL, DROPPED, HELD_MIN, KEYWORD
cdef dict MOST
cdef frozenset _SEEDED
cdef str MEMBERSHIP, TYPE
cdef type Triple
cdef Finder LEADS


cdef object _verdict(double confidence)


@cython.locals(
    text=str, leads=list, hopes=list, end=Py_ssize_t, reader=Reader, found=list,
    near=list, prose=str, done=Py_ssize_t, hope=Py_ssize_t, hoped=Py_ssize_t,
    lead=Py_ssize_t, first=Py_ssize_t,
)
cpdef list find_cues(Tokens scan, object lexicon)


cdef object _without_marks(Tokens scan)


@cython.locals(
    match=Found, previous=Found, at=Py_ssize_t, done=Py_ssize_t, matches=int,
)
cdef object _add_cues(list found, Words sentence, str text, object lexicon)


@cython.locals(subject=Name, phrase=Noun)
cdef bint _read(
    Words sentence, Found match, Found previous, object lexicon
) except -1


cdef Name _same_subject(Words sentence, Found match, Found previous)


@cython.locals(
    reason=str, prior=double, most=double, taken_back=str,
)
cdef object _judge(Words sentence, Found match, object lexicon)


@cython.locals(surroundings=int, start=Py_ssize_t, end=Py_ssize_t)
cdef str _taken_back(Words sentence)


@cython.locals(
    pattern=Pattern, phrase=Noun, whole=str, context=str, dimension=str, member=bint,
    isa=bint,
)
cdef object _add(
    list found, Words sentence, str text, Found match, object lexicon
)


@cython.locals(phrase=Noun)
cdef str _named_after_of(Words sentence, Py_ssize_t at, object lexicon)


cdef str _context(Words sentence, Py_ssize_t at)


@cython.locals(subject=Name, confidence=double, reason=str, negated=bint)
cdef object _cue(
    Words sentence,
    str text,
    Found match,
    str parent,
    str dimension,
    bint is_isa,
)


@cython.locals(first=Py_ssize_t, last=Py_ssize_t)
cdef str _written(Words sentence, str text)


@cython.locals(
    phrase=Noun, pattern=Pattern, at=Py_ssize_t, last=Py_ssize_t, named=set
)
cdef Py_ssize_t _end(
    Words sentence, Found match, str parent, str dimension
) except -1


cdef bint _may_be_told(str concept, str parent, str dimension) except -1


@cython.locals(character=Py_UCS4)
cdef bint _is_name(str name) except -1
