"""Counts what becomes of statements under all rules of decision, whoever votes.

Seeded crowds are asked about new statements as people are: the author first, then the
community one after the other, and a moderator where that decides nothing. Reputations were
learnt before from what the same crowd answered, and are not given the truth.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import mean

from benchmarks import votes
from benchmarks.report import Part, Row
from festinger.core.validation.decision import CandidateVerdict, decide
from festinger.core.validation.reputation import Reputations, learn_from
from festinger.core.validation.votes import Vote, VoteAnswer, VoterRole

STATEMENTS = 200
AUTHOR_ANSWERS, AUTHOR_RIGHT = 0.4, 0.97
"""How often an author is there to be asked, and knows what they meant."""
LATER = 3
"""So many of the community answer although the author did: votes are taken for a while."""
MODERATOR_RIGHT = 0.98
MODERATOR = "moderator"
ASKING = (CandidateVerdict.ASK_PEOPLE, CandidateVerdict.ASK_MODERATOR)


@dataclass(frozen=True, slots=True)
class Ending:
    """Final state of a statement.

    Attributes:
        true: What is so.
        votes: How many were cast, the moderator's among them.
        moderated: Whether a moderator had to decide.
        targeted: Whether attackers want it to be held although it is false.
    """

    verdict: CandidateVerdict
    true: bool
    votes: int
    moderated: bool
    targeted: bool

    @property
    def is_right(self) -> bool:
        """Return whether a true statement, and no false one, is held as a fact."""
        return (self.verdict is CandidateVerdict.CONFIRMED) == self.true

    @property
    def taken(self) -> bool:
        """Return whether a false statement is held as a fact."""
        return self.verdict is CandidateVerdict.CONFIRMED and not self.true


def endings(
    source: random.Random,
    trial: votes.Trial,
    reputations: Reputations,
    *,
    liars: bool = False,
) -> Iterator[Ending]:
    """Yield the final states of new statements.

    Args:
        liars: Whether attackers wrote the false ones themselves, and stand by them.
    """
    for task in source.sample(sorted(trial.truth), STATEMENTS):
        true = trial.truth[task]
        cast: list[Vote] = []
        if liars and not true:
            cast.append(_vote(task, "liar", True, VoterRole.AUTHOR))
        elif source.random() < AUTHOR_ANSWERS:
            says = (source.random() < AUTHOR_RIGHT) == true
            cast.append(_vote(task, "author", says, VoterRole.AUTHOR))
        yield _ending(source, trial, reputations, task, cast)


def _ending(
    source: random.Random,
    trial: votes.Trial,
    reputations: Reputations,
    task: str,
    cast: list[Vote],
) -> Ending:
    true, enough = trial.truth[task], len(cast) + LATER if cast else 0
    decision = decide(cast, reputations, proposer="scanner")
    for name in source.sample(sorted(trial.voters), len(trial.voters)):
        if decision.verdict is not CandidateVerdict.ASK_PEOPLE and len(cast) >= enough:
            break
        cast.append(_vote(task, name, trial.voters[name](task, true)))
        decision = decide(cast, reputations, proposer="scanner")
    moderated = decision.verdict in ASKING
    if moderated:
        says = (source.random() < MODERATOR_RIGHT) == true
        cast.append(_vote(task, MODERATOR, says, VoterRole.MODERATOR))
        decision = decide(cast, reputations, proposer="scanner")
    return Ending(decision.verdict, true, len(cast), moderated, task in trial.targets)


def _vote(
    task: str, rater: str, yes: bool, role: VoterRole = VoterRole.COMMUNITY
) -> Vote:
    return Vote(task, rater, VoteAnswer.YES if yes else VoteAnswer.NO, 0.0, role=role)


def all_endings(
    trials: Sequence[votes.Trial], *, known: bool = True, liars: bool = False
) -> list[Ending]:
    """Return the final states of the statements of several crowds.

    Args:
        known: Whether reputations were learnt before; else everybody is new.
    """
    return [
        ending
        for at, trial in enumerate(trials)
        for ending in endings(
            random.Random(at),
            trial,
            learn_from(trial.cast) if known else Reputations(),
            liars=liars,
        )
    ]


def accuracy(ended: Sequence[Ending]) -> float:
    """Return the share of what is right."""
    return mean(it.is_right for it in ended)


def success(ended: Sequence[Ending]) -> float:
    """The share of what attackers want, of which it is held; of all that is false if
    nobody attacks."""
    return mean(it.taken for it in ended if it.targeted)


def measure(
    quick: bool = False, *, runs: int | None = None, tasks: int = votes.TASKS
) -> list[Part]:
    """Has statements decided under all rules, with and without attackers."""
    seeds = range(votes.SEED, votes.SEED + (runs or (3 if quick else votes.RUNS)))
    rows: list[Row] = []
    for attack in (None, *votes.ATTACKS):
        trials = [votes.trial(seed, attack, tasks) for seed in seeds]
        name = attack.name if attack else "nobody attacks"
        key = f"votes.rules.{votes.name_in_keys(name)}"
        for who, known in (("everybody is new", False), ("known", True)):
            ended = all_endings(trials, known=known)
            at = key if known else f"{key}.new"
            rows += _rows(at, f"{name}, {who}", ended)
        if attack is votes.ATTACKS[0]:
            lied = all_endings(trials, liars=True)
            rows += _rows(f"{key}.liars", "… and wrote what is false", lied)
    return [
        Part(
            "Votes: under all rules",
            f"{STATEMENTS} new statements for each of {len(seeds)} crowds; "
            f"{AUTHOR_ANSWERS:.0%} of the authors answer, then {LATER} of the community "
            "all the same; what nobody decides a moderator does.",
            rows,
        )
    ]


def _rows(key: str, name: str, ended: Sequence[Ending]) -> Iterator[Row]:
    left = mean(it.moderated for it in ended)
    beliefs = mean(it.verdict is CandidateVerdict.BELIEF for it in ended)
    yield Row(f"{key}.accuracy", f"{name}: accuracy", accuracy(ended), "")
    yield Row(f"{key}.votes", "  votes a decision", mean(it.votes for it in ended), "")
    yield Row(f"{key}.success", "  attack succeeds", success(ended), "")
    yield Row(f"{key}.moderator", "  left to a moderator", left, "")
    yield Row(f"{key}.belief", "  held as beliefs", beliefs, "")
