"""Lines of the index that are read from the database."""
