"""The in-memory state of one tenant, and drafts of the changes of a batch."""
