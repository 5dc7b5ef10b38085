"""From what people wrote to what waits for them: documents, extractors, ranking.

bytes ─▶ text ─▶ chunks ─▶ extractors ─▶ found ─▶ confidence ─▶ the best of a cycle
(decoding)     (chunks)   (rules,               (ranking)
                           structure)

Nothing here holds anything: whatever is found waits for a person.
"""

from __future__ import annotations
