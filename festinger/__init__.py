"""A shared memory for LLM agents that cannot hold a contradiction.

    prompt ─▶ shim ─▶ rpc ─▶ flows.recollect ─▶ core.reading ─▶ core.recollection ─▶ block
                                  │
    gutask ─▶ rpc ─▶ flows.assert_fact ─▶ flows.writer ─▶ core.gate ─▶ store ─▶ core.world
    person ─▶ rpc ─▶ flows.decisions ─────────┘

`core` knows what a fact is and nothing else. `flows` load, decide and save. `store`,
`rpc`, `shim`, `workers` and `cli` touch the outside; `app` puts them together. Imports
point one way: api, _fast, config, errors → core → flows → adapters → app.
"""
