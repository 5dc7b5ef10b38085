from __future__ import annotations

import random

from festinger.core.validation.fitting import RaterSkill
from festinger.core.validation.reputation import Reputation, Reputations
from festinger.core.validation.votes import Vote, VoteAnswer, VoterRole

SAID = {"y": VoteAnswer.YES, "n": VoteAnswer.NO, "-": VoteAnswer.ABSTAIN}


def vote(rater, said="y", at=0.0, task="t", **kwargs):
    """Return a vote in short: `y`, `n` or `-`."""
    return Vote(task, rater, SAID[said], at, **kwargs)


def votes(said, first=0, **kwargs):
    """Votes of as many raters as there are letters: `yyn`."""
    return [vote(f"r{at}", each, **kwargs) for at, each in enumerate(said, start=first)]


def author(said):
    """Return the author's answers."""
    return vote("alice", said, role=VoterRole.AUTHOR)


def moderator(said, name="mia"):
    """Return the moderator's answers."""
    return vote(name, said, role=VoterRole.MODERATOR)


def known(*names, yes=0.8, no=0.8, prior=0.5, judged=20):
    """Reputation of raters who are all as good."""
    half = judged // 2
    of = {
        name: Reputation(RaterSkill(yes, no), half, judged - half, name)
        for name in names
    }
    return Reputations(of, prior)


def crowd(seed=1, *, tasks=100, raters=8, good=(0.7, 0.95)):
    """A truth, and what raters of different skill who all answer everything say of it."""
    source = random.Random(seed)
    truth = {f"t{at:03}": source.random() < 0.5 for at in range(tasks)}
    skills = {f"r{at}": source.uniform(*good) for at in range(raters)}
    cast = {
        task: {
            name: (source.random() < skill) == true for name, skill in skills.items()
        }
        for task, true in truth.items()
    }
    return truth, cast


def accuracy(posteriors, truth):
    """Return the share of it that is found out."""
    return sum((posteriors[task] > 0.5) == truth[task] for task in truth) / len(truth)
