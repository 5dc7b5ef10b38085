"""Lines that are read from the database."""
