"""The cue scanner: reads facts out of prose.

    tokens ─▶ cue words ─▶ sentences ─▶ patterns ─▶ subject, object ─▶ rules
    (_fast)               (sentences)  (patterns)  (subjects,         (rules)
                                                    phrases)

One source for both builds: the modules are compiled as they are, with the types beside
them (`.pxd`), where `_fast` is.

A false fact is worse than a missed one: whatever was not said plainly, of somebody
with a name, at the beginning of a clause, is doubted or dropped.
"""

from __future__ import annotations

import sys
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader

from festinger._fast import BUILD

if BUILD == "python":
    # What was compiled may lie beside its source, and would be found first.
    for _place in __path__:
        sys.path_importer_cache[_place] = FileFinder(
            _place, (SourceFileLoader, SOURCE_SUFFIXES)
        )

from festinger.core.language.cues.phrases import Lexicon
from festinger.core.language.cues.scanner import Cue, CueVerdict, find_cues

__all__ = ["Cue", "CueVerdict", "Lexicon", "find_cues"]
