"""What every platform can do: post a question, change it, and hear what people say."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from aiohttp import web

from festinger.api.v1.validation_pb2 import Question
from festinger.core.validation.events import AnswerEvent

EVERY = -1
"""Every question of a digest, as `PlatformAnswer.line`."""


class PlatformAway(Exception):
    """The platform cannot be reached now; trying again later helps."""


class PersonUnreachable(Exception):
    """Whoever is to be asked cannot be reached there; trying again does not help."""


@dataclass(frozen=True, slots=True)
class PlatformAnswer:
    """What somebody said on a platform.

    Attributes:
        delivery: The platform's name of what was said, so that it counts once.
        account: The platform's name of who said it.
        reference: The platform's name of the message that it answers; empty if it was
            said without one.
        place: Where it was said, in words of the platform.
        line: The question of a digest that it answers, from 1; 0 for a message that asks
            one thing.
        response: The answer; `WITHDRAWN` with what it takes back in `takes_back`.
        note: What was said besides.
        mark: The reaction, if it was one.
        takes_back: The delivery of an earlier answer that is taken back.
        disputes: Whether they say that what the question takes for known is wrong.
        opts_out: Whether they do not want to be asked, or do again; None for an answer.
    """

    delivery: str
    account: str
    reference: str = ""
    place: str = ""
    line: int = 0
    response: AnswerEvent = AnswerEvent.ABSTAIN
    note: str = ""
    mark: str = ""
    takes_back: str = ""
    disputes: bool = False
    opts_out: bool | None = None


class PlatformListener(Protocol):
    """Takes what was heard."""

    def __call__(
        self, heard: Sequence[PlatformAnswer], kept: Mapping[str, str] = ...
    ) -> Awaitable[None]:
        """Returns when all of it is on disk, and what is to be kept with it."""


class Adapter(Protocol):
    """A platform, as the bot sees it.

    All but `run` raise `PlatformAway`, and `PersonUnreachable` where somebody is asked.
    """

    platform: str
    """Its name. Example: `matrix`."""

    @property
    def routes(self) -> Sequence[web.RouteDef]:
        """Where answers are brought to it; nowhere if it fetches them."""

    async def start(self) -> None:
        """Gets ready; does not wait for the platform."""

    async def stop(self) -> None:
        """Lets go of everything."""

    async def channels(self) -> Sequence[str]:
        """Where it can post."""

    async def post(self, question: Question) -> str:
        """Asks; returns the platform's name of the message. Asked twice, it is one."""

    async def digest(self, questions: Sequence[Question]) -> str:
        """The same for several questions in one message."""

    async def update(self, questions: Sequence[Question]) -> None:
        """Changes the message of these questions to what has become of them."""

    async def withdraw(self, question: Question) -> None:
        """Takes a message away."""

    async def tell(self, heard: PlatformAnswer, message: str, *, refused: bool) -> None:
        """Tells somebody what became of what they said, where nobody else sees it."""

    async def run(self, on_heard: PlatformListener) -> None:
        """Listens, until cancelled.

        Raises:
            PlatformAway: It cannot go on now.
        """
