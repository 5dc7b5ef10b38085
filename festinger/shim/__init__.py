"""The Ollama-compatible proxy: forwards everything, and enriches six routes.

    request ──▶ guard ──▶ identity ──▶ enrich ────────────────────────▶ proxy ──▶ Ollama
                (Host)    (who asks)   wire      bytes → prompt           │
                                       sessions  what is new              ▼
                                       loops     what is repeated       answer ──▶ client
                                       ledger    what was told, where   (endings)
                                       asking    what the memory is asked
                                       memory    Recollect over gRPC, by one warm stream
                                       telling   what the request becomes
                                       allowance what its model allows
                                       budget    how much the model's context takes
                                       sticky    ledger → bytes, put back in place
                                       inject    block → bytes, at the other positions

`app` composes it; `facade`, `health`, `why` (with what `account` remembers) and `metrics`
are the paths of its own. Whatever ends in an error is put by `wording` as the route's
clients read it. The shim knows Ollama's wire formats and sessions; it does not know what
a fact is.
"""

from __future__ import annotations

from festinger.shim.app import Shim, create_app

__all__ = ["Shim", "create_app"]
