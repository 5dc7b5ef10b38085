"""A real Postgres in the data directory, for people who have none (A3).

binaries.py    where PostgreSQL's programs are, and of which version
place.py       where the cluster and its socket lie, and whose they are
locks.py       who uses the server, and whether a process of it is left
processes.py   starting programs as another user, and finding a server's processes
cluster.py     making a cluster, launching a server on it, reading what it left
supervisor.py  `EmbeddedPostgres`: a Postgres that lives while somebody holds it
"""

from __future__ import annotations

from festinger.store.embedded.supervisor import EmbeddedPostgres

__all__ = ["EmbeddedPostgres"]
