"""Choice of the next audience for an undecided candidate.

    author ──▶ community ──▶ moderators
            each lane has half of the time that was left when it was first asked

People who opted out are not asked, and nothing that they wrote is asked in public.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from festinger.core.graph.candidates import Candidate, Lane
from festinger.core.system.principals import is_same, plain
from festinger.core.validation.decision import VOTERS_MAX
from festinger.core.validation.policy import ValidationPolicy, share_of
from festinger.core.validation.questions import QuestionState
from festinger.core.validation.routing import is_reachable
from festinger.core.validation.tones import QuestionAudience

MORE_MAX = 2
"""Maximum number of people of the community who are asked in person, once one of the
community has answered."""


class PostedQuestion(NamedTuple):
    """A question that was asked about a candidate."""

    audience: QuestionAudience
    state: QuestionState
    created: float

    @property
    def in_vain(self) -> bool:
        """True if it could not be posted."""
        return self.state is QuestionState.FAILED


@dataclass(frozen=True, slots=True)
class UndecidedCase:
    """An undecided candidate, with its questions and answers.

    Attributes:
        asked: The questions about it, oldest first, without requests for evidence.
        voters: The principals whose last answer is yes or no.
        answered: The principals with any answer.
        elsewhere: The (recipient, channel) pairs that were recently asked the same
            about another candidate.
        evidence_asked: Whether its author was asked for evidence.
    """

    candidate: Candidate
    asked: Sequence[PostedQuestion] = ()
    voters: frozenset[str] = frozenset()
    answered: frozenset[str] = frozenset()
    elsewhere: frozenset[tuple[str, str]] = frozenset()
    evidence_asked: bool = False

    def of(self, lane: Lane) -> list[PostedQuestion]:
        """Return the questions of a lane."""
        return [asked for asked in self.asked if asked.audience.lane is lane]

    def knows(self, audience: QuestionAudience) -> bool:
        """Return whether an audience was asked this or the same, or has answered."""
        spot = (audience.recipient, audience.channel)
        # The lane is left out: a person is not asked the same again as somebody else.
        return (
            any(asked.audience[1:] == spot for asked in self.asked)
            or spot in self.elsewhere
            or audience.recipient in self.answered
        )


@dataclass(frozen=True, slots=True)
class AskingConditions:
    """Conditions under which audiences are chosen.

    Attributes:
        opted_out: The principals who opted out of questions, as `plain` spells them.
    """

    policy: ValidationPolicy
    opted_out: Collection[str] = ()
    breaker_open: bool = False
    now: float = 0.0

    def lane(self, case: UndecidedCase) -> Lane:
        """Return the lane that is to be asked now."""
        candidate = case.candidate
        # Private, flagged and critical ones, and those that many votes did not decide.
        if self._needs_moderators(case):
            return Lane.MODERATOR
        if (
            candidate.lane is Lane.AUTHOR
            and self.can_ask(candidate.author, candidate.proposer)
            and candidate.author not in case.answered
            and not self._is_over(case, Lane.AUTHOR)
        ):
            return Lane.AUTHOR
        # Without a channel the community cannot be reached at all.
        if not self.channels(candidate) or self._is_over(case, Lane.COMMUNITY):
            return Lane.MODERATOR
        return Lane.COMMUNITY

    def next(self, case: UndecidedCase) -> list[QuestionAudience]:
        """Return the audiences to ask now; those that were asked are left out."""
        # Outside of the pilot nobody is asked; what is over is closed by the worker.
        candidate = case.candidate
        if candidate.expires is None or candidate.expires <= self.now:
            return []
        lane = self.lane(case)
        if lane is Lane.AUTHOR:
            turn = [QuestionAudience(lane, recipient=candidate.author)]
        elif lane is Lane.COMMUNITY:
            turn = [
                QuestionAudience(lane, channel=it)
                for it in self.channels(candidate)[:1]
            ]
            turn += self._more(case)
        else:
            turn = self.moderators(candidate.proposer)
        return [audience for audience in turn if not case.knows(audience)]

    def evidence(self, case: UndecidedCase) -> QuestionAudience | None:
        """Return the author to ask for evidence; None if nobody is to be asked."""
        candidate = case.candidate
        wanted = candidate.evidence_wanted and not case.evidence_asked
        # Private content is shown to moderators only.
        if (
            not wanted
            or candidate.sensitive
            or not self.can_ask(candidate.author, candidate.proposer)
        ):
            return None
        return QuestionAudience(Lane.AUTHOR, recipient=candidate.author)

    def channels(self, candidate: Candidate) -> list[str]:
        """Return the community's channels: that of the message, then the default."""
        # In order of preference; a channel's name has its platform in front ("matrix:!room").
        named = (candidate.channel, self.policy.channel)
        return [channel for channel in dict.fromkeys(named) if ":" in channel]

    def moderators(self, proposer: str) -> list[QuestionAudience]:
        """Return the audiences of moderators: their channel, or else each in person.

        Args:
            proposer: Who may not decide; empty for nobody.
        """
        # A channel reaches all moderators with one message.
        if self.policy.moderator_channel:
            return [
                QuestionAudience(Lane.MODERATOR, channel=self.policy.moderator_channel)
            ]
        return [
            QuestionAudience(Lane.MODERATOR, recipient=name)
            for name, person in self.policy.people.items()
            if person.moderator and self.can_ask(name, proposer)
        ]

    def _needs_moderators(self, case: UndecidedCase) -> bool:
        candidate = case.candidate
        return (
            candidate.sensitive
            or candidate.flagged
            or candidate.lane is Lane.MODERATOR
            or self.breaker_open
            # Who opted out is not discussed in public either.
            or self._is_silent(candidate.author)
            or len(case.voters) >= VOTERS_MAX
        )

    def _is_over(self, case: UndecidedCase, lane: Lane) -> bool:
        """Return whether a lane's time is over, or all its questions failed."""
        asked = case.of(lane)
        if not asked:
            return False
        # Bots could post none of them: waiting for answers would be in vain.
        if all(each.in_vain for each in asked):
            return True
        # Half of the time that was left when the lane was first asked, so that later
        # ones have some.
        assert case.candidate.expires is not None, (
            "what nobody is asked never comes here"
        )
        return self.now >= (asked[0].created + case.candidate.expires) / 2

    def _more(self, case: UndecidedCase) -> Iterator[QuestionAudience]:
        """Yield further people of the community to ask, once anybody has voted."""
        # The channel comes first; persons are asked to reach the two distinct votes.
        if not case.voters:
            return
        reached = [it for it in case.of(Lane.COMMUNITY) if it.audience.recipient]
        candidate = case.candidate
        # By a hash: another order for each candidate, and the same one on each server.
        others = sorted(
            (
                name
                for name in self.policy.people
                if self.can_ask(name, candidate.proposer)
            ),
            key=lambda name: share_of(name, candidate.id, "more"),
        )
        fresh = [
            audience
            for name in others
            if not is_same(name, candidate.author)
            and not case.knows(
                audience := QuestionAudience(Lane.COMMUNITY, recipient=name)
            )
        ]
        yield from fresh[: max(MORE_MAX - len(reached), 0)]

    def _is_silent(self, name: str) -> bool:
        """Return whether a principal opted out of questions."""
        return plain(name) in self.opted_out

    def can_ask(self, name: str, proposer: str) -> bool:
        """Return whether a principal is reachable, not opted out, and may vote (E6)."""
        return (
            is_reachable(name, self.policy)
            and not self._is_silent(name)
            and not is_same(name, proposer)
        )
