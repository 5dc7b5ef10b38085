"""The cue scanner: extract facts from prose.

    tokens ─▶ cue words ─▶ sentences ─▶ patterns ─▶ subject, object ─▶ rules
    (_fast)               (sentences)  (patterns)  (subjects,         (rules)
                                                    phrases)

Both builds share one source: the modules are compiled unchanged, with the types beside
them (`.pxd`), where `_fast` is.

A false fact is worse than a missed one: a statement that is not made plainly, about a
named subject, at the beginning of a clause, is doubted or dropped.
"""

from __future__ import annotations

import sys
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader

from festinger._fast import BUILD

if BUILD == "python":
    # A compiled module may be in the same directory, and would be found first.
    for _place in __path__:
        sys.path_importer_cache[_place] = FileFinder(
            _place, (SourceFileLoader, SOURCE_SUFFIXES)
        )

from festinger.core.language.cues.phrases import Lexicon
from festinger.core.language.cues.scanner import Cue, CueVerdict, find_cues

__all__ = ["Cue", "CueVerdict", "Lexicon", "find_cues"]
