"""Load a memory, and commit what a batch writes."""
