"""The cue scanner: reads facts out of prose.

    tokens ─▶ cue words ─▶ sentences ─▶ patterns ─▶ subject, object ─▶ rules
    (_fast)               (sentences,  (patterns)  (subjects,         (rules)
                           prose)                   phrases)

A false fact is worse than a missed one: whatever was not said plainly, of somebody
with a name, at the beginning of a clause, is doubted or dropped.
"""

from __future__ import annotations

from festinger.core.cues.phrases import Lexicon
from festinger.core.cues.scanner import Cue, Verdict, find_cues

__all__ = ["Cue", "Lexicon", "Verdict", "find_cues"]
