"""Types of `rules`, where it is compiled."""

cimport cython

from festinger.core.cues.patterns cimport Match as Cue
from festinger.core.cues.phrases cimport Phrase as Noun
from festinger.core.cues.sentences cimport Sentence as Words
from festinger.core.cues.subjects cimport Subject as Name

# Constants of Python's, as C has them.
cdef object _START, _OPENED, _CLAUSE, _FRONTED, _LABEL, _THAT, _NAME, _WORD, _GENERIC
cdef int CAPITAL, CLOSED, COLON, COMMA, DASH, PLAIN, POSSESSIVE, QUOTED
cdef frozenset ASIDES, AUXILIARIES, CLAUSE_JOINS, CONDITIONALS, DENIALS, ENDS_PHRASE
cdef frozenset FACTIVES, FALSE_LABELS, FINITE_VERBS, GREETINGS, HEDGES, HEDGES_BEHIND
cdef frozenset INSTRUCTIONS, LABELS, MODALS, NOTATION_NOISE, OBJECTS, OPENERS, POINTERS
cdef frozenset PRIVATIVES, QUANTITIES, UNFACTIVES, VAGUE, VAGUE_WHOLES, WH_WORDS


cpdef str reason_to_drop(Words sentence, Cue match, Name subject, Noun phrase)


cpdef tuple doubt(Words sentence, Cue match, Name subject, Noun phrase)


@cython.locals(words=list, left=frozenset, known=bint)
cdef str _before(Words sentence, Name subject)


@cython.locals(instructs=bint)
cdef str _label(list words, frozenset left)


cdef bint _is_known(list words) except -1


@cython.locals(before=str)
cdef bint _is_own_clause(Words sentence, Name subject) except -1


cdef str _that(list words)


@cython.locals(
    words=list, gaps=list, word=str, at=Py_ssize_t, aside=bint, defines=bint
)
cdef str _behind(Words sentence, Cue match, Name subject, Noun phrase)


cdef bint _begins_clause(list words, Py_ssize_t at) except -1


@cython.locals(words=list, gaps=list, capital=long)
cdef str _subject(Words sentence, Name subject)


@cython.locals(words=list)
cdef bint _joins_clauses(Words sentence, Name subject) except -1


@cython.locals(words=list, hedges=bint)
cdef str _parent(Words sentence, Cue match, Noun phrase)


@cython.locals(word=str, at=Py_ssize_t)
cdef bint _is_privative(list words, Noun phrase) except -1


cdef bint _is_possessed(Words sentence, Noun phrase) except -1


@cython.locals(at=Py_ssize_t)
cdef bint _has_possessive(list gaps, Py_ssize_t first, Py_ssize_t last) except -1


@cython.locals(name=str, named=bint, begins=bint, ends=bint)
cdef str _label_line(Words sentence, Cue match, Name subject, Noun phrase)


@cython.locals(words=list, greeted=bint)
cdef tuple _doubt_of_edge(Words sentence, Name subject)


cdef tuple _doubt_of_parent(Words sentence, Cue match, Noun phrase)


@cython.locals(behind=list)
cdef bint _is_restricted(Words sentence, Noun phrase) except -1


@cython.locals(words=list, at=Py_ssize_t, end=Py_ssize_t, has_object=bint)
cdef bint _goes_on(Words sentence, Noun phrase) except -1
