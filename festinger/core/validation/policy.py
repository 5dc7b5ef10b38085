"""Policy of validation, and the predicates and authors that it selects.

The configuration may replace any of its values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b

from festinger.core.graph.candidates import Priority
from festinger.core.graph.values.dates import DAY

TTL_SECONDS: Mapping[Priority, float] = {
    Priority.CRITICAL: 15 * 60.0,
    Priority.HIGH: 2 * 3600.0,
    Priority.NORMAL: 48 * 3600.0,
    Priority.LOW: 48 * 3600.0,  # asked after the urgent ones, and no sooner over
}
"""Time until a candidate expires, in seconds, by priority (I4a)."""
ALL = "*"
"""Wildcard for all predicates."""


@dataclass(frozen=True, slots=True)
class Person:
    """A person who may be asked.

    Attributes:
        accounts: Accounts by platform. Example: `{"matrix": "@alice:example.org"}`.
        high: Whether the person's statements have high priority (4-validation: high
            karma).
    """

    accounts: Mapping[str, str] = field(default_factory=dict)
    moderator: bool = False
    high: bool = False


@dataclass(frozen=True, slots=True)
class ValidationPolicy:
    """Policy of validation.

    Attributes:
        predicates: URIs of the predicates that people are asked about; `*` for all.
        share: Share of authors for which people are asked, in [0.0, 1.0].
        ttl_seconds: Time until a candidate expires, in seconds, by priority.
        inbox_items_max: Maximum number of items of the inbox that a person or channel
            is asked about in a day; 0 for none.
        gold_share: Share of audit questions, in [0.0, 0.5].
        people: The people who may be asked, by principal.
        channel: Default channel of the community, for statements from no channel; empty
            for none.
        moderator_channel: Channel of the moderators; empty to ask each in person.
        digest_schedule: Schedule of the moderators' digest: a cron expression, or
            `never`.
        timezone: Time zone of the schedule and of the limits by day.
        console_url: URL of the console; empty if it is not reachable.
        reversed_max: Share of confirmed facts reversed in a day above which the circuit
            breaker opens.
        reversed_min: Minimum number of reversals to open the circuit breaker.
        breaker_seconds: Time that the circuit breaker stays open, in seconds.
    """

    # The predicates that the specification begins with.
    predicates: tuple[str, ...] = ("t:joined", "t:worksAt")
    share: float = 1.0
    ttl_seconds: Mapping[Priority, float] = field(default_factory=lambda: TTL_SECONDS)
    person_questions_max: int = 3
    channel_questions_max: int = 10
    inbox_items_max: int = 5
    gold_share: float = 0.03  # three of a hundred questions have a known answer
    people: Mapping[str, Person] = field(default_factory=dict)
    channel: str = ""
    moderator_channel: str = ""
    digest_schedule: str = "0 9 * * *"
    timezone: str = "UTC"
    console_url: str = ""
    reversed_max: float = 0.2
    reversed_min: int = 5
    breaker_seconds: float = DAY

    @property
    def asks_items(self) -> bool:
        """Return whether anybody is asked about items of the inbox."""
        moderators = self.moderator_channel or any(map(self.is_moderator, self.people))
        return bool(self.inbox_items_max and moderators)

    def is_moderator(self, principal: str) -> bool:
        """Return whether a principal is a moderator, who decides alone."""
        person = self.people.get(principal)
        return person is not None and person.moderator


POLICY = ValidationPolicy()


def in_pilot(predicate: str, author: str, policy: ValidationPolicy) -> bool:
    """Return whether people are asked about a candidate.

    Args:
        predicate: URI of its predicate; empty if only its dimension is known.
        author: Author of its text; empty if there is none, and then it is included only
            if all authors are.
    """
    # The specification's roll-out: a few predicates first, then a share of people.
    if ALL not in policy.predicates and predicate not in policy.predicates:
        return False
    if policy.share >= 1.0:
        return True
    return bool(author) and share_of(author, "pilot") < policy.share


def share_of(*names: str | int) -> float:
    """Hash names to a number in [0.0, 1.0), the same on every server."""
    # Whoever is below a share is below every larger one: a wider pilot drops nobody.
    text = "\0".join(str(name) for name in names)
    digest = blake2b(text.encode(), digest_size=8).digest()
    # A float has 53 bits of precision, so the result never rounds up to 1.
    return (int.from_bytes(digest) >> 11) / 2**53
