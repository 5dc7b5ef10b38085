"""What of a text is prose, for the walk over it."""


cpdef str readable(str text, list near=*, bint fenced=*)
