"""Planning of new questions: the most worthwhile first, their audience, wording and time.

Gold audits are among them: questions with a known answer, which measure who answers (I5).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import log2, log10
from typing import NamedTuple

from festinger.core.graph.candidates import Candidate, CandidateState, Lane, Priority
from festinger.core.system.schedule import Schedule
from festinger.core.validation.escalation import AskingConditions, UndecidedCase
from festinger.core.validation.limits import DailyAllowance
from festinger.core.validation.policy import share_of
from festinger.core.validation.questions import Question, QuestionTarget
from festinger.core.validation.tones import QuestionAudience, worded

DIGEST_MAX = 20
"""Maximum number of questions in a digest; further ones wait for the next digest."""
_URGENCY = {Priority.CRITICAL: 0, Priority.HIGH: 1, Priority.NORMAL: 2, Priority.LOW: 3}


class PlannedQuestion(NamedTuple):
    """A question that is to be created.

    Attributes:
        digest: Whether it is part of the digest of its target and due time.
        audited: The candidate and audience to which an audit question may be added;
            None if none is wanted.
    """

    question: Question
    digest: bool = False
    audited: tuple[Candidate, QuestionAudience] | None = None


@dataclass(slots=True)
class Planner:
    """Planner of the questions of one pass.

    Attributes:
        asking: The conditions under which audiences are chosen.
        allowance: Today's allowance, after the questions that already wait.
        template_of: Returns the question template of a candidate's predicate; empty for
            the default wording.
        digests: Number of questions that already wait in digests, by target and due
            time.
    """

    asking: AskingConditions
    allowance: DailyAllowance
    template_of: Callable[[Candidate], str] = lambda candidate: ""
    digests: Counter[tuple[QuestionTarget, float]] = field(default_factory=Counter)

    def plan(self, cases: Iterable[UndecidedCase]) -> list[PlannedQuestion]:
        """Return the questions to create."""
        planned = []
        for case in cases:
            for audience in self.asking.next(case):
                if one := self._planned(case.candidate, audience):
                    planned.append(one)
            # A moderator may have asked for evidence, whoever else is asked.
            if one := self._evidence(case):
                planned.append(one)
        return planned

    def add_item(self, question: Question) -> PlannedQuestion | None:
        """Return a question about an item for the moderators; None if there is no room."""
        spot = question.spot
        # Items are never urgent: they wait for the digest, if moderators have one.
        due = self.digest_time()
        if due is None:
            return PlannedQuestion(question) if self.allowance.take(spot) else None
        if self.digests[spot, due] >= DIGEST_MAX:
            return None
        self.digests[spot, due] += 1
        return PlannedQuestion(replace(question, due=due), digest=True)

    def audit(
        self, settled: Candidate, audience: QuestionAudience
    ) -> PlannedQuestion | None:
        """Return an audit question; None if the allowance is exhausted."""
        # An audit counts against the allowance: people are not asked more for being measured.
        spot = QuestionTarget(*audience[1:])
        if not self.allowance.take(spot):
            return None
        # Of the settled candidate, the audience is neither the author nor a moderator.
        audience = audience._replace(lane=Lane.COMMUNITY)
        question = self.question(
            settled, audience, gold=settled.state is CandidateState.CONFIRMED
        )
        return PlannedQuestion(question)

    def question(
        self,
        candidate: Candidate,
        audience: QuestionAudience,
        *,
        due: float | None = None,
        gold: bool | None = None,
        evidence: bool = False,
    ) -> Question:
        """Return a question to an audience about a candidate.

        Args:
            due: Time to post it, in seconds since the epoch; None for now.
            gold: The known answer of an audit question; None for other questions.
            evidence: Whether it asks for evidence.
        """
        wording = worded(
            candidate, audience, template=self.template_of(candidate), evidence=evidence
        )
        return Question(
            candidate.id,
            candidate.cid,
            wording.bot,
            audience.lane,
            wording.text,
            wording.why,
            wording.prompt_hash,
            recipient=audience.recipient,
            channel=audience.channel,
            evidence=evidence,
            gold_answer=gold,
            due=self.asking.now if due is None else due,
            created=self.asking.now,
        )

    def _evidence(self, case: UndecidedCase) -> PlannedQuestion | None:
        audience = self.asking.evidence(case)
        if audience is None or not self.allowance.take(QuestionTarget(*audience[1:])):
            return None
        return PlannedQuestion(self.question(case.candidate, audience, evidence=True))

    def _planned(
        self, candidate: Candidate, audience: QuestionAudience
    ) -> PlannedQuestion | None:
        spot = QuestionTarget(*audience[1:])
        digest = self._digest(candidate, audience)
        # Digests have a limit of their own, and count as one question when they are posted.
        if digest is not None:
            if self.digests[spot, digest] >= DIGEST_MAX:
                return None
            self.digests[spot, digest] += 1
            return PlannedQuestion(
                self.question(candidate, audience, due=digest), digest=True
            )
        # Counted without limit: security and safety do not wait for tomorrow.
        critical = candidate.priority is Priority.CRITICAL
        if not self.allowance.take(spot, critical=critical):
            return None
        share = self.asking.policy.gold_share
        audited = (
            (candidate, audience) if wants_audit(candidate, audience, share) else None
        )
        return PlannedQuestion(self.question(candidate, audience), audited=audited)

    def _digest(self, candidate: Candidate, audience: QuestionAudience) -> float | None:
        """Return the time of the next digest for a question; None to post it at once."""
        # Only moderators get digests, and critical candidates last minutes.
        if (
            audience.lane is not Lane.MODERATOR
            or candidate.priority is Priority.CRITICAL
        ):
            return None
        due = self.digest_time()
        # A candidate that expires before the digest is asked about alone.
        in_time = due is not None and candidate.expires and due < candidate.expires
        return due if in_time else None

    def digest_time(self) -> float | None:
        """Return when moderators get their next digest; None if there is none."""
        policy = self.asking.policy
        # None for the schedule `never`.
        return Schedule(policy.digest_schedule, policy.timezone).next(self.asking.now)


def wants_audit(candidate: Candidate, audience: QuestionAudience, share: float) -> bool:
    """Return whether an audit question accompanies a question about a candidate.

    Args:
        share: Share of audit questions among all questions, in [0.0, 0.5].
    """
    # The answers of moderators are what others are measured by.
    if audience.lane is Lane.MODERATOR:
        return False
    # A hash instead of a draw: every server, and every repetition, chooses alike.
    lot = share_of(candidate.cid or candidate.id, *audience[1:], "audit")
    # `share` is of all questions, the lot is drawn for the others: 5 of 100 are 5 for 95.
    return lot < share / (1.0 - share)


def choose_audit(
    settled: Sequence[Candidate], candidate: Candidate, audience: QuestionAudience
) -> Candidate | None:
    """Choose a settled candidate for an audit question; None if none is suitable.

    Args:
        settled: Settled candidates that the audience has neither written nor answered, nor
            was asked about: it cannot know the outcome.
    """
    return min(
        # Private content goes to moderators only.
        (each for each in settled if not each.sensitive),
        key=lambda each: share_of(each.id, candidate.id, *audience[1:], "which"),
        default=None,
    )


class RankingInput(NamedTuple):
    """Properties of a candidate's concepts and confidence that affect its rank.

    Attributes:
        saliency: Saliency of its subject or object, whichever is greater: log10 of the
            number of encounters (B4).
        novel: Whether nothing is held of the subject in this dimension.
        confidence: Calibrated confidence; None to use the raw one.
    """

    saliency: float = 0.0
    novel: bool = True
    confidence: float | None = None


NOTHING_KNOWN = RankingInput()


def urgency(priority: Priority) -> int:
    """Return the rank of a priority; 0 is the most urgent."""
    return _URGENCY[priority]


def worth(candidate: Candidate, interest: RankingInput = NOTHING_KNOWN) -> float:
    """Return the value of an answer, at least 0."""
    # A false fact about a salient concept would be told often; repeated statements matter more.
    value = interest.saliency / 2 + log10(max(candidate.statements, 1))
    clash = 1.0 if candidate.contradicts else 0.0
    novelty = 1.0 if interest.novel else 0.0
    # Calibrated where the extractor is known: its raw confidence may be far off.
    share = candidate.confidence if interest.confidence is None else interest.confidence
    # A confidence of 0.5 is worth 1 bit, a near certainty almost nothing.
    return _bits(share) + value + clash + novelty


def order(
    candidate: Candidate, interest: RankingInput = NOTHING_KNOWN
) -> tuple[int, float, float, int]:
    """Return the sort key of a candidate: urgency, worth, time of expiry, then age."""
    over = float("inf") if candidate.expires is None else candidate.expires
    # The id is the age, and makes the order total.
    return urgency(candidate.priority), -worth(candidate, interest), over, candidate.id


def _bits(share: float) -> float:
    """Return the entropy of a binary outcome of this probability, in bits."""
    if not 0.0 < share < 1.0:
        return 0.0
    return -share * log2(share) - (1.0 - share) * log2(1.0 - share)
