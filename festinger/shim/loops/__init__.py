"""Agents that repeat themselves: what a loop is, and what is done about it.

    body ──▶ dialects ──▶ turns ──▶ rules ──▶ ladder ──▶ edits ──▶ body
             one list     act and   is it     which      less of
             of entries   outcome   a loop?   rung?      the same
    stream ──▶ transcript ──▶ answer ──▶ endings

Nothing here waits, tells the time, logs or counts: `festinger.shim.loops.loopguard` does. And
nobody remembers: a conversation says itself how often it went round.
"""
