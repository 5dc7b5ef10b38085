"""Where a fact comes from, as a page."""
