"""Commands for what the memory may tell."""
