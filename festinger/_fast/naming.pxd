"""Named tuples for the modules that both builds run."""


cpdef object filled(type cls, tuple fields)
