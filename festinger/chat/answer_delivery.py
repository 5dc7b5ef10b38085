"""Transfer of received answers to the memory server, in the order of their arrival."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import structlog

from festinger.api.v1.validation_pb2 import Bot as Tone
from festinger.api.v1.validation_service_pb2 import AnswerRequest
from festinger.chat.accounts import PlatformAccounts
from festinger.chat.adapter import (
    Adapter,
    PersonUnreachable,
    PlatformAnswer,
    PlatformAway,
)
from festinger.chat.bot_state import BotState, Posted, StoredAnswer, about
from festinger.chat.server import RESPONSES, BotClient, ServerFailed, ServerRefused
from festinger.core.validation.events import EventResponse

_LOG = structlog.get_logger(__name__)

GRACE_SECONDS = 600.0
"""Seconds that an answer waits for its message to become known: a bot that was killed
while posting learns of the message when the server leases the question again."""

_TONES = {number: name for name, number in Tone.items()}
_ASK_BY_REPLY = "Several questions wait here. Please reply to the one that you mean."
_NOTHING_ASKED = "Nothing waits for an answer here."
_NUMBER_FIRST = "Please say which one you mean, as in `2 yes`."
_ANSWER_FIRST = "Please answer first, and dispute what you are told then."


class _Asked(NamedTuple):
    """Question that an answer refers to."""

    question_id: int
    candidate_id: int
    bot: int


class _NotYet(Exception):
    """An answer has to wait until an earlier one or its message is known."""


class AnswerDelivery:
    """Sender of received answers to the server.

    Args:
        accounts: Returns the platform's accounts; called for each use.
        now: Returns the time in seconds since the epoch.
        is_posting: Returns True while messages are posted that have no note yet.
    """

    def __init__(
        self,
        adapter: Adapter,
        bot_state: BotState,
        server: BotClient,
        accounts: Callable[[], PlatformAccounts],
        *,
        now: Callable[[], float],
        is_posting: Callable[[], bool],
    ) -> None:
        self._adapter = adapter
        self._bot_state = bot_state
        self._server = server
        self._accounts = accounts
        self._now = now
        self._is_posting = is_posting

    async def count(self) -> bool:
        """Send all waiting answers; return False if any has to be retried later.

        Raises:
            ServerAway: The server cannot be reached; the answers remain waiting.
        """
        complete = True
        for noted in await self._bot_state.waiting():
            try:
                await self._bring(noted)
            except _NotYet:
                complete = False
            except ServerRefused as error:
                await self._refuse(noted.heard, error.message)
            except ServerFailed as error:
                _LOG.error("answer_failed", problem=str(error))
                complete = False
        return complete

    async def _bring(self, noted: StoredAnswer) -> None:
        heard = noted.heard
        principal = self._accounts().principal(heard.account)
        if heard.opts_out is not None:
            await self._server.opt_out(principal, heard.opts_out)
            await self._settle(heard, principal)
            await self._tell(heard, _WISHED[heard.opts_out])
        elif heard.response is EventResponse.WITHDRAWN:
            await self._take_back(heard, principal)
        else:
            await self._answer(noted, principal)

    async def _answer(self, noted: StoredAnswer, principal: str) -> None:
        heard = noted.heard
        asked, problem = await self._asked(heard)
        if asked is None:
            if not problem and noted.received_at > self._now() - GRACE_SECONDS:
                raise _NotYet
            await self._refuse(heard, problem)
            return
        response = heard.response
        if heard.disputes:
            given = [
                it
                for it in await self._bot_state.counted_of(
                    asked.candidate_id, principal
                )
                if it.question_id == asked.question_id
            ]
            if not given:
                await self._refuse(heard, _ANSWER_FIRST)
                return
            response = given[-1].heard.response
        request = self._request(asked, heard.delivery, response)
        request.note, request.dispute = heard.note, heard.disputes
        if heard.instead:
            request.instead = heard.note
        message = await self._server.answer(request, principal)
        await self._settle(heard, principal, asked)
        await self._tell(heard, message)

    async def _take_back(self, heard: PlatformAnswer, principal: str) -> None:
        """Withdraw an earlier answer, if the server has counted it."""
        for noted in await self._bot_state.said(heard.takes_back):
            if noted.state == "counted":
                line = noted.heard.delivery.removeprefix(heard.takes_back)
                by = f"{heard.delivery}{line}"
                await self._bot_state.take_back(noted.heard.delivery, by)
                await self._unwind(noted)
            elif noted.state == "waiting":
                # The server failed on it but may have counted it, so both have to wait.
                raise _NotYet
        await self._settle(heard, principal)
        await self._tell(heard, "")

    async def _unwind(self, noted: StoredAnswer) -> None:
        """Withdraw a person's latest answers as long as they are marked as taken back.

        The server always withdraws the latest valid answer; an earlier one has to wait
        until those after it are withdrawn.
        """
        assert noted.candidate_id is not None
        assert noted.principal is not None
        stack = await self._bot_state.counted_of(noted.candidate_id, noted.principal)
        while stack and (by := stack[-1].taken_by):
            last = stack.pop()
            asked, _ = await self._asked(last.heard)
            if asked is not None:
                request = self._request(asked, by, EventResponse.WITHDRAWN)
                try:
                    await self._server.answer(request, noted.principal)
                except ServerRefused as error:
                    await self._tell(last.heard, error.message, refused=True)
            await self._bot_state.settle(last.heard.delivery, "withdrawn")

    async def _asked(self, heard: PlatformAnswer) -> tuple[_Asked | None, str]:
        """Return the question that an answer refers to, or None and the reason.

        The reason is empty if the message is not known yet.
        """
        if not heard.reference:
            # Read before the notes: a message may be noted in between.
            is_posting = self._is_posting()
            found = await self._bot_state.open_at(heard.place)
            if not found and is_posting:
                return None, ""
            if len(found) != 1:
                return None, _ASK_BY_REPLY if found else _NOTHING_ASKED
        else:
            found = await self._bot_state.at(heard.reference)
        if not found:
            found = await self._found(heard.reference)
        if not found:
            return None, ""
        if heard.line:
            found = [it for it in found if it.line in {0, heard.line}]
        if len(found) != 1:
            return None, _NUMBER_FIRST
        return _Asked(found[0].question_id, found[0].candidate_id, found[0].bot), ""

    async def _found(self, reference: str) -> list[Posted]:
        """Ask the server for the questions of a message that the notes do not have."""
        found = await self._server.find(self._adapter.platform, reference)
        questions = sorted(found, key=lambda it: it.id)
        alone = len(questions) == 1
        return [
            Posted(it.id, about(it), it.bot, reference, "", 0 if alone else line)
            for line, it in enumerate(questions, 1)
        ]

    def _request(
        self, asked: _Asked, delivery: str, response: EventResponse
    ) -> AnswerRequest:
        tone = _TONES.get(asked.bot, "BOT_BARKEEP").removeprefix("BOT_").lower()
        return AnswerRequest(
            question_id=asked.question_id,
            response=RESPONSES[response],
            bot_id=f"{self._adapter.platform}:{tone}",
            delivery=delivery,
        )

    async def _settle(
        self, heard: PlatformAnswer, principal: str, asked: _Asked | None = None
    ) -> None:
        await self._bot_state.settle(
            heard.delivery,
            "counted",
            question_id=asked.question_id if asked else None,
            candidate_id=asked.candidate_id if asked else None,
            principal=principal,
        )

    async def _refuse(self, heard: PlatformAnswer, why: str) -> None:
        await self._bot_state.settle(heard.delivery, "refused")
        await self._tell(heard, why, refused=True)

    async def _tell(
        self, heard: PlatformAnswer, message: str, *, refused: bool = False
    ) -> None:
        """Notify the author of an answer; a failure is logged and does not matter."""
        try:
            await self._adapter.tell(heard, message, refused=refused)
        except (PlatformAway, PersonUnreachable) as error:
            _LOG.info("not_told", platform=self._adapter.platform, problem=str(error))


_WISHED = {
    True: 'You will not be asked any more. Say "start" to be asked again.',
    False: 'You will be asked again. Say "stop" not to be.',
}
