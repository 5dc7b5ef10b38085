"""Looks for texts that break the language part: tokens, cues and facts.

A target is a module with `SEEDS` to begin with, the longest text `BYTES_MAX` and
`check`, which raises for a text that breaks a promise. Targets know nothing of the
fuzzer (`__main__`), so that the tests run their seeds without it.
"""

from __future__ import annotations
