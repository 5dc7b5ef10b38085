"""What operators see of a memory server, in the text format of Prometheus.

No counter is kept here: the numbers are read where they are when somebody asks.
"""
