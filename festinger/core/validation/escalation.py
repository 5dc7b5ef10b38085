"""Who is asked next, when nobody has decided yet.

    author ──▶ community ──▶ moderators
            half of the time that was left when they were asked, and it is another's turn

Who does not want to be asked is not, and nobody is asked in public about what they wrote.
What is private, flagged, critical or disputed by many is for moderators.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from festinger.core.graph.candidates import Factoid, Lane
from festinger.core.system.principals import is_same, plain
from festinger.core.validation.decision import VOTERS_MAX
from festinger.core.validation.pilot import share_of
from festinger.core.validation.policy import ValidationPolicy
from festinger.core.validation.questions import QuestionState
from festinger.core.validation.routing import is_reachable
from festinger.core.validation.tones import QuestionAudience

MORE_MAX = 2
"""So many of the community are asked in person, where one has answered and nobody else
does."""


class PostedQuestion(NamedTuple):
    """A question that was put about a candidate.

    Attributes:
        created: When it was made, in seconds since the epoch.
    """

    audience: QuestionAudience
    state: QuestionState
    created: float

    @property
    def in_vain(self) -> bool:
        """Whether it never came to anybody."""
        return self.state is QuestionState.FAILED


@dataclass(frozen=True, slots=True)
class UndecidedCase:
    """A candidate that nobody has decided, and what was done about it.

    Attributes:
        asked: The questions about it, oldest first; those about evidence are not.
        voters: Who answered yes or no, by what they said last.
        answered: Whoever answered anything.
        elsewhere: Who was asked the same lately about another candidate.
        evidence_asked: Whether its author was asked for evidence.
    """

    factoid: Factoid
    asked: Sequence[PostedQuestion] = ()
    voters: frozenset[str] = frozenset()
    answered: frozenset[str] = frozenset()
    elsewhere: frozenset[tuple[str, str]] = frozenset()
    evidence_asked: bool = False

    def of(self, lane: Lane) -> list[PostedQuestion]:
        """The questions of a lane."""
        return [asked for asked in self.asked if asked.audience.lane is lane]

    def knows(self, audience: QuestionAudience) -> bool:
        """Whether they were asked, lately about the same if not about this."""
        spot = (audience.recipient, audience.channel)
        return (
            any(asked.audience[1:] == spot for asked in self.asked)
            or spot in self.elsewhere
            or audience.recipient in self.answered
        )


@dataclass(frozen=True, slots=True)
class Asking:
    """What decides who can be asked.

    Attributes:
        opted_out: Who does not want to be asked, as `plain` spells them.
        breaker_open: Whether so much was reversed lately that moderators decide.
        now: Seconds since the epoch.
    """

    policy: ValidationPolicy
    opted_out: Collection[str] = ()
    breaker_open: bool = False
    now: float = 0.0

    def lane(self, case: UndecidedCase) -> Lane:
        """Whose turn it is."""
        factoid = case.factoid
        if self._needs_moderators(case):
            return Lane.MODERATOR
        if (
            factoid.lane is Lane.AUTHOR
            and self._can_ask(factoid.author, factoid)
            and factoid.author not in case.answered
            and not self._is_over(case, Lane.AUTHOR)
        ):
            return Lane.AUTHOR
        if not self.channels(factoid) or self._is_over(case, Lane.COMMUNITY):
            return Lane.MODERATOR
        return Lane.COMMUNITY

    def next(self, case: UndecidedCase) -> list[QuestionAudience]:
        """Who is to be asked now, besides whom was asked."""
        factoid = case.factoid
        if factoid.expires is None or factoid.expires <= self.now:
            return []
        lane = self.lane(case)
        if lane is Lane.AUTHOR:
            turn = [QuestionAudience(lane, recipient=factoid.author)]
        elif lane is Lane.COMMUNITY:
            turn = [
                QuestionAudience(lane, channel=it) for it in self.channels(factoid)[:1]
            ]
            turn += self._more(case)
        else:
            turn = self.moderators(factoid)
        return [audience for audience in turn if not case.knows(audience)]

    def evidence(self, case: UndecidedCase) -> QuestionAudience | None:
        """Who is to be asked for evidence: the author; None if nobody is."""
        factoid = case.factoid
        wanted = factoid.evidence_wanted and not case.evidence_asked
        # What is private is not put to anybody but moderators.
        if (
            not wanted
            or factoid.sensitive
            or not self._can_ask(factoid.author, factoid)
        ):
            return None
        return QuestionAudience(Lane.AUTHOR, recipient=factoid.author)

    def channels(self, factoid: Factoid) -> list[str]:
        """Where the community can be asked: where it was said, or else the usual place."""
        named = (factoid.channel, self.policy.channel)
        return [channel for channel in dict.fromkeys(named) if ":" in channel]

    def moderators(self, factoid: Factoid) -> list[QuestionAudience]:
        """How moderators are reached: in their channel, or else each of them."""
        if self.policy.moderator_channel:
            return [
                QuestionAudience(Lane.MODERATOR, channel=self.policy.moderator_channel)
            ]
        return [
            QuestionAudience(Lane.MODERATOR, recipient=name)
            for name, person in self.policy.people.items()
            if person.moderator and self._can_ask(name, factoid)
        ]

    def _needs_moderators(self, case: UndecidedCase) -> bool:
        factoid = case.factoid
        return (
            factoid.sensitive
            or factoid.flagged
            or factoid.lane is Lane.MODERATOR
            or self.breaker_open
            or self._is_silent(factoid.author)
            or len(case.voters) >= VOTERS_MAX
        )

    def _is_over(self, case: UndecidedCase, lane: Lane) -> bool:
        """Whether a lane had its time, or could not be reached."""
        asked = case.of(lane)
        if not asked:
            return False
        if all(each.in_vain for each in asked):
            return True
        assert case.factoid.expires is not None, "what nobody is asked never comes here"
        return self.now >= (asked[0].created + case.factoid.expires) / 2

    def _more(self, case: UndecidedCase) -> Iterator[QuestionAudience]:
        """Others in person, once one of the community has answered and nobody else has."""
        if not case.voters:
            return
        reached = [it for it in case.of(Lane.COMMUNITY) if it.audience.recipient]
        factoid = case.factoid
        # The same for everybody who computes it, and another order for each candidate.
        others = sorted(
            (name for name in self.policy.people if self._can_ask(name, factoid)),
            key=lambda name: share_of(name, factoid.id, "more"),
        )
        fresh = [
            audience
            for name in others
            if not is_same(name, factoid.author)
            and not case.knows(
                audience := QuestionAudience(Lane.COMMUNITY, recipient=name)
            )
        ]
        yield from fresh[: max(MORE_MAX - len(reached), 0)]

    def _is_silent(self, name: str) -> bool:
        """Whether somebody does not want to be asked."""
        return plain(name) in self.opted_out

    def _can_ask(self, name: str, factoid: Factoid) -> bool:
        """Whether somebody can be asked, wants to be, and may answer (E6)."""
        return (
            is_reachable(name, self.policy)
            and not self._is_silent(name)
            and not is_same(name, factoid.proposer)
        )
