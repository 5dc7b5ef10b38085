"""Pages and JSON handlers of concepts, conflicts and predicates."""
