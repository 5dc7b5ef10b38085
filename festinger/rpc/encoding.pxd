"""Types of `encoding`, where it is compiled."""

cimport cython

# Constants of Python's, as C has them.
cdef unsigned long long _INT64_MASK
cdef tuple _BYTES
cdef dict _HEADS, _KINDS, _POSITIONS, _SOURCES, _VERDICTS
cdef bytes _ANSWERED, _BLOCK, _CHANGED_LINE, _CHANGES, _CONCEPT, _CONFIDENCE
cdef bytes _CONFLICT_ID, _CONTESTED, _DIGEST, _EDGE, _EDGE_ASSERTION_ID, _EDGE_CONCEPT
cdef bytes _EDGE_DIMENSION, _EDGE_IS_ISA, _EDGE_PARENT, _FACTOID_ID, _ID
cdef bytes _LAST_CONFIRM_TIME, _LINES, _MESSAGE, _NANOS, _NEGATED
cdef bytes _OUTCOMES, _OUTCOME_ASSERTION_ID, _REASON, _SECONDS, _STALE, _TEXT
cdef bytes _TOLD_INDEX, _TRIPLE, _TRIPLE_CONCEPT, _TRIPLE_DIMENSION, _TRIPLE_IS_ISA
cdef bytes _TRIPLE_PARENT, _TRUE, _VERSION, _WHY


@cython.locals(rest=cython.ulonglong, written=bytearray)
cdef bytes _number(object value)


@cython.locals(lines=list, outcomes=list, parts=list)
cpdef bytes encode_response(object recollection, bint stale)


@cython.locals(parts=list)
cpdef bytes encode_answer(object number, bytes response)


@cython.locals(known=tuple, parts=list)
cdef bytes _line(object line)


@cython.locals(parts=list, head=bytes)
cdef bytes _head(object line)


@cython.locals(parts=list)
cdef bytes _change(object change)


@cython.locals(parts=list)
cdef bytes _outcome(object outcome)


@cython.locals(parts=list)
cdef bytes _triple(object triple)


@cython.locals(parts=list)
cdef bytes _edge(object fact)


@cython.locals(parts=list)
cdef bytes _time(double seconds)


cdef int _put(list parts, bytes tag, bytes value) except -1


cdef int _put_text(list parts, bytes tag, object text) except -1


cdef int _put_number(list parts, bytes tag, object value) except -1
