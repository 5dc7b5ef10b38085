"""Types of `encoding`, where it is compiled."""

cimport cython

from festinger._fast.wire cimport Wire as Writing

# Constants of Python's, as C has them.
cdef dict _POSITIONS, _SOURCES, _VERDICTS
cdef tuple _LINE_FORM
cdef int _ANSWERED, _BLOCK, _CHANGED_LINE, _CHANGES, _CONFIDENCE, _CONFLICT_ID
cdef int _EDGE, _EDGE_ASSERTION_ID, _EDGE_CONCEPT
cdef int _EDGE_DIMENSION, _EDGE_PARENT, _CANDIDATE_ID, _ID, _LAST_CONFIRM_TIME, _LINES
cdef int _MESSAGE, _NANOS, _OUTCOMES, _OUTCOME_ASSERTION_ID, _REASON, _SECONDS
cdef int _TOLD_INDEX, _TRIPLE, _TRIPLE_CONCEPT, _TRIPLE_DIMENSION, _TRIPLE_PARENT
cdef int _VERSION
cdef bytes _BELIEF, _CONTESTED, _EDGE_IS_ISA, _NEGATED, _STALE, _TRIPLE_IS_ISA


@cython.locals(lines=object, outcomes=list, wire=Writing)
cpdef bytes encode_response(object recollection, bint stale)


@cython.locals(wire=Writing)
cpdef bytes encode_answer(object number, bytes response)


@cython.locals(begun=Py_ssize_t)
cdef int _put_change(Writing wire, int tag, object change) except -1


@cython.locals(begun=Py_ssize_t)
cdef int _put_outcome(Writing wire, int tag, object outcome) except -1


@cython.locals(begun=Py_ssize_t)
cdef int _put_triple(Writing wire, int tag, object triple) except -1


@cython.locals(begun=Py_ssize_t)
cdef int _put_edge(Writing wire, int tag, object fact) except -1


@cython.locals(begun=Py_ssize_t)
cdef int _put_time(Writing wire, int tag, double seconds) except -1
