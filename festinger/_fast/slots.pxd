"""What `slots.h` gives to the modules: the slots of a table."""

from libc.stdint cimport uint32_t, uint64_t


cdef extern from "slots.h" nogil:
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
