"""Detection of agents that repeat themselves, and countermeasures.

    body ──▶ dialects ──▶ turns ──▶ rules ─────────────▶ edits ──▶ body
             one list     act and   loop or none, and    changes to
             of entries   outcome   the rungs in force   the request
    stream ──▶ transcript ──▶ repetition ──▶ the stream is cut

These modules do not wait, read a clock, log or count:
`festinger.shim.loops.loopguard` does. Nothing is stored between requests: the number of
repeats is counted in the conversation that each request holds.
"""
