"""What validation goes by; configuration may replace any of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from festinger.core.graph.candidates import Priority

TTL_SECONDS: Mapping[Priority, float] = {
    Priority.CRITICAL: 15 * 60.0,
    Priority.HIGH: 2 * 3600.0,
    Priority.NORMAL: 48 * 3600.0,
    Priority.LOW: 48 * 3600.0,
}
"""How long a candidate waits for people (I4a)."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who may be asked.

    Attributes:
        accounts: Their account by platform. Example: `{"matrix": "@alice:example.org"}`.
        high: Whether what they say is urgent (4-validation: high karma).
    """

    accounts: Mapping[str, str] = field(default_factory=dict)
    moderator: bool = False
    high: bool = False


@dataclass(frozen=True, slots=True)
class ValidationPolicy:
    """What validation goes by.

    Attributes:
        predicates: For which it is on; `*` for all.
        share: For which share of authors it is on, in [0.0, 1.0].
        ttl_seconds: By priority.
        person_questions_max: Questions to a person in a day.
        channel_questions_max: Questions in a channel in a day.
        gold_share: Of how many questions the answer is known, in [0.0, 0.5].
        people: By principal.
        channel: Where the community is asked about what was said nowhere in particular;
            empty for nowhere.
        moderator_channel: Where moderators are asked; empty: each in person.
        digest_schedule: When moderators get their digest: a cron expression, or never.
        timezone: Where that is meant, and where a day begins.
        console_url: Where people reach the console; empty if they do not.
        reversed_max: The share of confirmed facts that may be reversed in a day, before
            everything goes to moderators.
        reversed_min: … if so many were.
        breaker_seconds: For how long it does.
    """

    predicates: tuple[str, ...] = ("t:joined", "t:worksAt")
    share: float = 1.0
    ttl_seconds: Mapping[Priority, float] = field(default_factory=lambda: TTL_SECONDS)
    person_questions_max: int = 3
    channel_questions_max: int = 10
    gold_share: float = 0.03
    people: Mapping[str, Person] = field(default_factory=dict)
    channel: str = ""
    moderator_channel: str = ""
    digest_schedule: str = "0 9 * * *"
    timezone: str = "UTC"
    console_url: str = ""
    reversed_max: float = 0.2
    reversed_min: int = 5
    breaker_seconds: float = 86_400.0

    def is_moderator(self, principal: str) -> bool:
        """Whether somebody decides alone."""
        person = self.people.get(principal)
        return person is not None and person.moderator


POLICY = ValidationPolicy()
