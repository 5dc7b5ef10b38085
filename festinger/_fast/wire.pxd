"""The bytes of a message, for those who write one in C."""


cdef class Wire:
    cdef char* at
    cdef Py_ssize_t used
    cdef Py_ssize_t room

    cdef int need(self, Py_ssize_t more) except -1
    cdef int put(self, int tag, const char* data, Py_ssize_t length) except -1
    cpdef int text(self, int tag, object text) except -1
    cpdef int data(self, int tag, bytes data) except -1
    cpdef int digest(self, int tag, object text) except -1
    cpdef int number(self, int tag, long long value) except -1
    cpdef int double(self, int tag, double value) except -1
    cpdef int raw(self, bytes data) except -1
    cpdef int lines(self, int tag, tuple form, object lines) except -1
    cpdef int line(self, int tag, tuple form, object line) except -1
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
    ) except -1
    cdef int put_digest(self, int tag, const char* text, Py_ssize_t length) except -1
    cpdef Py_ssize_t begin(self, int tag) except -1
    cpdef int end(self, Py_ssize_t begun) except -1
    cpdef bytes message(self)
