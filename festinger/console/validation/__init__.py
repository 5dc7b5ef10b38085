"""Pages and JSON paths of validation: curation, answers and metrics."""
