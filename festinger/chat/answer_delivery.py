"""Transfer of received answers to the memory server, in the order of their arrival."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
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
from festinger.chat.bot_state import BotState, PostedMessage, StoredAnswer, about
from festinger.chat.server import RESPONSES, BotClient, ServerFailed, ServerRefused
from festinger.core.validation.votes import EventResponse

log = structlog.get_logger(__name__)

GRACE_SECONDS = 600.0
"""Seconds that an answer waits for its message to become known: a bot that was killed
while posting learns of the message when the server leases the question again."""

_TONES = {number: name for name, number in Tone.items()}  # by the number of a bot
_ASK_BY_REPLY = "Several questions wait here. Please reply to the one that you mean."
_NOTHING_ASKED = "Nothing waits for an answer here."
_NUMBER_FIRST = "Please say which one you mean, as in `2 yes`."
_ANSWER_FIRST = "Please answer first, and dispute what you are told then."


class _AnsweredQuestion(NamedTuple):
    """Question that an answer refers to."""

    question_id: int
    candidate_id: int
    bot: int


class _MustWait(Exception):
    """An answer has to wait until an earlier one or its message is known."""


@dataclass(eq=False)
class AnswerDelivery:
    """Sender of received answers to the server.

    Args:
        accounts: Returns the platform's accounts; called for each use.
        is_posting: Returns True while messages are posted that are not recorded yet.
    """

    adapter: Adapter
    bot_state: BotState
    server: BotClient
    accounts: Callable[[], PlatformAccounts]
    _: KW_ONLY
    now: Callable[[], float]
    is_posting: Callable[[], bool]

    async def send_waiting(self) -> bool:
        """Send all waiting answers; return False if any has to be retried later.

        Raises:
            ServerAway: The server cannot be reached; the answers remain waiting.
        """
        complete = True
        # Later answers are not held up by one that has to wait, unless they depend on it.
        for stored in await self.bot_state.waiting():
            try:
                await self._deliver(stored)
            except _MustWait:
                complete = False
            except ServerRefused as error:
                await self._refuse(stored.answer, error.message)
            except ServerFailed as error:
                log.error("answer_failed", problem=str(error))
                # The server failed on this answer only; the next one may do better.
                complete = False
        return complete

    async def _deliver(self, stored: StoredAnswer) -> None:
        answer = stored.answer
        principal = self.accounts().principal(answer.account)
        # Wishes name no message, and apply to the person.
        if answer.opts_out is not None:
            await self.server.opt_out(principal, answer.opts_out)
            await self._settle(answer, principal)
            await self._notify(answer, _OPT_OUT_NOTICES[answer.opts_out])
        elif answer.response is EventResponse.WITHDRAWN:
            await self._withdraw(answer, principal)
        else:
            await self._answer(stored, principal)

    async def _answer(self, stored: StoredAnswer, principal: str) -> None:
        answer = stored.answer
        asked, problem = await self._asked(answer)
        if asked is None:
            # Its message may become known: the answer can be faster than the bot's own record.
            if not problem and stored.received_at > self.now() - GRACE_SECONDS:
                raise _MustWait
            await self._refuse(answer, problem)
            return
        response = answer.response
        # A dispute needs an answer to the same question, whose response it repeats.
        if answer.disputes:
            previous = [
                it
                for it in await self.bot_state.counted_of(asked.candidate_id, principal)
                if it.question_id == asked.question_id
            ]
            if not previous:
                await self._refuse(answer, _ANSWER_FIRST)
                return
            response = previous[-1].answer.response
        request = self._request(asked, answer.delivery, response)
        request.note, request.dispute = answer.note, answer.disputes
        if answer.instead:
            request.instead = answer.note
        message = await self.server.answer(request, principal)
        # Settled after the server has committed it: a kill in between sends it once more, and
        # the delivery makes it count once.
        await self._settle(answer, principal, asked)
        await self._notify(answer, message)

    async def _withdraw(self, answer: PlatformAnswer, principal: str) -> None:
        """Withdraw an earlier answer, if the server has counted it."""
        for stored in await self.bot_state.by_delivery(answer.takes_back):
            if stored.state == "counted":
                # `#2` is the answer to the second question of the same message.
                line = stored.answer.delivery.removeprefix(answer.takes_back)
                by = f"{answer.delivery}{line}"
                await self.bot_state.withdraw(stored.answer.delivery, by)
                await self._withdraw_last(stored)
            elif stored.state == "waiting":
                # The server failed on it but may have counted it, so both have to wait.
                raise _MustWait
        await self._settle(answer, principal)
        await self._notify(answer, "")

    async def _withdraw_last(self, stored: StoredAnswer) -> None:
        """Withdraw a person's latest answers as long as they are marked as taken back."""
        assert stored.candidate_id is not None
        assert stored.principal is not None
        # The server withdraws the latest valid answer, so that an earlier one has to wait
        # until those after it are withdrawn.
        stack = await self.bot_state.counted_of(stored.candidate_id, stored.principal)
        while stack and (by := stack[-1].withdrawn_by):
            last = stack.pop()
            asked, _ = await self._asked(last.answer)
            if asked is not None:
                request = self._request(asked, by, EventResponse.WITHDRAWN)
                try:
                    await self.server.answer(request, stored.principal)
                except ServerRefused as error:
                    # Too late, for example: the person is told, and the rest of the stack goes on.
                    await self._notify(last.answer, error.message, refused=True)
            await self.bot_state.settle(last.answer.delivery, "withdrawn")

    async def _asked(
        self, answer: PlatformAnswer
    ) -> tuple[_AnsweredQuestion | None, str]:
        """Return the question that an answer refers to, or None and the reason."""
        # The reason stays empty as long as the message may become known.
        # A plain "yes" in a room is meant for the only question that waits there.
        if not answer.reference:
            # Read before the state: a message may be recorded in between.
            is_posting = self.is_posting()
            matches = await self.bot_state.open_at(answer.place)
            if not matches and is_posting:
                return None, ""
            if len(matches) != 1:
                return None, _ASK_BY_REPLY if matches else _NOTHING_ASKED
        else:
            matches = await self.bot_state.posted_in(answer.reference)
        if not matches:
            # A bot that lost its state asks the server, which knows the message by its reference.
            matches = await self._look_up(answer.reference)
        if not matches:
            return None, ""
        if answer.line:
            # Line 0 is a message with one question: "1 yes" is an answer to it as well.
            matches = [it for it in matches if it.line in {0, answer.line}]
        if len(matches) != 1:
            return None, _NUMBER_FIRST
        return _AnsweredQuestion(
            matches[0].question_id, matches[0].candidate_id, matches[0].bot
        ), ""

    async def _look_up(self, reference: str) -> list[PostedMessage]:
        """Ask the server for the questions of a message that is not recorded."""
        matches = await self.server.find(self.adapter.platform, reference)
        # In a digest questions are numbered in the order of their IDs.
        questions = sorted(matches, key=lambda it: it.id)
        alone = len(questions) == 1
        return [
            PostedMessage(it.id, about(it), it.bot, reference, "", 0 if alone else line)
            for line, it in enumerate(questions, 1)
        ]

    def _request(
        self, asked: _AnsweredQuestion, delivery: str, response: EventResponse
    ) -> AnswerRequest:
        # A number of a later version of the server is no reason to lose the answer.
        tone = _TONES.get(asked.bot, "BOT_BARKEEP").removeprefix("BOT_").lower()
        return AnswerRequest(
            question_id=asked.question_id,
            response=RESPONSES[response],
            bot_id=f"{self.adapter.platform}:{tone}",
            delivery=delivery,
        )

    async def _settle(
        self,
        answer: PlatformAnswer,
        principal: str,
        asked: _AnsweredQuestion | None = None,
    ) -> None:
        await self.bot_state.settle(
            answer.delivery,
            "counted",
            question_id=asked.question_id if asked else None,
            candidate_id=asked.candidate_id if asked else None,
            principal=principal,
        )

    async def _refuse(self, answer: PlatformAnswer, why: str) -> None:
        await self.bot_state.settle(answer.delivery, "refused")
        await self._notify(answer, why, refused=True)

    async def _notify(
        self, answer: PlatformAnswer, message: str, *, refused: bool = False
    ) -> None:
        """Notify the author of an answer, if possible: the answer counts without it."""
        try:
            await self.adapter.notify(answer, message, refused=refused)
        except (PlatformAway, PersonUnreachable) as error:
            log.info("not_notified", platform=self.adapter.platform, problem=str(error))


_OPT_OUT_NOTICES = {
    True: 'You will not be asked any more. Say "start" to be asked again.',
    False: 'You will be asked again. Say "stop" not to be.',
}
