"""Reading of conversations by the agents' own model while it is idle."""
