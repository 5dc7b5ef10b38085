"""The hot path, compiled: one extension of included files (J14).

A part uses names of those before it. What Python sees is in `native.pyi`.
"""

cimport cython
from cpython.long cimport PyLong_FromLongLong
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.object cimport PyObject, PyTypeObject
from cpython.ref cimport Py_CLEAR, Py_INCREF
from cpython.tuple cimport PyTuple_SET_ITEM
from cpython.unicode cimport PyUnicode_DecodeUTF8, PyUnicode_FromKindAndData
from libc.math cimport INFINITY, log, log10, lround, pow, sqrt
from libc.stdint cimport (
    INT64_MAX, INT64_MIN, UINT32_MAX, int8_t, int16_t, int32_t, int64_t, uint8_t,
    uint16_t, uint32_t, uint64_t,
)
from libc.stdlib cimport abs, calloc, free, malloc, qsort, realloc
from libc.string cimport memchr, memcmp, memcpy, memset

import re
import unicodedata
from collections.abc import Sequence

from festinger._fast import alphabet, kinds, values, words
from festinger._fast.kinds import check
from festinger._fast.values import (
    HINT, LENGTH_MEAN, LOOKED_FOR_MAX, PLACE, PLAIN_LETTERS_MAX, POSTINGS_READ_MAX,
    QUERY_TERMS_MAX, SATURATION, SEED, VECTOR_WIDTH_MAX, WEIGHT_UNIT, Edge,
    GraphLineKind, GraphLines, Line, VocabularyEntry, VocabularyLookup,
)

cdef extern from "Python.h":
    const char* PyUnicode_AsUTF8AndSize(object text, Py_ssize_t* size) except NULL
    bint PyUnicode_IS_ASCII(object text)
    bint PyUnicode_IS_COMPACT_ASCII(object text)
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    str PyUnicode_New(Py_ssize_t length, Py_UCS4 largest)
    bint Py_UNICODE_ISALNUM(Py_UCS4 character) nogil
    bint Py_UNICODE_ISSPACE(Py_UCS4 character) nogil
    long long PyLong_AsLongLongAndOverflow(object number, int* overflow) except? -1
    object PyType_GenericAlloc(PyTypeObject* cls, Py_ssize_t count)

# ---- hash ----
#
# What `hash.h` gives to the modules: keys and hashes.


cdef extern from "hashing.h" nogil:
    enum:
        KEY_BYTES

    uint64_t load64_ordered(const char *bytes) noexcept
    uint64_t hash_pair(uint64_t a, uint64_t b, uint64_t secret) noexcept
    uint64_t hash_key(
        const char *data, size_t length, const uint64_t *key, uint64_t secret
    ) noexcept
    void key_of(const char *data, size_t length, uint64_t *key) noexcept
    void key_of_padded(const char *data, size_t length, uint64_t *key) noexcept
    void memory_prefetch(const void *address) noexcept


# ---- slots of tables ----


cdef extern from "hashing.h" nogil:
    const uint32_t SLOT_NONE

    ctypedef struct Slots:
        size_t mask
        size_t used
        uint64_t *slots

    int slots_open(Slots *table) noexcept
    void slots_close(Slots *table) noexcept
    size_t slots_nbytes(const Slots *table) noexcept
    void slots_settle(const Slots *table) noexcept
    uint32_t slot_tag(uint64_t hash) noexcept
    const uint64_t *slots_home(const Slots *table, uint32_t tag) noexcept
    uint32_t slots_next(const Slots *table, uint32_t tag, size_t *at) noexcept
    int slots_reserve(Slots *table, size_t more) noexcept
    void slots_insert(Slots *table, uint32_t tag, uint32_t number) noexcept
    void slots_renumber(
        Slots *table, uint32_t tag, uint32_t from_, uint32_t to
    ) noexcept
    void slots_remove(Slots *table, uint32_t tag, uint32_t number) noexcept


# ---- memory ----
#
# In cache lines and huge pages.


cdef extern from "hashing.h" nogil:
    void *memory_take(size_t size) noexcept
    void memory_settle(void *memory, size_t size) noexcept


cdef inline int no_memory() except -1 nogil:
    with gil:
        raise MemoryError


# ---- bits ----
#
# By their numbers, in words of 64.


cdef inline bint has_bit(const uint64_t* bits, size_t number) noexcept nogil:
    return bits[number >> 6] >> (number & 63) & 1


cdef inline void set_bit(uint64_t* bits, size_t number) noexcept nogil:
    bits[number >> 6] |= <uint64_t>1 << (number & 63)


# ---- UTF-8 ----
#
# Python's strings as UTF-8, and its check.


cdef extern from "text.h" nogil:
    uint8_t *utf8_put(uint8_t *to, uint32_t point) noexcept
    uint32_t string_at(const void *data, int size, size_t at) noexcept
    size_t utf8_copy(
        const void *data, int size, size_t at, size_t length, uint8_t **to
    ) noexcept
    bint utf8_is_valid(const uint8_t *data, size_t length) noexcept


# ---- named tuples ----
#
# Made as their own __new__ does in the end: a call takes five times as long.


cdef inline object new_named(type cls, Py_ssize_t count):
    """One whose fields are still to be filled."""
    return PyType_GenericAlloc(<PyTypeObject*>cls, count)


cdef inline void fill(object named, Py_ssize_t at, object item) noexcept:
    Py_INCREF(item)
    PyTuple_SET_ITEM(named, at, item)


include "tokenizer.pxi"
include "scan.pxi"
include "prose.pxi"
include "sentences.pxi"
include "cues.pxi"
include "vocabulary.pxi"
include "graph.pxi"
include "loader.pxi"
include "recall.pxi"
include "postings.pxi"
include "vectors.pxi"
