"""The Ollama-compatible proxy: forwards everything, and enriches six routes.

    request ──▶ guard ──▶ identity ──▶ enrich ──────────────────────▶ proxy ──▶ Ollama
                (Host)    (caller)     wire      bytes → prompt         │
                                       sessions  new messages           ▼
                                       loops     repeated turns       answer ──▶ client
                                       ledger    blocks by position   (endings)
                                       asking    request to the memory
                                       memory    Recollect over one gRPC stream
                                       telling   enriched request
                                       allowance limits of its model
                                       budget    room in the model's context
                                       sticky    ledger → bytes, at old positions
                                       inject    block → bytes, at other positions

`app` is the composition root. `facade`, `health`, `why` (which reports the records of
`account`) and `metrics` serve the shim's own paths. `wording` formats errors as the
clients of each route expect them. The shim knows Ollama's wire formats and sessions; it
does not interpret facts.
"""

from __future__ import annotations

from festinger.shim.app import Shim, create_app

__all__ = ["Shim", "create_app"]
