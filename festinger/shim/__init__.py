"""The Ollama-compatible proxy: forwards everything, and enriches six routes.

    request ──▶ guard ──▶ identity ──▶ enrich ────────────────────────▶ proxy ──▶ Ollama
                (Host)    (who asks)   wire      bytes → prompt           │
                                       sessions  what is new              ▼
                                       loops     what is repeated       answer ──▶ client
                                       memory    Recollect over gRPC    (endings)
                                       inject    block → bytes

`app` composes it, `facade` and `health` are the two paths of its own. Whatever ends in an
error is put by `wording` as the route's clients read it. The shim knows Ollama's wire
formats and sessions; it does not know what a fact is.
"""

from __future__ import annotations

from festinger.shim.app import Shim, create_app

__all__ = ["Shim", "create_app"]
