"""State, decide, take back and look up what is held."""
