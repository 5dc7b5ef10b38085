"""Loading of memories, and commits of batches."""
