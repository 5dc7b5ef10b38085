"""When votes decide about a statement, and how (4-validation).

Moderators come first, then the author, then the community. Two distinct votes are the
floor. Until enough is known of every voter that floor is all there is, with a majority;
then it is the log-odds of what each answer is worth:

    posterior = sigmoid(logit(share of what is true) + Σ weight of each answer)

from 0.9 it is confirmed, up to 0.1 rejected, and in between more people are asked, and in
the end a moderator.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from festinger.core.graph.candidates import CONFIRMED_CONFIDENCE
from festinger.core.validation.fitting import logit, sigmoid
from festinger.core.validation.reputation import DISTINCT_MIN, Reputations
from festinger.core.validation.votes import (
    Answers,
    Vote,
    VoteAnswer,
    VoterRole,
    last_votes,
    together,
)

CONFIRM_MIN = 0.9
REJECT_MAX = 0.1
VOTERS_MAX = 7
"""So many distinct votes that decide nothing are enough: a moderator is asked. Those of
a low reputation do not count."""


class CandidateVerdict(StrEnum):
    """What becomes of a statement."""

    CONFIRMED = "confirmed"
    REJECTED = "rejected"
    BELIEF = "belief"
    """Its author says so, and the community denies it: held as the author's belief."""
    ASK_PEOPLE = "ask_people"
    ASK_MODERATOR = "ask_moderator"


class DecisionRule(StrEnum):
    """By what it was decided."""

    MODERATOR = "moderator"
    MODERATORS_DIFFER = "moderators_differ"
    AUTHOR = "author"
    AUTHOR_AGAINST_COMMUNITY = "author_against_community"
    GOLD = "gold"
    """Nobody had to decide."""
    TOO_FEW = "fewer_than_two_distinct"
    TWO_DISTINCT = "two_distinct"
    """A majority, among voters of whom not all are known."""
    POSTERIOR = "posterior"
    """What each answer is worth."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A vote that was used.

    Attributes:
        rater: Who cast it; of accounts that always vote alike, the name of their bloc.
        accounts: How many it stands for.
        weight: The log-odds that it adds.
    """

    rater: str
    yes: bool
    weight: float
    accounts: int = 1


@dataclass(frozen=True, slots=True)
class CandidateDecision:
    """What becomes of a statement, and why.

    Attributes:
        posterior: How probably it is true, by the community's votes, in (0.0, 1.0).
        used: The community's votes that were, in the order of their raters.
        by: The moderators or the author who decided, if they did.
        confidence: How far it is relied on; 0 unless it is held.
        flagged: Whether a moderator should look at it.
    """

    verdict: CandidateVerdict
    rule: DecisionRule
    posterior: float
    used: tuple[Counted, ...] = ()
    by: tuple[str, ...] = ()
    confidence: float = 0.0
    flagged: bool = False


def decide(
    votes: Iterable[Vote],
    reputations: Reputations,
    *,
    proposer: str = "",
    critical: bool = False,
) -> CandidateDecision:
    """Decides about one statement.

    Args:
        votes: All that were cast on it.
        proposer: Who put it forward, and does not vote on it (E6), nor does an account
            that always votes as they do.
        critical: Whether answers of those with a low reputation are left out.
    """
    barred = reputations[proposer].bloc
    standing = [
        vote
        for vote in last_votes(votes)
        if vote.answer is not VoteAnswer.ABSTAIN
        and reputations[vote.rater].bloc != barred
    ]
    said: dict[VoterRole, Answers] = {role: {} for role in VoterRole}
    for vote in standing:
        said[vote.role][vote.rater] = vote.answer is VoteAnswer.YES
    community = by_community(said[VoterRole.COMMUNITY], reputations, critical=critical)
    if said[VoterRole.MODERATOR]:
        return _by_moderators(said[VoterRole.MODERATOR], community)
    if said[VoterRole.AUTHOR]:
        return _by_author(said[VoterRole.AUTHOR], community)
    return community


def by_community(
    answers: Mapping[str, bool], reputations: Reputations, *, critical: bool = False
) -> CandidateDecision:
    """Decides by what the community answered, each account at most once."""
    used = counted(answers, reputations, critical=critical)
    evidence = sum(each.weight for each in used)
    posterior = sigmoid(logit(reputations.prior) + evidence)
    # Who says yes to everything is no second witness.
    able = [each for each in used if not reputations[each.rater].low]
    yes = sum(each.yes for each in able)
    no = len(able) - yes
    if max(yes, no) < DISTINCT_MIN:
        verdict, rule = _undecided(able), DecisionRule.TOO_FEW
    elif all(reputations[each.rater].known for each in used):
        rule = DecisionRule.POSTERIOR
        if posterior >= CONFIRM_MIN and yes >= DISTINCT_MIN:
            verdict = CandidateVerdict.CONFIRMED
        elif posterior <= REJECT_MAX and no >= DISTINCT_MIN:
            verdict = CandidateVerdict.REJECTED
        else:
            verdict = _undecided(able)
    else:
        rule = DecisionRule.TWO_DISTINCT
        # Newcomers do not overrule those who are known to be better.
        if yes > no and evidence > 0.0:
            verdict = CandidateVerdict.CONFIRMED
        elif no > yes and evidence < 0.0:
            verdict = CandidateVerdict.REJECTED
        else:
            verdict = _undecided(able)
    confidence = (
        min(posterior, CONFIRMED_CONFIDENCE)
        if verdict is CandidateVerdict.CONFIRMED
        else 0.0
    )
    return CandidateDecision(verdict, rule, posterior, used, confidence=confidence)


def counted(
    answers: Mapping[str, bool], reputations: Reputations, *, critical: bool = False
) -> tuple[Counted, ...]:
    """The votes that count, with what they weigh."""
    bloc_of = {rater: reputations[rater].bloc for rater in answers}
    accounts: dict[str, int] = {}
    for bloc in bloc_of.values():
        accounts[bloc] = accounts.get(bloc, 0) + 1
    return tuple(
        Counted(bloc, yes, reputations[bloc].weight(yes), accounts[bloc])
        for bloc, yes in together(answers, bloc_of).items()
        if not (critical and reputations[bloc].low)
    )


def _undecided(able: Sequence[Counted]) -> CandidateVerdict:
    return (
        CandidateVerdict.ASK_PEOPLE
        if len(able) < VOTERS_MAX
        else CandidateVerdict.ASK_MODERATOR
    )


def _by_moderators(answers: Answers, community: CandidateDecision) -> CandidateDecision:
    verdict, rule = CandidateVerdict.REJECTED, DecisionRule.MODERATOR
    if len(set(answers.values())) > 1:
        verdict, rule = CandidateVerdict.ASK_MODERATOR, DecisionRule.MODERATORS_DIFFER
    elif all(answers.values()):
        verdict = CandidateVerdict.CONFIRMED
    return _instead(community, verdict, rule, answers)


def _by_author(answers: Answers, community: CandidateDecision) -> CandidateDecision:
    verdict, rule = CandidateVerdict.REJECTED, DecisionRule.AUTHOR
    if all(answers.values()):
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
    """A decision by somebody else, with the community's votes beside it."""
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
