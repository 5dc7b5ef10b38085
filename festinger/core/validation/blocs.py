"""Detection of accounts that answer together, which count as one (I5).

Honest raters agree too, because they are right. A bloc is recognised by common errors:
`camps` finds who disagrees with the others in the same tasks, and a camp is a bloc if its
members are wrong together much more often than independent errors coincide.

The errors of a camp are explained twice: by rates of error at true and at false tasks,
and by the same with a share of tasks in which all members give the wrong answer. The
logarithm of the ratio of the likelihoods is the evidence. So sixty honest answers hide no
lies, and who says yes to everything is no bloc: that is a rate, and weighs nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log, sqrt

from festinger.core.validation.camps import camps
from festinger.core.validation.fitting import fit
from festinger.core.validation.votes import Tally, together

ANSWERED_MIN = 20
"""Number of answers from which an account can be in a bloc."""
ROUNDS_MAX = 4  # each may join blocs that the one before found
SURE = 0.9
"""Posterior (or 1 - posterior) from which the opposite answer is an error."""
EVIDENCE_MIN = 12.0
"""Log-likelihood ratio from which a camp is a bloc."""
CLEAR = 2.0
"""Ratio of the evidence, or of the sizes, from which one of two camps only is a bloc."""
SLIP = 0.05
"""Share of a bloc's answers that miss what it agreed on."""
FIT_ROUNDS = 30  # of expectation maximisation
AGREE_MIN = 5.0
"""Minimum agreement of the others, in standard deviations of agreement by chance."""

MEMBER_MIN = 1.0
"""Log-likelihood ratio from which an account answers with a bloc."""

Error = tuple[bool, int, int]
"""Truth of a task, number of members that answered, and number that were wrong."""


@dataclass(frozen=True, slots=True)
class CommonErrors:
    """Explanation of the errors of a group.

    Attributes:
        share: Share of the tasks of several members that all get wrong, by agreement.
        rates: Rates of independent errors at true and at false tasks.
        evidence: Log-likelihood ratio to independent errors alone.
    """

    share: float
    rates: Mapping[bool, float]
    evidence: float

    def joint(self, error: Error) -> float:
        """Return the probability that the answers to a task were agreed on."""
        agreed, alone = self._chances(error)
        return agreed / (agreed + alone)

    def likelihood(self, errors: Mapping[Error, int]) -> float:
        """Return the log-likelihood of the errors."""
        return sum(
            times * log(sum(self._chances(each))) for each, times in errors.items()
        )

    def _chances(self, error: Error) -> tuple[float, float]:
        """Return the probability of answers if they are agreed on, and if not."""
        true, size, wrong = error
        rate, right = self.rates[true], size - wrong
        alone = rate**wrong * (1.0 - rate) ** right
        if size < 2:  # one answer cannot show an agreement
            return 0.0, alone
        # An agreed answer is wrong but for slips; 1e-300 keeps the logarithm above finite.
        agreed = (1.0 - SLIP) ** wrong * SLIP**right
        return self.share * agreed, (1.0 - self.share) * alone + 1e-300


def blocs(tally: Tally, gold: Mapping[str, bool]) -> dict[str, str]:
    """Return the bloc of each account that is in one, named by its first account."""
    able = _able(tally)
    # What strangers answered among themselves would only pull the share of true tasks.
    # Sorted, since the order of a sum affects its last digit.
    tally = {
        task: tally[task]
        for task in sorted(tally)
        if len(tally[task]) > 1 and not able.isdisjoint(tally[task])
    }
    bloc_of: dict[str, str] = {}
    for _ in range(ROUNDS_MAX):
        # What was found counts as one already, so that a second bloc stands out beside it.
        found = _found(_counted(tally, bloc_of), gold)
        if not found:
            break
        name = {each: bloc[0] for bloc in found for each in bloc}
        # A bloc that was found before may be a member of this one.
        before = {rater: name.get(bloc, bloc) for rater, bloc in bloc_of.items()}
        bloc_of = before | name
    return {rater: bloc_of[rater] for rater in sorted(bloc_of)}


def _counted(tally: Tally, bloc_of: Mapping[str, str]) -> Tally:
    return {task: together(answers, bloc_of) for task, answers in tally.items()}


def _found(tally: Tally, gold: Mapping[str, bool]) -> list[list[str]]:
    """Return the members of the camps that are blocs."""
    able = _able(tally)
    suspected: list[tuple[float, list[str]]] = []
    # One factor has two ends: who lies, and who contradicts the liars; each is tried.
    for camp in camps(tally, able):
        if len(camp.core) > 1:  # nobody agrees alone
            # All who lean that way are one vote, so that members outside of the core do
            # not vouch for it.
            truth = _truth(tally, gold, camp.leaning)
            found = common_errors(_errors(tally, truth, camp.core))
            members = _members(tally, truth, camp.core, found, able)
            if found.evidence >= EVIDENCE_MIN and len(members) > 1:
                suspected.append((found.evidence, members))
    return _convicted(*suspected) if len(suspected) > 1 else [it[1] for it in suspected]


def _convicted(
    one: tuple[float, list[str]], other: tuple[float, list[str]]
) -> list[list[str]]:
    """Return which of two opposite camps is a bloc: both, if that cannot be told."""
    weaker, stronger = sorted((one, other))
    # Whoever believes the bloc thinks that the honest err together: far more evidence decides.
    if stronger[0] >= CLEAR * weaker[0]:
        return [stronger[1]]
    # Else the far smaller camp is the bloc; if that cannot be told, each camp counts as one.
    smaller, larger = sorted((one[1], other[1]), key=len)
    return [smaller] if len(larger) >= CLEAR * len(smaller) else [smaller, larger]


def _truth(
    tally: Tally, gold: Mapping[str, bool], camp: Sequence[str]
) -> dict[str, bool]:
    """Return what is surely true or false while a camp counts as a single vote."""
    posteriors = _probable(tally, gold, dict.fromkeys(camp, camp[0]))
    return {
        task: posterior >= SURE
        # Gold may label tasks that nobody answered here; an open posterior shows no error.
        for task, posterior in posteriors.items()
        if task in tally and not 1.0 - SURE < posterior < SURE
    }


def _error(answers: Mapping[str, bool], true: bool, members: Collection[str]) -> Error:
    said = [yes for rater, yes in answers.items() if rater in members]
    return true, len(said), sum(yes != true for yes in said)


def _errors(
    tally: Tally, truth: Mapping[str, bool], camp: Sequence[str]
) -> Counter[Error]:
    """Count the errors of a camp."""
    members = set(camp)
    errors = Counter(_error(tally[task], true, members) for task, true in truth.items())
    # Tasks that no member answered say nothing.
    return Counter({each: times for each, times in errors.items() if each[1]})


def _members(
    tally: Tally,
    truth: Mapping[str, bool],
    camp: Sequence[str],
    found: CommonErrors,
    able: Collection[str],
) -> list[str]:
    """Return who answers as the camp does where it is wrong together."""
    # Members may hide outside of the camp, and the camp may hold some who erred by chance.
    members = set(camp)
    wrong: Counter[str] = Counter()
    count: Counter[str] = Counter()
    shared: list[tuple[float, str, bool]] = []
    # Split the tasks: those that were agreed on, and those that show how often each errs alone.
    for task, true in truth.items():
        joint = found.joint(_error(tally[task], true, members))
        for rater, yes in tally[task].items():
            if joint >= 0.5:
                shared.append((joint, rater, yes != true))
            else:
                wrong[rater] += yes != true
                count[rater] += 1
    score = dict.fromkeys(able, 0.0)
    for joint, rater, agrees in shared:
        if rater not in score:
            continue
        # Smoothed towards one error in four: few answers must not make an error incredible.
        rate = (wrong[rater] + 1.0) / (count[rater] + 4.0)
        # A joint error speaks for membership, the more the rarer the rater errs otherwise.
        score[rater] += joint * (
            log((1.0 - SLIP) / rate) if agrees else log(SLIP / (1.0 - rate))
        )
    return sorted(
        rater
        for rater in able
        # Who stood out stays unless it speaks against them; others must be shown to belong.
        if score[rater] >= (0.0 if rater in members else MEMBER_MIN)
    )


def common_errors(errors: Mapping[Error, int]) -> CommonErrors:
    """Explain errors by rates, and by a share of tasks that all get wrong besides."""
    met = sum(times for (_, size, _), times in errors.items() if size > 1)
    # The two explanations: all errors independent, and a share of them agreed on.
    alone = CommonErrors(0.0, _rates(errors), 0.0)
    found = CommonErrors(0.1, {it: rate / 2 for it, rate in alone.rates.items()}, 0.0)
    for _ in range(FIT_ROUNDS if met else 0):
        joint = {each: found.joint(each) * times for each, times in errors.items()}
        rates = _rates({it: times - joint[it] for it, times in errors.items()})
        found = CommonErrors(min(0.5, sum(joint.values()) / met), rates, 0.0)
    gained = found.likelihood(errors) - alone.likelihood(errors)
    return replace(found, evidence=gained) if met else alone


def _rates(errors: Mapping[Error, float]) -> dict[bool, float]:
    """Return the smoothed rates of error at true and at false tasks."""
    # Smoothing of one answer: a rate of 0 or 1 would make a single deviation impossible.
    wrong, seen = {True: 0.5, False: 0.5}, {True: 1.0, False: 1.0}
    for (true, size, count), times in errors.items():
        wrong[true] += count * times
        seen[true] += size * times
    return {true: wrong[true] / seen[true] for true in wrong}


def _probable(
    tally: Tally, gold: Mapping[str, bool], voice_of: Mapping[str, str]
) -> Mapping[str, float]:
    """Return the posterior of each task, with each suspected group as a single vote."""
    # Others who agree by chance only prove nobody wrong: only gold labels count then.
    if _agreement(tally, voice_of) < AGREE_MIN:
        return {task: float(true) for task, true in gold.items()}
    return fit(_counted(tally, voice_of), gold).posteriors


def _agreement(tally: Tally, accused: Collection[str]) -> float:
    """Return the agreement of all others, in standard deviations of chance agreement."""
    # The deviations of two raters from their usual share of yes have a product of mean
    # 0 if they answer at random, and a positive one if they know something.
    yes: Counter[str] = Counter()
    answered = _answered(tally)
    for answers in tally.values():
        yes.update(rater for rater, said in answers.items() if said)
    product = variance = 0.0
    for answers in tally.values():
        usual = [
            (said, yes[rater] / answered[rater])
            # Sorted, since the order of a sum affects its last digit.
            for rater, said in sorted(answers.items())
            if rater not in accused
        ]
        product += _pairs_of([said - share for said, share in usual])
        variance += _pairs_of([share * (1.0 - share) for _, share in usual])
    return product / sqrt(variance) if variance > 0.0 else 0.0


def _pairs_of(values: Sequence[float]) -> float:
    """Return the sum of the products of all pairs."""
    # (a + b + c)² less the squares is twice the pairs: linear, where pairs are quadratic.
    whole = sum(values)
    return (whole * whole - sum(value * value for value in values)) / 2


def _able(tally: Tally) -> set[str]:
    """Return the accounts that answered enough to be in a bloc."""
    answered = _answered(tally)
    return {rater for rater, count in answered.items() if count >= ANSWERED_MIN}


def _answered(tally: Tally) -> Counter[str]:
    """Return the number of tasks that each account answered."""
    return Counter(rater for answers in tally.values() for rater in answers)
