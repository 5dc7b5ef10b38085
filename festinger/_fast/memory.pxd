"""What `memory.h` gives to the tables: memory in cache lines and huge pages."""


cdef extern from "memory.h" nogil:
    void *memory_take(size_t size) noexcept
    void memory_settle(void *memory, size_t size) noexcept


cdef inline int no_memory() except -1 nogil:
    with gil:
        raise MemoryError
