"""Commands that start, check and configure the system."""
