"""The Ollama-compatible proxy: forwards everything, and enriches some routes.

`app` is the composition root, and `dispatch` takes every request: it checks the host,
identifies the caller, and answers the shim's own paths. A prompt on one of the enriched
routes passes through the steps of `steps.path`:

    receive   the body                       proxy.guard, proxy.encoding
    identify  what the headers say           loops
    parse     bytes → prompt                 wire, recollection.framing
    session   the conversation, what is new  recollection.sessions, .ledger
    ask       the memory's answer            recollection.memory, loops
    inject    blocks → bytes                 recollection.sticky, .inject
    record    counters, the session's record recollection.request_records
    forward   Ollama's answer → client       proxy

The shim knows Ollama's wire formats and sessions; it does not interpret facts.
"""

from __future__ import annotations
