"""A shared memory for LLM agents that cannot hold a contradiction."""
