"""State, retract and look up facts, and decide conflicts."""
