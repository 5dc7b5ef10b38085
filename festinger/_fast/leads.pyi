"""Types of the compiled `leads`; `tests/oracle/leads.py` says what it does."""

from __future__ import annotations

from typing import final

from .scanner import Scan

@final
class Leads:
    def __new__(cls, words: dict[str, int]) -> Leads: ...
    @property
    def steps(self) -> int: ...
    def find(self, scan: Scan) -> tuple[list[int], list[int]]: ...
