"""Start, check and set up."""
