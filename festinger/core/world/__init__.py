"""Everything that one tenant's memory knows, and drafts of what a batch changes."""
