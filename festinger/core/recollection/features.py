"""Names of what lines, prompts and later lines are judged by, in the order of the values."""

from __future__ import annotations

from typing import Final

LINE: Final = (
    "own", "context", "covered", "covered_rare", "rarest",
    "same_project", "asker_said", "speaker_named",
    "question", "request", "change", "negation", "knowledge", "number", "hedge",
    "recent", "length", "outdated",
)  # fmt: skip
"""Of a line that may help with a prompt."""

STATEMENT: Final = (*LINE, "subject", "predicate", "answers")
"""Of a statement that was read from words and may help."""

GATE: Final = (
    "mean_log", "covered_rare", "private", "length", "project", "world", "wording", "task", "ours",
)  # fmt: skip
"""Of a prompt that may be told something."""

SUCCESSOR: Final = (
    "score", "change", "negation", "hedge", "same_speaker", "same_project", "near",
)  # fmt: skip
"""Of a later line that may change what an earlier one says."""
