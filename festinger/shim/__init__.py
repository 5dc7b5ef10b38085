"""The Ollama-compatible proxy: forwards everything, and enriches three routes.

    request ──▶ guard ──▶ identity ──▶ enrich ────────────────────────▶ proxy ──▶ Ollama
                (Host)    (who asks)   wire      bytes → prompt
                                       sessions  what is new
                                       ledger    what was told, and where it stands
                                       asking    what the memory is asked
                                       memory    Recollect over gRPC, by one warm stream
                                       budget    how much the model's context takes
                                       sticky    ledger → bytes, put back in place
                                       inject    block → bytes, at the other positions

`app` composes it, `facade` and `health` are the two paths of its own. The shim knows
Ollama's wire formats and sessions; it does not know what a fact is.
"""

from __future__ import annotations

from festinger.shim.app import Shim, create_app

__all__ = ["Shim", "create_app"]
