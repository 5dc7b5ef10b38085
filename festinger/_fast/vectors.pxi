"""Embeddings of short lines, compared with that of a prompt."""

# ---- Vectors ----
#
# A vector is of signed bytes and of any length greater than zero: only its direction
# counts. A row is a vector's place; an empty one has a norm of zero.


cdef inline const int8_t* _values_of(bytes vector):
    return <const int8_t*> <const char*> vector


@cython.final
cdef class Vectors:
    """Vectors of one model, by row.

    Only one thread may touch it.
    """

    cdef int8_t* _values
    cdef float* _norms
    cdef float* _cosines
    cdef uint32_t _width
    cdef uint32_t _size
    cdef uint32_t _capacity
    cdef uint32_t _held

    def __cinit__(self, uint32_t width):
        if not 0 < width <= VECTOR_WIDTH_MAX:
            raise ValueError(f"a vector has 1 to {VECTOR_WIDTH_MAX} values")
        self._width = width

    def __dealloc__(self):
        free(self._values)
        free(self._norms)
        free(self._cosines)

    def __len__(self):
        """Return the number of vectors that are held."""
        return self._held

    @property
    def width(self):
        """The number of values of each vector."""
        return self._width

    @property
    def nbytes(self):
        """Bytes that the vectors take."""
        return <size_t> self._capacity * (self._width + 2 * sizeof(float))

    def put(self, bytes vector not None):
        """Add a vector and return its row.

        Raises:
            ValueError: It is of another width, or zero.
        """
        cdef float norm = self._norm(vector)
        cdef uint32_t row = self._size
        if row == self._capacity:
            self._grow()
        memcpy(
            self._values + <size_t> row * self._width, _values_of(vector), self._width
        )
        self._norms[row] = norm
        self._cosines[row] = 0
        self._size += 1
        self._held += 1
        return row

    def drop(self, uint32_t row):
        """Overwrite a vector, so that nothing of it is left."""
        if row < self._size and self._norms[row] > 0:
            memset(self._values + <size_t> row * self._width, 0, self._width)
            self._norms[row] = 0
            self._cosines[row] = 0
            self._held -= 1

    def compare(self, bytes vector not None):
        """Compute the cosine of each vector with another (`cosine`, `nearest`).

        Raises:
            ValueError: It is of another width, or zero.
        """
        cdef float norm = self._norm(vector)
        cdef uint32_t row
        for row in range(self._size):
            if self._norms[row] > 0:
                self._cosines[row] = self._dot(
                    self._values + <size_t> row * self._width, _values_of(vector)
                ) / (self._norms[row] * norm)

    def cosine(self, uint32_t row):
        """Return the cosine of a vector with the one that was compared last."""
        return self._cosines[row] if row < self._size else 0.0

    def nearest(self, uint32_t most):
        """Return the rows with the greatest such cosines, greatest first."""
        cdef list best = []
        cdef uint32_t row
        cdef float least = -2
        for row in range(self._size):
            if self._norms[row] > 0 and self._cosines[row] > least:
                best.append((-self._cosines[row], row))
                if len(best) >= 4 * most:
                    best = sorted(best)[:most]
                    least = -best[most - 1][0] if most else 2
        return [row for _, row in sorted(best)[:most]]

    cdef float _dot(self, const int8_t* one, const int8_t* other) noexcept nogil:
        cdef int32_t total = 0
        cdef int i
        cdef int width = <int> self._width
        for i in range(width):
            total += <int32_t> one[i] * <int32_t> other[i]
        return <float> total

    cdef float _norm(self, bytes vector) except -1:
        if len(vector) != self._width:
            raise ValueError(f"a vector has {self._width} values here")
        cdef float norm = sqrt(self._dot(_values_of(vector), _values_of(vector)))
        if norm == 0:
            raise ValueError("a vector is not zero")
        return norm

    cdef int _grow(self) except -1:
        cdef uint32_t capacity = max(64, self._capacity + (self._capacity >> 1))
        cdef void* memory = realloc(self._values, <size_t> capacity * self._width)
        if memory == NULL:
            raise MemoryError
        self._values = <int8_t*> memory
        memory = realloc(self._norms, capacity * sizeof(float))
        if memory == NULL:
            raise MemoryError
        self._norms = <float*> memory
        memory = realloc(self._cosines, capacity * sizeof(float))
        if memory == NULL:
            raise MemoryError
        self._cosines = <float*> memory
        self._capacity = capacity
        return 0


def sum_of_rows(bytes table not None, uint32_t width, list rows not None):
    """Return the sum of rows of a table, scaled to the range of signed bytes.

    Args:
        table: Rows of signed bytes, one after the other.
        width: Number of values of a row.
        rows: Indexes of the rows.

    Returns:
        As many signed bytes, the largest 127; nothing if the sum is zero.

    Raises:
        ValueError: A row is not in the table, or `width` is too large.
    """
    cdef const int8_t* values = _values_of(table)
    cdef Py_ssize_t row
    cdef int32_t largest = 0
    cdef uint32_t at
    cdef int32_t* sums
    if not 0 < width <= VECTOR_WIDTH_MAX:
        raise ValueError(f"a vector has 1 to {VECTOR_WIDTH_MAX} values")
    sums = <int32_t*> calloc(width, sizeof(int32_t))
    if sums == NULL:
        raise MemoryError
    try:
        for row in rows:
            if not 0 <= row < len(table) // width:
                raise ValueError(f"row {row} is not in the table")
            for at in range(width):
                sums[at] += values[row * width + at]
        for at in range(width):
            largest = max(largest, abs(sums[at]))
        if largest == 0:
            return b""
        return bytes([
            lround(127.0 * sums[at] / largest) & 0xFF for at in range(width)
        ])
    finally:
        free(sums)
