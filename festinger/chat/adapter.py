"""Interface of chat platforms: post and update questions, receive answers."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from aiohttp import web

from festinger.api.v1.validation_pb2 import Question
from festinger.core.validation.votes import EventResponse

EVERY = -1
"""Value of `PlatformAnswer.line` for all questions of a digest."""


class PlatformAway(Exception):
    """The platform cannot be reached now; a retry may succeed."""


class PersonUnreachable(Exception):
    """The recipient or channel cannot be reached there; a retry does not help."""


@dataclass(frozen=True, slots=True)
class PlatformAnswer:
    """Answer that a person gave on a platform.

    Attributes:
        delivery: The platform's identifier of the answer, for deduplication.
        account: The platform's identifier of the account that answered.
        reference: The platform's identifier of the message that is answered; empty if
            the answer refers to none.
        place: The platform's identifier of the room or channel.
        line: The number of the answered question in a digest, from 1; 0 for a message
            with a single question; `EVERY` for all questions of a digest.
        response: The response; `WITHDRAWN` if `takes_back` names an earlier answer.
        note: The text that follows the answer.
        mark: The reaction; empty if the answer is not a reaction.
        takes_back: The delivery of the earlier answer that is withdrawn.
        instead: Whether the note is what is so instead, in the person's own words.
        disputes: Whether the answer disputes a fact that the question presupposes.
        opts_out: True to opt out of questions, False to opt in again; None for an
            answer.
    """

    # Platforms repeat what they delivered; this tells new answers from old ones.
    delivery: str
    account: str
    reference: str = ""
    place: str = ""
    line: int = 0
    response: EventResponse = EventResponse.ABSTAIN
    note: str = ""
    mark: str = ""
    takes_back: str = ""
    instead: bool = False
    disputes: bool = False
    opts_out: bool | None = None


class PlatformListener(Protocol):
    """Callback that stores received answers."""

    def __call__(
        self, answers: Sequence[PlatformAnswer], values: Mapping[str, str] = ...
    ) -> Awaitable[None]:
        """Store answers and key-value pairs; return when both are on disk."""
        # Only then they are acknowledged: the platform repeats what was not.


class Adapter(Protocol):
    """Client of a chat platform.

    All methods but `start`, `stop` and `run` may raise `PlatformAway`, and
    `PersonUnreachable` where a message cannot be delivered or changed.
    """

    platform: str
    """The name of the platform. Example: `matrix`."""

    @property
    def routes(self) -> Sequence[web.RouteDef]:
        """The HTTP routes that receive answers; empty if the adapter polls for them."""

    async def start(self) -> None:
        """Open the session without connecting to the platform."""

    async def stop(self) -> None:
        """Release all resources."""

    async def channels(self) -> Sequence[str]:
        """Return the channels that the bot can post to."""

    async def post(self, question: Question) -> str:
        """Post a question and return the reference of its message; idempotent."""
        # A bot that was killed between posting and recording posts again.

    async def digest(self, questions: Sequence[Question]) -> str:
        """Post several questions in one message and return its reference."""

    async def update(self, questions: Sequence[Question]) -> None:
        """Update the message of these questions to their current state."""

    async def withdraw(self, question: Question) -> None:
        """Delete the message of a question."""

    async def notify(
        self, answer: PlatformAnswer, message: str, *, refused: bool
    ) -> None:
        """Tell the author of an answer, in private, whether it was accepted."""

    async def run(self, on_answers: PlatformListener) -> None:
        """Receive answers until cancelled. Raises `PlatformAway`."""
