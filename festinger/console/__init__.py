"""The console at /admin, and the JSON routes of the facade, in the shim's process.

    request ──▶ access ───▶ console ──▶ overview, review, records, conflicts, candidates,
                (who asks)  (routes)    concepts, state, live, settings ──▶ pages ──▶ HTML
                                  └──▶ facade ──▶ endpoints ──▶ JSON
                                         │
                                       server ──▶ the memory server, over gRPC

Pages are rendered on the server and need no script to read or to decide. Calls carry
the operator's token of the data directory.
"""

from __future__ import annotations

from festinger.console.console import Console

__all__ = ["Console"]
