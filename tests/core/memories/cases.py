"""The specification's summaries, and how a test decides about one claim."""

from __future__ import annotations

from festinger.core.language.grounding import SourceText
from festinger.core.memories.deciding import decide
from festinger.core.memories.memory import Memory, MemoryExtraction
from festinger.core.memories.types import MemoryType, Status

FACT, PATTERN = MemoryType.USER_FACT, MemoryType.USER_PATTERN
NARRATIVE = MemoryType.SHARED_NARRATIVE

DAY = 86_400.0

STRONG = (
    "User: \"I absolutely love fettuccini. Seriously, it's my favorite pasta.\n"
    'The creamy alfredo sauce is just perfect. I make it at home all the time."'
)
STEPS = (
    'User asked: "Can you break this down step by step?"\n'
    'Later: "Could you walk me through the algorithm step by step?"\n'
    "Requested detailed explanation with examples."
)
CONCEPT = 'User asked: "Can you explain this concept?"'
STUDIO = "We discussed music production in FL Studio."


def decided(text, type, summary, confidence=0.95, *, turns=None, **kwargs):
    """Return the decision about one claim."""
    (decision,) = decide(
        [MemoryExtraction(text, type, confidence)],
        SourceText(summary),
        turns=None if turns is None else SourceText(turns),
        **kwargs,
    )
    return decision


def memory(content, type=FACT, *, id=1, confidence=0.9, status=Status.ACTIVE, at=0.0):
    """Something that is remembered of Alice."""
    return Memory(id, "alice", type, content, confidence, at, status)
