"""State facts over HTTP."""
