"""Gold audits: questions with a known answer, which measure who answers (I5)."""

from __future__ import annotations

from collections.abc import Sequence

from festinger.core.graph.candidates import Candidate, Lane
from festinger.core.validation.pilot import share_of
from festinger.core.validation.tones import QuestionAudience


def wants_audit(candidate: Candidate, audience: QuestionAudience, share: float) -> bool:
    """Return whether an audit question accompanies a question about a candidate.

    Args:
        share: Share of audit questions among all questions, in [0.0, 0.5].
    """
    # The answers of moderators are what others are measured by.
    if audience.lane is Lane.MODERATOR:
        return False
    # A hash instead of a draw: every server, and every repetition, chooses alike.
    lot = share_of(candidate.cid or candidate.id, *audience[1:], "audit")
    # `share` is of all questions, the lot is drawn for the others: 5 of 100 are 5 for 95.
    return lot < share / (1.0 - share)


def choose_audit(
    settled: Sequence[Candidate], candidate: Candidate, audience: QuestionAudience
) -> Candidate | None:
    """Choose a settled candidate for an audit question; None if none is suitable.

    Args:
        settled: Settled candidates that the audience has neither written nor answered, nor
            was asked about: it cannot know the outcome.
    """
    return min(
        # Private content goes to moderators only.
        (each for each in settled if not each.sensitive),
        key=lambda each: share_of(each.id, candidate.id, *audience[1:], "which"),
        default=None,
    )
