"""State changes of questions by the reports of the bots that post them.

waiting ─▶ posting ─▶ posted ─▶ closed ─▶ shown
   ▲          │ failed: retried, after a pause that grows
   └──────────┤
              └ unreachable, or failed too often ─▶ failed: another lane is asked
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from festinger.core.validation.questions import Question, QuestionState

ATTEMPTS_MAX = 12
"""Consecutive failures after which a question is given up: more than two hours."""
PAUSE_SECONDS, PAUSE_SECONDS_MAX = 30.0, 900.0
"""First pause before a retry, which doubles each time, and the longest."""


class PostingResult(StrEnum):
    """Result of posting or updating a leased question."""

    POSTED = "posted"
    UPDATED = "updated"
    """The message was updated to show that the question is closed."""
    FAILED = "failed"
    """Posting failed, and is retried later."""
    UNREACHABLE = "unreachable"
    """The target cannot be reached."""


@dataclass(frozen=True, slots=True)
class PostingReport:
    """Report of the holder of a question's lease.

    Attributes:
        reference: The platform's id of the message, if it was posted.
    """

    result: PostingResult
    platform: str = ""
    reference: str = ""
    error: str = ""


def reported(question: Question, report: PostingReport, now: float) -> Question:
    """Return a question after a report, which ends its lease."""
    closed = question.state is QuestionState.CLOSED
    match report.result:
        # It was answered in the console while a bot posted it: its message must be updated.
        case PostingResult.POSTED:
            # If closed meanwhile, it stays closed, and its message needs an update.
            return replace(
                question,
                state=question.state if closed else QuestionState.POSTED,
                platform=report.platform or question.platform,
                reference=report.reference,
                # A second report after a lost answer keeps the first time.
                posted=now if question.posted is None else question.posted,
                shown=False,  # the message does not yet show the present state
                attempts=0,
                last_error="",
            )
        case PostingResult.UPDATED:
            return replace(question, shown=True, attempts=0, last_error="")
        case PostingResult.FAILED:
            return _failed(question, report.error, now, closed=closed)
        # No retry: the bot knows that the target cannot be reached.
        case PostingResult.UNREACHABLE:
            return _given_up(question, report.error, now, closed=closed)


def pause_after(attempts: int) -> float:
    """Return the pause after a number of consecutive failures, in seconds."""
    # The exponent is capped, as 2 ** 1000 is no float.
    return float(min(PAUSE_SECONDS * 2 ** min(attempts - 1, 10), PAUSE_SECONDS_MAX))


def _failed(question: Question, error: str, now: float, *, closed: bool) -> Question:
    attempts = question.attempts + 1
    if attempts >= ATTEMPTS_MAX:
        return _given_up(question, error, now, closed=closed)
    state = question.state
    # Leased to be posted: back to the queue. A closed one waits for its update only.
    if state is QuestionState.POSTING:
        state = QuestionState.WAITING
    return replace(
        question,
        state=state,
        attempts=attempts,
        last_error=error,
        due=now + pause_after(attempts),
    )


def _given_up(question: Question, error: str, now: float, *, closed: bool) -> Question:
    question = replace(question, attempts=question.attempts + 1, last_error=error)
    # The message is out, so the question stays; only its update is given up.
    if closed or question.state is QuestionState.POSTED:
        return replace(question, shown=True)
    return replace(question, state=QuestionState.FAILED, closed=now)
