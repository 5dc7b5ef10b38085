"""Gold audits: questions with a known answer, which measure who answers (I5)."""

from __future__ import annotations

from collections.abc import Sequence

from festinger.core.graph.candidates import Candidate, Lane
from festinger.core.validation.pilot import share_of
from festinger.core.validation.tones import QuestionAudience


def wants_audit(candidate: Candidate, audience: QuestionAudience, share: float) -> bool:
    """Return whether an audit question accompanies a question about a candidate.

    The choice is pseudo-random, and the same on every server. Moderators are not
    audited: their answers are the reference for others.

    Args:
        share: Share of audit questions among all questions, in [0.0, 0.5].
    """
    if audience.lane is Lane.MODERATOR:
        return False
    lot = share_of(candidate.cid or candidate.id, *audience[1:], "audit")
    return lot < share / (1.0 - share)


def choose_audit(
    settled: Sequence[Candidate], candidate: Candidate, audience: QuestionAudience
) -> Candidate | None:
    """Choose a settled candidate for an audit question; None if none is suitable.

    Args:
        settled: Settled candidates unknown to the audience: it has neither written nor
            answered them, nor was it asked about them.
        candidate: The candidate whose question is accompanied.
        audience: The audience of that question.
    """
    return min(
        (each for each in settled if not each.sensitive),
        key=lambda each: share_of(each.id, candidate.id, *audience[1:], "which"),
        default=None,
    )
