"""A message of protobuf, written field by field into one buffer, in C.

A message within a message stands behind its length, which is known last: one byte is
left for that, and where it takes more, what was written is moved.
"""

cimport cython
from cpython.bytes cimport (
    PyBytes_AS_STRING,
    PyBytes_FromStringAndSize,
    PyBytes_GET_SIZE,
)
from cpython.mem cimport PyMem_Free, PyMem_Realloc
from libc.stdint cimport uint64_t
from libc.string cimport memcpy, memmove

from festinger._fast.lines cimport Lines, Written, kind_of, why_of

cdef extern from "Python.h":
    const char* PyUnicode_AsUTF8AndSize(object text, Py_ssize_t* size) except NULL


cdef extern from "blake2b.h" nogil:
    enum:
        BLAKE2B_DIGEST

    void blake2b_digest(const char* text, size_t length, char* digest) noexcept


cdef enum:
    VARINT_BYTES_MAX = 10
    DOUBLE_BYTES = 8


cdef inline char* put_varint(char* at, uint64_t value) noexcept:
    while value >= 0x80:
        at[0] = <char>(value & 0x7F | 0x80)
        value >>= 7
        at += 1
    at[0] = <char>value
    return at + 1


@cython.final
cdef class Wire:
    """The bytes of a message, as far as it is written.

    A tag is a field's number and wire type, in one byte.
    """

    def __dealloc__(self):
        PyMem_Free(self.at)

    cdef int need(self, Py_ssize_t more) except -1:
        """Room for so many bytes, and for a tag and a length before them."""
        cdef Py_ssize_t wanted = self.used + more + 1 + VARINT_BYTES_MAX
        cdef void* grown
        if wanted <= self.room:
            return 0
        wanted += wanted // 2 + 1024
        grown = PyMem_Realloc(self.at, wanted)
        if grown == NULL:
            raise MemoryError
        self.at = <char*>grown
        self.room = wanted
        return 0

    cdef int put(self, int tag, const char* data, Py_ssize_t length) except -1:
        cdef char* at
        self.need(length)
        self.at[self.used] = <char>tag
        at = put_varint(self.at + self.used + 1, length)
        memcpy(at, data, length)
        self.used = at + length - self.at
        return 0

    cpdef int text(self, int tag, object text) except -1:
        """Add a text, an enum of strings too; an empty one is left out."""
        cdef Py_ssize_t length = 0
        cdef const char* data = PyUnicode_AsUTF8AndSize(text, &length)
        return self.put(tag, data, length) if length else 0

    cpdef int data(self, int tag, bytes data) except -1:
        """Add bytes, or a message, whether or not they are empty."""
        return self.put(tag, PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data))

    cpdef int digest(self, int tag, object text) except -1:
        """Add what a line's text is known by: `Line.digest`."""
        cdef Py_ssize_t length = 0
        cdef const char* data = PyUnicode_AsUTF8AndSize(text, &length)
        return self.put_digest(tag, data, length)

    cdef int put_digest(self, int tag, const char* text, Py_ssize_t length) except -1:
        cdef char digest[BLAKE2B_DIGEST]
        blake2b_digest(text, length, digest)
        return self.put(tag, digest, BLAKE2B_DIGEST)

    cpdef int number(self, int tag, long long value) except -1:
        """Add a whole number of 64 bits; 0 is left out."""
        cdef char* at
        if value:
            self.need(0)
            self.at[self.used] = <char>tag
            at = put_varint(self.at + self.used + 1, <uint64_t>value)
            self.used = at - self.at
        return 0

    cpdef int double(self, int tag, double value) except -1:
        """Add a number; 0.0 is left out."""
        cdef uint64_t bits
        cdef int i
        if value != 0.0:
            self.need(DOUBLE_BYTES)
            memcpy(&bits, &value, DOUBLE_BYTES)
            self.at[self.used] = <char>tag
            for i in range(DOUBLE_BYTES):
                self.at[self.used + 1 + i] = <char>(bits >> 8 * i & 0xFF)
            self.used += 1 + DOUBLE_BYTES
        return 0

    cpdef int raw(self, bytes data) except -1:
        """Add a field that is written already."""
        cdef Py_ssize_t length = PyBytes_GET_SIZE(data)
        self.need(length)
        memcpy(self.at + self.used, PyBytes_AS_STRING(data), length)
        self.used += length
        return 0

    cpdef int lines(self, int tag, tuple form, object lines) except -1:
        """Add a message for each of some lines."""
        cdef Lines ours
        cdef const Written* line
        cdef const char* text
        cdef size_t i
        if isinstance(lines, Lines):
            # They are bytes, and need not become objects for this.
            ours = <Lines>lines
            for i in range(ours.told):
                line = &ours.written[i]
                text = ours.text + line.start
                self.put_line(
                    tag,
                    form,
                    text + line.name_start,
                    line.name_length,
                    text,
                    line.length,
                    kind_of(line)._value_,
                    why_of(line),
                )
            return 0
        for each in lines:
            self.line(tag, form, each)
        return 0

    cpdef int line(self, int tag, tuple form, object line) except -1:
        """Add a message for a line."""
        cdef Py_ssize_t named = 0, length = 0
        concept, text, kind, why = line
        cdef const char* name = PyUnicode_AsUTF8AndSize(concept, &named)
        cdef const char* data = PyUnicode_AsUTF8AndSize(text, &length)
        return self.put_line(
            tag, form, name, named, data, length, kind._value_, why
        )

    cdef int put_line(
        self,
        int tag,
        tuple form,
        const char* name,
        Py_ssize_t named,
        const char* text,
        Py_ssize_t length,
        object kind,
        object why,
    ) except -1:
        """A line's message; of an empty name or text it has no field."""
        cdef int concept_tag, text_tag, digest_tag, why_tag
        cdef Py_ssize_t begun = self.begin(tag)
        concept_tag, text_tag, digest_tag, why_tag, kinds = form
        if named:
            self.put(concept_tag, name, named)
        if length:
            self.put(text_tag, text, length)
        self.put_digest(digest_tag, text, length)
        self.raw(kinds[kind])
        self.text(why_tag, why)
        return self.end(begun)

    cpdef Py_ssize_t begin(self, int tag) except -1:
        """Begin a message within this one.

        Returns:
            What `end` must be given.
        """
        self.need(0)
        self.at[self.used] = <char>tag
        self.used += 2
        return self.used

    cpdef int end(self, Py_ssize_t begun) except -1:
        """End the message that was begun last and is not ended."""
        cdef char size[VARINT_BYTES_MAX]
        cdef Py_ssize_t length = self.used - begun, more
        if not 2 <= begun <= self.used:
            raise ValueError(f"no message was begun at {begun}")
        more = put_varint(size, length) - size - 1
        if more:
            self.need(more)
            memmove(self.at + begun + more, self.at + begun, length)
        memcpy(self.at + begun - 1, size, more + 1)
        self.used += more
        return 0

    cpdef bytes message(self):
        """Return what was written."""
        return PyBytes_FromStringAndSize(self.at, self.used)
