"""Pages of the review of records, and of trusted state."""
