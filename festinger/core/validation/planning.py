"""Which questions are made now: of whom, in which words, and when they are due."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from festinger.core.graph.candidates import Factoid, FactoidState, Lane, Priority
from festinger.core.system.schedule import Schedule
from festinger.core.validation.audits import wants_audit
from festinger.core.validation.escalation import Asking, UndecidedCase
from festinger.core.validation.limits import DailyAllowance
from festinger.core.validation.questions import Question, QuestionTarget
from festinger.core.validation.tones import QuestionAudience, worded

DIGEST_MAX = 20
"""The most questions of one digest; what is beyond waits for the next one."""


class Planned(NamedTuple):
    """A question that is to be made.

    Attributes:
        digest: Whether it is part of what is due at that moment in that place.
        audited: The one beside which a question with a known answer may go; None if none.
    """

    question: Question
    digest: bool = False
    audited: tuple[Factoid, QuestionAudience] | None = None


@dataclass(slots=True)
class Planner:
    """Makes the questions of one look.

    Attributes:
        allowance: What may still be asked today, beside what waits already.
        digests: How many questions wait in digests already, by where and when.
        template_of: How a candidate's predicate is asked; empty for the usual words.
    """

    asking: Asking
    allowance: DailyAllowance
    template_of: Callable[[Factoid], str] = lambda factoid: ""
    digests: Counter[tuple[QuestionTarget, float]] = field(default_factory=Counter)

    def plan(self, cases: Iterable[UndecidedCase]) -> list[Planned]:
        """The questions to make.

        Args:
            cases: The one whose answer tells most first.
        """
        planned = []
        for case in cases:
            for audience in self.asking.next(case):
                if one := self._planned(case.factoid, audience):
                    planned.append(one)
            if one := self._evidence(case):
                planned.append(one)
        return planned

    def audit(self, settled: Factoid, audience: QuestionAudience) -> Planned | None:
        """A question whose answer is known; None if that is one too many today."""
        spot = QuestionTarget(*audience[1:])
        if not self.allowance.take(spot):
            return None
        audience = audience._replace(lane=Lane.COMMUNITY)
        question = self.question(
            settled, audience, gold=settled.state is FactoidState.CONFIRMED
        )
        return Planned(question)

    def question(
        self,
        factoid: Factoid,
        audience: QuestionAudience,
        *,
        due: float | None = None,
        gold: bool | None = None,
        evidence: bool = False,
    ) -> Question:
        """The question to somebody about a candidate."""
        wording = worded(
            factoid,
            audience,
            template=self.template_of(factoid),
            evidence=evidence,
        )
        return Question(
            factoid.id,
            factoid.cid,
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

    def _evidence(self, case: UndecidedCase) -> Planned | None:
        audience = self.asking.evidence(case)
        if audience is None or not self.allowance.take(QuestionTarget(*audience[1:])):
            return None
        return Planned(self.question(case.factoid, audience, evidence=True))

    def _planned(self, factoid: Factoid, audience: QuestionAudience) -> Planned | None:
        spot = QuestionTarget(*audience[1:])
        digest = self._digest(factoid, audience)
        if digest is not None:
            if self.digests[spot, digest] >= DIGEST_MAX:
                return None
            self.digests[spot, digest] += 1
            return Planned(self.question(factoid, audience, due=digest), digest=True)
        critical = factoid.priority is Priority.CRITICAL
        if not self.allowance.take(spot, critical=critical):
            return None
        share = self.asking.policy.gold_share
        audited = (factoid, audience) if wants_audit(factoid, audience, share) else None
        return Planned(self.question(factoid, audience), audited=audited)

    def _digest(self, factoid: Factoid, audience: QuestionAudience) -> float | None:
        """When moderators get it with others; None for at once.

        What is critical, or over before that, does not wait for it.
        """
        if audience.lane is not Lane.MODERATOR or factoid.priority is Priority.CRITICAL:
            return None
        policy = self.asking.policy
        schedule = Schedule(policy.digest_schedule, policy.timezone)
        due = schedule.next(self.asking.now)
        in_time = due is not None and factoid.expires and due < factoid.expires
        return due if in_time else None
