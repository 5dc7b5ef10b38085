"""Cues: any text is scanned, as by the oracle, and nothing unfit comes out."""

from __future__ import annotations

from itertools import pairwise

from festinger import _fast
from festinger.core.graph.tokens import blank_own_blocks, is_renderable
from festinger.core.language.cues import CueVerdict, find_cues
from festinger.core.language.cues.patterns import PATTERNS
from fuzz.texts import FixedLexicon
from tests import oracle
from tests.oracle.cues import oracle_cues

BYTES_MAX = 2048

SEEDS = (
    "gnommoweb is a repo of Glitch University. Michigan is a state of USA",
    "gnommoweb ISA repo and dobby ISPART agent_pool in context of tech",
    "If gnommoweb runs on docker, dobby doesn't belong to Bob; it is “not a test”?",
    "- Agent Zero is hosted by [ramanujan](https://example.org) (see `is a`)\r\n> x",
    "```\nx is a y\n```\n<recollection>\nx ISA y\n</recollection> x is a kind of z",
)

_SEEDED = {pattern.dimension for pattern in PATTERNS.values()}


def check(text: str) -> None:
    """Fail for a text that is read differently, or out of which too much is read."""
    blanked = blank_own_blocks(text)
    assert len(blanked) == len(text)
    assert "<recollection>" not in blanked
    for read in (text, blanked):
        plain, fast = oracle.scan(read), _fast.scan(read)
        found = find_cues(fast, FixedLexicon())
        wanted = oracle_cues()["scanner"].find_cues(plain, FixedLexicon())
        assert list(map(tuple, found)) == list(map(tuple, wanted))
        assert _fast.readable(fast.text) == oracle.readable(fast.text)
        assert all(after.end > cue.start for cue, after in pairwise(found))
        for cue in found:
            assert 0 <= cue.start < cue.end <= len(fast.text)
            assert len(cue.sentence) <= 400
            if cue.verdict is not CueVerdict.DROPPED:
                triple = cue.triple
                names = {triple.concept, triple.parent, triple.dimension}
                assert all(map(is_renderable, names - _SEEDED)), triple
                assert triple.concept != triple.parent
