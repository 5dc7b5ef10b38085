"""The index of lines: full-text search over everything that a prompt may contain."""
