"""A shared memory for LLM agents that cannot hold a contradiction.

    prompt ─▶ shim ─▶ rpc ─▶ services.recollection ─▶ core.recollection ─▶ block
                                  │
    gutask ─▶ rpc ─▶ services.graph ─▶ writer ─▶ core.graph.gate ─▶ store ─▶ core.world
    person ─▶ rpc ─▶ services.validation ──┤
    what people typed ─▶ services.language ┘  a model reads, nobody waits
    conversations that are over ─▶ services.memories ─▶ memories, beside the graph

`core` knows what a fact is and nothing else. `services` load, decide and save. Imports
point down: cli, console, shim, chat → rpc → services → store, llm → core → _fast, config,
errors; `app` puts them together. The rooms of every floor have the same names.

`docs/architecture.md` tells it at length, `docs/decisions.md` why it is so.
"""

from __future__ import annotations

import os

# gRPC runs handlers of its own around every fork. While calls are under way they can end
# the child before it becomes the program that was asked for, as when Postgres is started
# again. We only fork to start programs, so nothing needs them.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
