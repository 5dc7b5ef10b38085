"""Facts, and the outcomes of statements.

Pure: no await, no clock, no driver, no logger. Everything here takes values and
returns values, so that it can be tried without a database. Times are seconds since the
epoch unless they are said to be something else.
"""
