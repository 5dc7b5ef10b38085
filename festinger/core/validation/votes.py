"""Votes: what people answered, each counted once (I5)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

Answers = dict[str, bool]
"""Who said yes (true) or no, of one task; in the order of their names."""
Tally = dict[str, Answers]
"""The answers to each task, in the order of their names; those of a task may be none."""


class VoteAnswer(StrEnum):
    """What somebody says of a statement."""

    YES = "yes"
    NO = "no"
    ABSTAIN = "abstain"
    """They do not know; it takes their earlier answer back."""


class VoterRole(StrEnum):
    """As whom somebody votes."""

    COMMUNITY = "community"
    AUTHOR = "author"
    """The statement stood in their text."""
    MODERATOR = "moderator"


@dataclass(frozen=True, slots=True)
class Vote:
    """An answer to a task: to one question about one statement.

    Attributes:
        rater: The principal, by whatever channel the message came.
        cast_at: Seconds since the epoch, or anything else that grows.
        before_visible: Whether the outcome could not be seen yet. What is said later
            counts, but tells nothing of its rater.
        withdrawn: It was taken back; what the rater said before it counts again.
    """

    task: str
    rater: str
    answer: VoteAnswer
    cast_at: float
    before_visible: bool = True
    withdrawn: bool = False
    role: VoterRole = VoterRole.COMMUNITY


def last_votes(votes: Iterable[Vote]) -> list[Vote]:
    """The vote of each rater on each task that counts: the last one that stands.

    Two different answers of the same moment are no answer. The order of the votes means
    nothing; the result is in the order of tasks and raters.
    """
    last: dict[tuple[str, str], Vote] = {}
    for vote in votes:
        if vote.withdrawn:
            continue
        key = (vote.task, vote.rater)
        known = last.get(key)
        if known is None or vote.cast_at > known.cast_at:
            last[key] = vote
        elif vote.cast_at == known.cast_at:
            last[key] = _of_two(vote, known)
    return [last[key] for key in sorted(last)]


def _of_two(one: Vote, other: Vote) -> Vote:
    """Of two votes of a moment the one that counts, whichever is met first."""
    if one.answer is other.answer:
        # The same words by a lesser right: as anybody, or after the outcome was seen.
        return min(one, other, key=_right)
    silent = [each for each in (one, other) if each.answer is VoteAnswer.ABSTAIN]
    if silent:
        return silent[0]
    return Vote(one.task, one.rater, VoteAnswer.ABSTAIN, one.cast_at)


def _right(vote: Vote) -> tuple[bool, str, bool]:
    return vote.role is not VoterRole.COMMUNITY, vote.role, vote.before_visible


def tally(votes: Iterable[Vote]) -> Tally:
    """The answers to each task by rater; whoever abstains answers nothing."""
    found: Tally = {}
    for vote in last_votes(votes):
        answers = found.setdefault(vote.task, {})
        if vote.answer is not VoteAnswer.ABSTAIN:
            answers[vote.rater] = vote.answer is VoteAnswer.YES
    return found


def together(answers: Mapping[str, bool], bloc_of: Mapping[str, str]) -> Answers:
    """The answers with each bloc counted once: as most of its accounts say.

    Args:
        bloc_of: The bloc of each account that is in one.
    """
    if not bloc_of:
        return dict(answers)
    lead: defaultdict[str, int] = defaultdict(int)
    for rater, yes in answers.items():
        lead[bloc_of.get(rater, rater)] += 1 if yes else -1
    return {bloc: lead[bloc] > 0 for bloc in sorted(lead) if lead[bloc]}
