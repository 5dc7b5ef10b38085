"""Review pipeline: from documents through extractors to ranked candidates.

bytes ─▶ text ─▶ chunks ─▶ extractors ─▶ found ─▶ confidence ─▶ the best of a cycle
(decoding)     (chunks)   (rules,                (queue)
                           structure)

Findings are not stated as facts here: they wait for a decision by a person.
"""

from __future__ import annotations
