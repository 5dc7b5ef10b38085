"""Tokens: any text is read as by the oracle, in linear steps, and counted alike."""

from __future__ import annotations

import unicodedata
from typing import Any

from festinger import _fast
from tests import oracle
from tests.oracle.comparing import told

BYTES_MAX = 2048

SEEDS = (
    "Please update gnommoweb, the Glitch University\u2019s C++ code.",
    "**Glitch University** and `Agent Zero`\r\n# Big Title\nCafe\u0301 Noir",
    "İstanbul ΟΔΟΣ ẞ Ⱥ K Ⓐ 東京都 नमस्ते か\u3099く",
    "x" * 62 + "é" + "A " * 40 + "deadbeefdeadbee1 aB3dE5fG7hI9jK1lM3nO5pQ7",
    "a.b-c'd " * 20 + "\u0301\u0316" * 40,
)

STEPS_PER_BYTE_MAX = 32


def check(text: str) -> None:
    """Fail for a text that the oracle reads otherwise."""
    plain, fast = oracle.scan(text), _fast.scan(text)
    assert told(fast) == told(plain)
    size = len(text.encode("utf-8", "surrogatepass"))
    for scan in (plain, fast):
        assert scan.steps <= STEPS_PER_BYTE_MAX * size + 200, scan.steps
    for token in dict.fromkeys(plain):
        # Beyond the marks in a row that are brought into order, nothing is promised.
        if unicodedata.is_normalized("NFC", token):
            assert list(_fast.scan(token)) == [token]
    assert counted(_fast, fast) == counted(oracle, plain)


def counted(build: Any, scan: Any) -> tuple[Any, ...]:
    """All that a vocabulary tells that knows every second word of a text."""
    # A few bits of hash, so that words meet in the table.
    vocabulary = build.Vocabulary(seed=7, mask_bits=3)
    for id, token in enumerate(dict.fromkeys(scan), 1):
        if id % 2:
            vocabulary.add(token, id, encounters=id, dictionary=id % 3 == 0)
    options = {"now": 5.0, "threshold": 0.5}
    readings = [
        vocabulary.read(scan, count=count, **options) for count in (True, False)
    ]
    unknown_tokens = readings[0].unknown_tokens
    ids = list(range(10_000, 10_000 + len(unknown_tokens)))
    vocabulary.meet(unknown_tokens, ids, now=6.0, dictionary=unknown_tokens[:1])
    readings.append(vocabulary.read(scan, count=True, **options))
    rows = [vocabulary.row(id) for id in sorted(vocabulary)]
    return readings, rows, vocabulary.drain()
