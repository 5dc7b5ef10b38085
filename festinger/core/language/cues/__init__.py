"""The cue scanner: extract facts from prose.

    tokens ─▶ cue words ─▶ sentences ─▶ patterns ─▶ subject, object ─▶ rules
    (_fast)               (sentences)  (patterns)  (subjects,         (rules,
                                                    phrases)           doubts)

A false fact is worse than a missed one: a statement that is not made plainly, about a
named subject, at the beginning of a clause, is doubted or dropped.
"""

from __future__ import annotations

from festinger.core.language.cues.phrases import Lexicon
from festinger.core.language.cues.scanner import Cue, CueVerdict, find_cues

__all__ = ["Cue", "CueVerdict", "Lexicon", "find_cues"]
