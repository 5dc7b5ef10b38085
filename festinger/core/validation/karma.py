"""Karma: points for answers, for display only. It never affects votes (truth.md).

Only answers that were given before the outcome was visible, and that agree with it,
earn karma.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from festinger.core.validation.votes import Vote, VoteAnswer, VoterRole, last_votes

CONFIRMED = 1.0
REJECTED = 1.0
PREVENTED = 2.0
"""Points for a prevented false fact, times 1 + saliency."""
AFFIRMED = 0.5
UNSURE = 0.7
"""Confidence below which a machine was unsure."""
SALIENCY_MAX = 4.0
# Ten points at most: 2 x (1 + 4).
"""Maximum saliency that counts: that of ten thousand encounters."""


@dataclass(frozen=True, slots=True)
class DecidedCandidate:
    """A decided candidate, with the properties that karma depends on.

    Attributes:
        task: Its task name in votes.
        true: Whether it was confirmed.
        confidence: The confidence of its proposer.
        saliency: Saliency of the more salient of its two concepts; at least 0.
        by_hand: Whether a person proposed it, and no machine.
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
    """Return the karma of every voter.

    Args:
        decided: The decided candidates, in any order.
        votes: The votes, in any order.
        bloc_of: The bloc of each account that is in one.
    """
    blocs = bloc_of or {}
    by_task = {each.task: each for each in decided}
    cast: defaultdict[str, list[Vote]] = defaultdict(list)
    earned: defaultdict[str, float] = defaultdict(float)
    # Whoever saw the outcome first could only agree.
    for vote in last_votes(vote for vote in votes if vote.before_visible):
        earned[vote.rater] += 0.0
        cast[vote.task].append(vote)
    for task, mine in sorted(cast.items()):
        # The accounts of a bloc share what they earn: a hundred of one script earn as one.
        if task not in by_task:
            continue
        sharing = Counter(blocs.get(vote.rater, vote.rater) for vote in mine)
        for vote in mine:
            bloc = blocs.get(vote.rater, vote.rater)
            earned[vote.rater] += reward(vote, by_task[task]) / sharing[bloc]
    return {rater: earned[rater] for rater in sorted(earned)}


def reward(vote: Vote, decided: DecidedCandidate) -> float:
    """Return the karma that a vote earns."""
    # A moderator's answer is the outcome.
    if vote.role is VoterRole.MODERATOR or vote.answer is VoteAnswer.ABSTAIN:
        return 0.0
    if (vote.answer is VoteAnswer.YES) != decided.true:
        return 0.0
    # For a statement that another person wrote down, but not for what a machine read in
    # the author's own text, which could be written for the karma.
    if vote.role is VoterRole.AUTHOR:
        return AFFIRMED if decided.true and decided.by_hand else 0.0
    if decided.true:
        return CONFIRMED
    prevented = 0.0
    # Salient concepts are recollected often, and so would the false fact have been.
    if decided.confidence < UNSURE:
        prevented = PREVENTED * (1.0 + min(SALIENCY_MAX, max(0.0, decided.saliency)))
    return REJECTED + prevented
