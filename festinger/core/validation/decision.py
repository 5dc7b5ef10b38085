"""Decision about a statement by votes (4-validation).

Moderators take precedence over the author, and the author over the community. The
community needs at least two distinct votes. While the reputation of any voter is
unknown, these and a majority decide; otherwise the log-odds of the answers do:

    posterior = sigmoid(logit(share of true statements) + Σ weight of each answer)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import inf

from festinger.core.graph.candidates import CONFIRMED_CONFIDENCE
from festinger.core.system.principals import is_same
from festinger.core.validation.fitting import UNKNOWN, logit, sigmoid
from festinger.core.validation.reputation import DISTINCT_MIN, Reputations, learn_from
from festinger.core.validation.votes import (
    Answers,
    Tally,
    Vote,
    VoteAnswer,
    VoterRole,
    last_votes,
    tally,
    together,
)

CONFIRM_MIN = 0.9
REJECT_MAX = 0.1
VOTERS_MAX = 7
"""Number of distinct votes without a decision after which a moderator is asked. Votes
of raters of a low reputation do not count."""

SIDE_MAX = 3 * UNKNOWN.weight(True)
"""Maximum log-odds of either side where a bloc has answered: those of three new raters.
Not all of its accounts may be known, so who disagrees with the others counts more."""


class CandidateVerdict(StrEnum):
    """Verdict about a candidate."""

    CONFIRMED = "confirmed"
    REJECTED = "rejected"
    BELIEF = "belief"
    """Confirmed by its author, rejected by the community: held as a belief."""
    ASK_PEOPLE = "ask_people"  # answers so far leave it open
    ASK_MODERATOR = "ask_moderator"  # more answers would not settle it


class DecisionRule(StrEnum):
    """Rule of a decision."""

    MODERATOR = "moderator"
    MODERATORS_DIFFER = "moderators_differ"
    AUTHOR = "author"
    AUTHOR_AGAINST_COMMUNITY = "author_against_community"
    GOLD = "gold"
    """The truth was known beforehand."""
    TOO_FEW = "fewer_than_two_distinct"
    TWO_DISTINCT = "two_distinct"
    """A majority of at least two, if the reputation of some voters is unknown."""
    POSTERIOR = "posterior"
    """The weights of the answers."""


@dataclass(frozen=True, slots=True)
class CountedVote:
    """A vote that a decision used.

    Attributes:
        rater: The account that cast it, or the name of the bloc that did.
        weight: The log-odds that it adds.
        accounts: The number of accounts that it stands for.
    """

    rater: str
    yes: bool
    weight: float
    accounts: int = 1


@dataclass(frozen=True, slots=True)
class CandidateDecision:
    """Decision about a candidate, and its grounds.

    Attributes:
        rule: The rule that gave the verdict.
        posterior: Probability that it is true by the community's votes, in (0.0, 1.0).
        used: The community's votes that were used, in the order of their raters.
        by: The moderators or the author, if they decided.
        confidence: Confidence of the fact; 0 unless it is held.
        flagged: Whether a moderator should review it.
        beside_bloc: Whether an account that is in a bloc with others has voted.
    """

    verdict: CandidateVerdict
    rule: DecisionRule
    posterior: float
    used: tuple[CountedVote, ...] = ()
    by: tuple[str, ...] = ()
    confidence: float = 0.0
    flagged: bool = False
    beside_bloc: bool = False


def decide(
    votes: Iterable[Vote],
    reputations: Reputations,
    *,
    proposer: str = "",
    critical: bool = False,
) -> CandidateDecision:
    """Decide about one candidate.

    Args:
        proposer: Its proposer; votes of the same bloc are left out (E6).
        critical: Whether to leave out votes of raters of a low reputation.
    """
    # The proposer is no second voice, nor is an account that always votes as they do.
    barred = reputations[proposer].bloc
    standing = [
        vote
        for vote in last_votes(votes)
        if vote.answer is not VoteAnswer.ABSTAIN
        and reputations[vote.rater].bloc != barred
    ]
    # Everybody counts once, with the role of their last answer.
    said: dict[VoterRole, Answers] = {role: {} for role in VoterRole}
    for vote in standing:
        said[vote.role][vote.rater] = vote.answer is VoteAnswer.YES
    # Computed in any case: a decision by moderators or the author reports the votes, too.
    community = by_community(said[VoterRole.COMMUNITY], reputations, critical=critical)
    if said[VoterRole.MODERATOR]:
        return _by_moderators(said[VoterRole.MODERATOR], community)
    if said[VoterRole.AUTHOR]:
        return _by_author(said[VoterRole.AUTHOR], community)
    return community


def by_community(
    answers: Mapping[str, bool], reputations: Reputations, *, critical: bool = False
) -> CandidateDecision:
    """Decide by the community's answers, at most one of each account."""
    used = counted(answers, reputations, critical=critical)
    # `is_same`, since another spelling of a name is no bloc of two.
    beside_bloc = any(not is_same(reputations[rater].bloc, rater) for rater in answers)
    evidence = _evidence(used, beside_bloc)
    posterior = sigmoid(logit(reputations.prior) + evidence)
    # Raters of a low reputation do not count towards the distinct votes.
    able = [each for each in used if not reputations[each.rater].low]
    yes = sum(each.yes for each in able)
    no = len(able) - yes
    # Two of one mind, not two voters: one yes and one no settle nothing.
    if max(yes, no) < DISTINCT_MIN:
        verdict, rule = _undecided(able), DecisionRule.TOO_FEW
    # A single unknown voter has no weight to calculate with.
    elif all(reputations[each.rater].known for each in used):
        rule = DecisionRule.POSTERIOR
        # Two distinct votes stay the floor, however sure a single good rater is.
        if posterior >= CONFIRM_MIN and yes >= DISTINCT_MIN:
            verdict = CandidateVerdict.CONFIRMED
        elif posterior <= REJECT_MAX and no >= DISTINCT_MIN:
            verdict = CandidateVerdict.REJECTED
        else:
            verdict = _undecided(able)
    else:
        rule = DecisionRule.TWO_DISTINCT
        # A majority of unknown raters must not overrule better known ones.
        if yes > no and evidence > 0.0:
            verdict = CandidateVerdict.CONFIRMED
        elif no > yes and evidence < 0.0:
            verdict = CandidateVerdict.REJECTED
        else:
            verdict = _undecided(able)
    confidence = (
        # Votes alone are never surer than the author's own word.
        min(posterior, CONFIRMED_CONFIDENCE)
        if verdict is CandidateVerdict.CONFIRMED
        else 0.0
    )
    return CandidateDecision(
        verdict, rule, posterior, used, confidence=confidence, beside_bloc=beside_bloc
    )


def counted(
    answers: Mapping[str, bool], reputations: Reputations, *, critical: bool = False
) -> tuple[CountedVote, ...]:
    """Return the votes that count, one of each bloc, with their weights."""
    bloc_of = {rater: reputations[rater].bloc for rater in answers}
    accounts = Counter(bloc_of.values())
    return tuple(
        # The reputation of a bloc is found by its name, that of its first account.
        CountedVote(bloc, yes, reputations[bloc].weight(yes), accounts[bloc])
        for bloc, yes in together(answers, bloc_of).items()
        # A low reputation excludes from critical decisions only.
        if not (critical and reputations[bloc].low)
    )


def _evidence(used: Sequence[CountedVote], wary: bool) -> float:
    """Return the log-odds of the votes; capped on each side where a bloc has answered."""
    most = SIDE_MAX if wary else inf
    yes = sum(each.weight for each in used if each.yes)
    no = sum(each.weight for each in used if not each.yes)
    return min(yes, most) + max(no, -most)


def _undecided(able: Sequence[CountedVote]) -> CandidateVerdict:
    return (
        CandidateVerdict.ASK_PEOPLE
        if len(able) < VOTERS_MAX
        else CandidateVerdict.ASK_MODERATOR
    )


def _by_moderators(answers: Answers, community: CandidateDecision) -> CandidateDecision:
    verdict, rule = CandidateVerdict.REJECTED, DecisionRule.MODERATOR
    # Two moderators who differ cancel out: a third one has to look.
    if len(set(answers.values())) > 1:
        verdict, rule = CandidateVerdict.ASK_MODERATOR, DecisionRule.MODERATORS_DIFFER
    elif all(answers.values()):
        verdict = CandidateVerdict.CONFIRMED
    return _instead(community, verdict, rule, answers)


def _by_author(answers: Answers, community: CandidateDecision) -> CandidateDecision:
    verdict, rule = CandidateVerdict.REJECTED, DecisionRule.AUTHOR
    if all(answers.values()):
        # The specification's belief: the author insists, and the community rejects.
        verdict = CandidateVerdict.CONFIRMED
        if community.verdict is CandidateVerdict.REJECTED:
            verdict, rule = (
                CandidateVerdict.BELIEF,
                DecisionRule.AUTHOR_AGAINST_COMMUNITY,
            )
    return _instead(community, verdict, rule, answers)


def _instead(
    community: CandidateDecision,
    verdict: CandidateVerdict,
    rule: DecisionRule,
    by: Iterable[str],
) -> CandidateDecision:
    """Return a decision by moderators or the author, with the community's votes."""
    held = verdict in (CandidateVerdict.CONFIRMED, CandidateVerdict.BELIEF)
    return CandidateDecision(
        verdict,
        rule,
        community.posterior,
        community.used,
        tuple(by),
        confidence=CONFIRMED_CONFIDENCE if held else 0.0,
        flagged=verdict is CandidateVerdict.BELIEF,
    )


@dataclass(frozen=True, slots=True)
class TaskOutcome:
    """Outcome of a task.

    Attributes:
        decision: The decision; by the gold label if there is one.
        by_votes: The posterior by votes alone, without the gold label.
        gold: The gold label; None if there is none.
    """

    decision: CandidateDecision
    by_votes: float
    gold: bool | None


@dataclass(frozen=True, slots=True)
class AggregatedVotes:
    """Outcomes of all tasks, and reputations of their voters.

    Attributes:
        outcomes: The outcome of each task, in the order of their names.
        reputations: The reputations learnt from the votes.
    """

    tally: Tally
    outcomes: dict[str, TaskOutcome]
    reputations: Reputations


def aggregate(votes: Iterable[Vote], gold: Mapping[str, bool]) -> AggregatedVotes:
    """Decide every task that was voted on or has a gold label, without any roles."""
    # Votes read from a file: all are the community's, and cast before the outcome was visible.
    cast = tally(votes)
    # Learnt from all tasks first: one vote weighs the same in every task.
    reputations = learn_from(cast, gold)
    outcomes: dict[str, TaskOutcome] = {}
    # The union, since a gold label without votes is a task too; sorted, so that runs compare.
    for task in sorted(cast.keys() | gold.keys()):
        decision = by_community(cast.get(task, {}), reputations)
        outcomes[task] = _outcome(decision, gold.get(task))
    return AggregatedVotes(cast, outcomes, reputations)


def _outcome(decision: CandidateDecision, gold: bool | None) -> TaskOutcome:
    if gold is None:  # nothing to compare with: the votes decide
        return TaskOutcome(decision, decision.posterior, None)
    # The votes' posterior is kept beside it: the report tells how far votes alone were right.
    known = replace(
        decision,
        verdict=CandidateVerdict.CONFIRMED if gold else CandidateVerdict.REJECTED,
        rule=DecisionRule.GOLD,
        posterior=float(gold),
        confidence=float(gold),
    )
    return TaskOutcome(known, decision.posterior, gold)
