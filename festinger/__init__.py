"""A shared memory for LLM agents that cannot hold a contradiction.

    prompt ─▶ shim ─▶ rpc ─▶ flows.recollect ─▶ core.reading ─▶ core.recollection ─▶ block
                                  │
    gutask ─▶ rpc ─▶ flows.assert_fact ─▶ flows.writer ─▶ core.gate ─▶ store ─▶ core.world
    person ─▶ rpc ─▶ flows.decisions ─────────┤
    what people typed ─▶ flows.reading ───────┘  a model reads, nobody waits
    conversations that are over ─▶ flows.rememberer ─▶ memories, beside the graph

`core` knows what a fact is and nothing else. `flows` load, decide and save. `store`,
`rpc`, `shim`, `workers` and `cli` touch the outside; `app` puts them together. Imports
point one way: api, _fast, config, errors → core → flows → adapters → app.

`docs/architecture.md` tells it at length, `docs/decisions.md` why it is so.
"""

from __future__ import annotations

import os

# gRPC runs handlers of its own around every fork. While calls are under way they can end
# the child before it becomes the program that was asked for, as when Postgres is started
# again. We only fork to start programs, so nothing needs them.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
