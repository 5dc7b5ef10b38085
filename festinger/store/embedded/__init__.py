"""A Postgres server in the data directory, for installations without one (A3).

binaries.py    finding PostgreSQL's programs and their version
place.py       the paths and the owner of a cluster and its socket
locks.py       file locks: the holders of the server, and its live processes
processes.py   starting programs as another user, and finding a server's processes
cluster.py     creating a cluster, launching a server on it, reading its state
supervisor.py  `EmbeddedPostgres`: a server that runs while a process holds it
"""

from __future__ import annotations

from festinger.store.embedded.supervisor import EmbeddedPostgres

__all__ = ["EmbeddedPostgres"]
