"""What becomes of a question when whoever posts it reports.

waiting ─▶ posting ─▶ posted ─▶ closed ─▶ shown
   ▲          │ failed: again, after a pause that grows
   └──────────┤
              └ unreachable, or failed too often ─▶ failed: another lane is asked
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from festinger.core.validation.questions import Question, QuestionState

ATTEMPTS_MAX = 12
"""After so many failures in a row it is given up: that is more than two hours."""
PAUSE_SECONDS, PAUSE_SECONDS_MAX = 30.0, 900.0
"""How long the first pause is, which doubles; and the longest."""


class Result(StrEnum):
    """What became of a question that was leased."""

    POSTED = "posted"
    UPDATED = "updated"
    """Its message says that it is closed."""
    FAILED = "failed"
    """It is tried again later."""
    UNREACHABLE = "unreachable"
    """Nobody can be reached there."""


@dataclass(frozen=True, slots=True)
class PostingReport:
    """What whoever leased a question says of it.

    Attributes:
        reference: The platform's name of the message, if it was posted.
    """

    result: Result
    platform: str = ""
    reference: str = ""
    error: str = ""


def reported(question: Question, report: PostingReport, now: float) -> Question:
    """The question after a report; its lease is over."""
    closed = question.state is QuestionState.CLOSED
    match report.result:
        case Result.POSTED:
            # One that was closed meanwhile stays so, and its message has to say it.
            return replace(
                question,
                state=question.state if closed else QuestionState.POSTED,
                platform=report.platform or question.platform,
                reference=report.reference,
                posted=now if question.posted is None else question.posted,
                shown=False,
                attempts=0,
                last_error="",
            )
        case Result.UPDATED:
            return replace(question, shown=True, attempts=0, last_error="")
        case Result.FAILED:
            return _failed(question, report.error, now, closed=closed)
        case Result.UNREACHABLE:
            return _given_up(question, report.error, now, closed=closed)


def pause_after(attempts: int) -> float:
    """How long to wait after so many failures in a row, in seconds."""
    return float(min(PAUSE_SECONDS * 2 ** min(attempts - 1, 10), PAUSE_SECONDS_MAX))


def _failed(question: Question, error: str, now: float, *, closed: bool) -> Question:
    attempts = question.attempts + 1
    if attempts >= ATTEMPTS_MAX:
        return _given_up(question, error, now, closed=closed)
    state = question.state
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
    if closed or question.state is QuestionState.POSTED:
        # The message is out; only what it says will not change.
        return replace(question, shown=True)
    return replace(question, state=QuestionState.FAILED, closed=now)
