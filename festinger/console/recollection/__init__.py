"""Pages of memory lines and of live prompts."""
