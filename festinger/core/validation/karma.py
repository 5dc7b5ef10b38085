"""Karma: thanks for answering, to be shown. It never weighs a vote (truth.md).

Only answers that were given before the outcome could be seen earn anything, and only those
that agree with it:

- who confirms what is then confirmed earns a point;
- who rejects what is then rejected earns a point as well, and if a machine was unsure of it
  more: two points, times one plus the saliency of the statement's concepts, ten at most.
  A concept of high saliency is recollected often, so the false fact would have been too;
- an author who confirms what another person wrote down of them earns half a point, and
  nothing for what a machine read in their own words: they could write it for the karma;
- moderators earn nothing: what they answer is the outcome.

Accounts that count as one share what they earn.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from festinger.core.validation.votes import Vote, VoteAnswer, VoterRole, last_votes

CONFIRMED = 1.0
REJECTED = 1.0
PREVENTED = 2.0
"""For what would have been a false fact, times its weight."""
AFFIRMED = 0.5
UNSURE = 0.7
"""Below this confidence a machine was unsure."""
SALIENCY_MAX = 4.0
"""Ten thousand encounters: beyond it a concept is no more important."""


@dataclass(frozen=True, slots=True)
class DecidedCandidate:
    """A candidate that was decided, as far as karma looks at it.

    Attributes:
        task: Its name in votes.
        true: Whether it was confirmed.
        confidence: How far whoever proposed it relied on it.
        saliency: Of the more salient of its two concepts; at least 0.
        by_hand: Whether a person wrote it down, and no machine.
    """

    task: str
    true: bool
    confidence: float
    saliency: float = 0.0
    by_hand: bool = False


def karma(
    decided: Iterable[DecidedCandidate],
    votes: Iterable[Vote],
    bloc_of: Mapping[str, str] | None = None,
) -> dict[str, float]:
    """The karma of everybody who voted; the order of what is given means nothing.

    Args:
        bloc_of: The bloc of each account that is in one.
    """
    blocs = bloc_of or {}
    by_task = {each.task: each for each in decided}
    cast: defaultdict[str, list[Vote]] = defaultdict(list)
    earned: defaultdict[str, float] = defaultdict(float)
    for vote in last_votes(vote for vote in votes if vote.before_visible):
        earned[vote.rater] += 0.0
        cast[vote.task].append(vote)
    for task, mine in sorted(cast.items()):
        if task not in by_task:
            continue
        sharing = Counter(blocs.get(vote.rater, vote.rater) for vote in mine)
        for vote in mine:
            bloc = blocs.get(vote.rater, vote.rater)
            earned[vote.rater] += reward(vote, by_task[task]) / sharing[bloc]
    return {rater: earned[rater] for rater in sorted(earned)}


def reward(vote: Vote, decided: DecidedCandidate) -> float:
    """What a vote earns."""
    if vote.role is VoterRole.MODERATOR or vote.answer is VoteAnswer.ABSTAIN:
        return 0.0
    if (vote.answer is VoteAnswer.YES) != decided.true:
        return 0.0
    if vote.role is VoterRole.AUTHOR:
        return AFFIRMED if decided.true and decided.by_hand else 0.0
    if decided.true:
        return CONFIRMED
    prevented = 0.0
    if decided.confidence < UNSURE:
        prevented = PREVENTED * (1.0 + min(SALIENCY_MAX, max(0.0, decided.saliency)))
    return REJECTED + prevented
