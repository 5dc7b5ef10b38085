"""Metrics of a memory server in the text format of Prometheus.

No counter is stored here: the values are read from their source at each request.
"""
