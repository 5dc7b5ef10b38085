"""The console at /admin, and the JSON routes of the facade, in the shim's process.

    request ──▶ access ───▶ console ──▶ overview, review, claims, conflicts, candidates,
                (who asks)  (routes)    concepts, state, live, settings ──▶ pages ──▶ HTML
                                  └──▶ facade ──▶ endpoints ──▶ JSON
                                         │
                                       server ──▶ the memory server, over gRPC

It renders on the server, needs no script to read or to decide, and asks as the operator,
with the token of the data directory.
"""

from __future__ import annotations

from festinger.console.console import Console

__all__ = ["Console"]
