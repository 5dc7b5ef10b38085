"""Gold audits: questions whose answer is known, which tell of who answers (I5)."""

from __future__ import annotations

from collections.abc import Sequence

from festinger.core.graph.candidates import Factoid, Lane
from festinger.core.validation.pilot import share_of
from festinger.core.validation.tones import QuestionAudience


def wants_audit(factoid: Factoid, audience: QuestionAudience, share: float) -> bool:
    """Whether a question with a known answer goes beside one about a candidate.

    Nobody can foresee it, and every server decides the same. Moderators are not audited:
    what they say is what others are held against.

    Args:
        share: Of all questions, how many are to be such, in [0.0, 0.5].
    """
    if audience.lane is Lane.MODERATOR:
        return False
    lot = share_of(factoid.cid or factoid.id, *audience[1:], "audit")
    return lot < share / (1.0 - share)


def choose_audit(
    settled: Sequence[Factoid], factoid: Factoid, audience: QuestionAudience
) -> Factoid | None:
    """Which of the settled candidates somebody is asked about; None if there is none.

    Args:
        settled: Those that they know nothing of: they have neither answered nor written
            them, nor were they asked.
    """
    return min(
        (each for each in settled if not each.sensitive),
        key=lambda each: share_of(each.id, factoid.id, *audience[1:], "which"),
        default=None,
    )
