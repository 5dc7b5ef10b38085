"""Use cases: load, decide in the core, save; one package for each subject.

Whatever reads or writes the database may raise `DatabaseUnavailable`, or `Overloaded`
if the server is stopping or has too much to do.
"""
