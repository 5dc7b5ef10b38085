"""Words that underscores emphasise, for the walk over a text."""


cpdef str unemphasised(str text)
