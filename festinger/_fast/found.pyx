"""What a text was found to hold: the ids of what is known, the names of what is not.

Both stay as reading has them. The ids go on to `tell`, which wants them as they are,
and the names are not needed before a prompt is answered.
"""

cimport cython
from cpython.long cimport PyLong_FromLongLong
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int64_t, uint32_t

from festinger._fast.scanner cimport Scan
from festinger._fast.slots cimport SLOT_NONE
from festinger._fast.terms cimport Term
from festinger._fast.unmade cimport Unmade

cdef extern from "Python.h":
    long long PyLong_AsLongLongAndOverflow(object number, int* overflow) except? -1


@cython.no_gc
@cython.final
cdef class Salient(Unmade):
    """Ids of concepts, and where their records were found."""

    def __dealloc__(self):
        PyMem_Free(self.ids)

    cdef list make(self):
        cdef size_t i
        return [PyLong_FromLongLong(self.ids[i]) for i in range(self.told)]

    def __len__(self):
        return self.told


@cython.no_gc
@cython.final
cdef class Strangers(Unmade):
    """Terms of a scan that nobody knows, each once. Until they are made, it stays."""

    def __dealloc__(self):
        PyMem_Free(self.terms)

    cdef list make(self):
        # A list may be what wakes the collector, and that somebody who asks as well.
        cdef Scan scan = self.scan
        cdef const Term* term
        cdef list made = []
        cdef size_t i
        # Not the scan's own strings, for which it makes room for those of all terms.
        for i in range(self.told):
            term = &scan.terms[self.terms[i]]
            made.append(
                PyUnicode_DecodeUTF8(scan.lowered + term.offset, term.length, NULL)
            )
        self.scan = None
        return made

    def __len__(self):
        return self.told


cdef Salient new_salient(size_t room):
    """Room for so many ids, and where they are, of which none is written yet."""
    cdef Salient salient = Salient.__new__(Salient)
    salient.ids = <int64_t*>PyMem_Malloc(
        max(room, <size_t>1) * (sizeof(int64_t) + sizeof(uint32_t))
    )
    if salient.ids == NULL:
        raise MemoryError
    salient.records = <uint32_t*>(salient.ids + room)
    return salient


cdef Salient salient_of(object ids):
    """Ids from Python; for one that does not fit, -1, which no token has.

    As objects they stay what they were, so that an error can name them.
    """
    cdef list made
    cdef Salient salient
    cdef int overflow = 0
    cdef size_t i
    if isinstance(ids, Salient):
        return <Salient>ids
    made = list(ids)
    salient = new_salient(len(made))
    salient.made = made
    salient.told = len(made)
    for i in range(salient.told):
        salient.records[i] = SLOT_NONE
        salient.ids[i] = PyLong_AsLongLongAndOverflow(made[i], &overflow)
    return salient


def united(found, without=()):
    """Return the ids of some sequences, in order, each once and some of them never.

    Args:
        found: Each of ids that tokens may have, none of them twice.
        without: Those that are left out.
    """
    cdef dict records = {}
    cdef Salient salient
    cdef size_t i
    if len(found) == 1 and not without:
        return found[0]
    for ids in found:
        salient = salient_of(ids)
        for i in range(salient.told):
            records.setdefault(salient.ids[i], salient.records[i])
    for id in without:
        records.pop(id, None)
    salient = new_salient(len(records))
    salient.told = len(records)
    for i, (id, record) in enumerate(records.items()):
        salient.ids[i], salient.records[i] = id, record
    return salient


cdef Strangers new_strangers(Scan scan):
    """Room for all terms of a scan, of which none is written yet."""
    cdef Strangers strangers = Strangers.__new__(Strangers)
    strangers.terms = <uint32_t*>PyMem_Malloc(scan.term_count * sizeof(uint32_t))
    if strangers.terms == NULL:
        raise MemoryError
    strangers.scan = scan
    return strangers
