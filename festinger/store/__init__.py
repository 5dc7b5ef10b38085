"""Storage of the memories in Postgres.

Whatever asks the database may raise `DatabaseUnavailable`, or `Overloaded` if no
connection is free.
"""
