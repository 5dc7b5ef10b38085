"""Types of `rules`, where it is compiled."""

cimport cython

from festinger._fast.sentences cimport Sentence as Words
from festinger.core.language.cues.behind cimport behind
from festinger.core.language.cues.patterns cimport Match as Cue
from festinger.core.language.cues.patterns cimport Pattern
from festinger.core.language.cues.phrases cimport Phrase as Noun
from festinger.core.language.cues.phrases cimport (
    has_form_of_name,
    is_adjective,
    is_compound_at,
    is_cut_off,
)
from festinger.core.language.cues.subjects cimport Subject as Name

# Constants of Python's, as C has them.
cdef int _START, _OPENED, _CLAUSE, _FRONTED, _LABEL, _THAT, _NAME, _WORD, _GENERIC
cdef int CAPITAL, CLOSED, COMMA, DASH, OPEN, PLAIN, POSSESSIVE, QUOTED
cdef double KEYWORD, LABEL
cdef unsigned long long AND, AS, AUXILIARIES, BUT, CLAUSE_JOINS, CONDITIONALS
cdef unsigned long long DENIALS, ENDS_IN_LY, ENDS_PHRASE, FACTIVES, FALSE_LABELS
cdef unsigned long long FINITE_VERBS, HEDGES, HYPHENATED
cdef unsigned long long INSTRUCTIONS, LABELS, MODALS, NO, NOTATION_NOISE, OBJECTS
cdef unsigned long long OPENERS, POINTERS, PRIVATIVES, QUANTITIES, UNFACTIVES, VAGUE
cdef unsigned long long VAGUE_WHOLES, WH_WORDS
cdef Pattern _KIND_OF, _THE
cdef tuple _ADJECTIVE_ENDINGS, _ORDINAL_ENDINGS, _PRIVATIVE_BEGINNINGS


@cython.locals(subject=Name, phrase=Noun)
cpdef str reason_to_drop(Words sentence, Cue match, object lexicon)


@cython.locals(subject=Name, reason=str, other=str)
cpdef str doubt(Words sentence, Cue match, object lexicon)


@cython.locals(
    first=Py_ssize_t, end=Py_ssize_t, left=cython.ulonglong, begins=cython.ulonglong,
    known=bint, instructs=bint,
)
cdef str _before(Words sentence, Name subject)


@cython.locals(before=list, at=Py_ssize_t)
cdef bint _is_known(Words sentence, Py_ssize_t first, Py_ssize_t end) except -1


@cython.locals(before=list, lists=cython.ulonglong, at=Py_ssize_t)
cdef bint _is_wanted(Words sentence, Py_ssize_t first, Py_ssize_t end) except -1


@cython.locals(before=cython.ulonglong)
cdef bint _is_own_clause(Words sentence, Name subject) except -1


@cython.locals(aside=cython.ulonglong)
cdef str _beside(Words sentence, Cue match, Name subject)


@cython.locals(edge=int)
cdef str _subject(Words sentence, Name subject)


@cython.locals(before=Py_ssize_t, joins=bint)
cdef bint _joins_clauses(Words sentence, Name subject) except -1


@cython.locals(lists=cython.ulonglong, pattern=Pattern)
cdef str _parent(Words sentence, Cue match, Noun phrase, object lexicon)


cdef bint _is_ordinal(str name) except -1


@cython.locals(lists=cython.ulonglong, at=Py_ssize_t)
cdef bint _is_privative(Words sentence, Noun phrase) except -1


@cython.locals(at=Py_ssize_t)
cdef bint _has_possessive(
    Words sentence, Py_ssize_t first, Py_ssize_t last
) except -1


@cython.locals(pattern=Pattern, edge=int, named=bint, begins=bint)
cdef str _label_line(Words sentence, Cue match, Name subject, Noun phrase)


@cython.locals(edge=int, end=Py_ssize_t, begins=cython.ulonglong, greeted=bint)
cdef str _doubt_of_edge(Words sentence, Name subject)


@cython.locals(at=Py_ssize_t)
cdef bint _are_labels(Words sentence, Py_ssize_t end) except -1


@cython.locals(pattern=Pattern, head=Py_ssize_t, alone=bint)
cdef str _doubt_of_parent(
    Words sentence, Cue match, Noun phrase, object lexicon
)


@cython.locals(at=Py_ssize_t)
cdef bint _is_restricted(Words sentence, Noun phrase) except -1


@cython.locals(at=Py_ssize_t, end=Py_ssize_t, count=Py_ssize_t)
cdef bint _goes_on(Words sentence, Noun phrase) except -1
