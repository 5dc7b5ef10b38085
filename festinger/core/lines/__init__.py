"""The index of lines: everything that a prompt may be told, found by its words."""
