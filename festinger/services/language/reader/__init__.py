"""A language model reads what people said while nobody waits for it."""
