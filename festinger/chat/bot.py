"""Bot that posts the memory server's questions on one platform."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, field

import structlog

from festinger.api.v1.validation_pb2 import Question
from festinger.chat.accounts import PlatformAccounts
from festinger.chat.adapter import (
    Adapter,
    PersonUnreachable,
    PlatformAnswer,
    PlatformAway,
)
from festinger.chat.answer_delivery import AnswerDelivery
from festinger.chat.backoff import Backoff
from festinger.chat.bot_state import BotState
from festinger.chat.server import BotClient, ServerAway, ServerFailed, ServerRefused

log = structlog.get_logger(__name__)

ASK_SECONDS = 3.0
"""Seconds between two requests for questions."""
RETRY_SECONDS = 5.0
"""Seconds until an answer that could not be settled is sent again."""
KEEP_SECONDS = 90 * 86_400.0
"""Seconds for which received answers are kept."""
ERROR_LENGTH_MAX = 300


@dataclass(eq=False)
class PlatformBot:
    """Bot that posts questions on one platform and sends the answers to the server.

    Args:
        accounts: Returns the platform's accounts; called for each use.
        ask_seconds: Seconds between two requests for questions.
    """

    adapter: Adapter
    bot_state: BotState
    server: BotClient
    accounts: Callable[[], PlatformAccounts]
    _: KW_ONLY
    now: Callable[[], float]
    ask_seconds: float = ASK_SECONDS
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    _delivery: AnswerDelivery = field(init=False)
    _lessee: str = field(default="", init=False)
    _wake: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    # A bot that was killed may have posted a message that is not recorded. Until questions
    # were leased once, a plain answer in a room waits instead of being refused.
    _is_posting: bool = field(default=True, init=False)
    _problems: dict[str, str] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self._delivery = AnswerDelivery(
            self.adapter,
            self.bot_state,
            self.server,
            self.accounts,
            now=self.now,
            is_posting=lambda: self._is_posting,
        )

    async def run(self) -> None:
        """Post questions and send the answers to the server until cancelled."""
        await self.bot_state.prune(self.now() - KEEP_SECONDS)
        # A bot that restarts after a kill still holds its leases, and gets its questions again.
        self._lessee = await self.bot_state.value("lessee") or str(uuid.uuid4())
        await self.bot_state.set_value("lessee", self._lessee)
        await self.adapter.start()
        try:
            # Each fails and resumes by itself: answers are taken while the server is away, and
            # questions are posted while the platform sends nothing.
            async with asyncio.TaskGroup() as group:
                group.create_task(self._repeat("listen", self._listen))
                group.create_task(self._repeat("ask", self._ask))
                group.create_task(self._repeat("deliver", self._deliver))
        finally:
            await self.adapter.stop()

    async def _repeat(
        self, name: str, action: Callable[[Callable[[], None]], Awaitable[None]]
    ) -> None:
        """Run an action forever; restart it after a pause when it fails.

        Args:
            name: The task's name in the log.
            action: Receives a callback to call after each success.
        """
        pauses = Backoff(self.sleep)

        def succeeded() -> None:
            """Reset the pauses, and log that the task succeeded again."""
            pauses.reset()
            if self._problems.pop(name, None):
                log.info("bot_goes_on", platform=self.adapter.platform, task=name)

        while True:
            try:
                await action(succeeded)
            except (PlatformAway, ServerAway) as error:
                self._log_problem(name, str(error))
            except Exception:
                # Also an unexpected error must not end the bot; it is logged, and tried again.
                log.exception("bot_failed", platform=self.adapter.platform, task=name)
            await pauses.wait()

    def _log_problem(self, name: str, why: str) -> None:
        # Once per change, because an outage lasts for many attempts.
        if self._problems.get(name) != why:
            self._problems[name] = why
            log.warning(
                "bot_waits", platform=self.adapter.platform, task=name, problem=why
            )

    async def _listen(self, succeeded: Callable[[], None]) -> None:
        async def store(
            answers: Sequence[PlatformAnswer], values: Mapping[str, str] | None = None
        ) -> None:
            """Store answers and the platform's position durably."""
            # The position goes with the answers in one transaction: none is skipped, none repeated.
            await self.bot_state.add_answers(answers, values or {}, self.now())
            succeeded()
            if answers:
                self._wake.set()

        await self.adapter.run(store)

    async def _deliver(self, succeeded: Callable[[], None]) -> None:
        while True:
            # Cleared first, so that an answer that comes meanwhile starts another round.
            self._wake.clear()
            await self._report_posted()
            complete = await self._delivery.send_waiting()
            succeeded()
            with suppress(TimeoutError):
                async with asyncio.timeout(None if complete else RETRY_SECONDS):
                    await self._wake.wait()

    async def _report_posted(self) -> None:
        """Report new messages to the server, which answers are matched with."""
        for posted in await self.bot_state.unreported():
            try:
                await self.server.report(
                    posted.question_id,
                    self._lessee,
                    "posted",
                    reference=posted.reference,
                )
            except ServerRefused as error:
                # It leases the question again; the message is known, so it is reported, not posted.
                log.warning("report_refused", problem=error.message)
            except ServerFailed as error:
                log.error("report_failed", problem=str(error))
                continue
            await self.bot_state.reported(posted.question_id)

    async def _ask(self, succeeded: Callable[[], None]) -> None:
        while True:
            channels = await self.adapter.channels()
            # The configuration may name a channel with its platform or without.
            prefixed = [f"{self.adapter.platform}:{it}" for it in channels]
            leased = await self.server.lease(
                self.adapter.platform,
                self.accounts().principals,
                [*channels, *prefixed],
                self._lessee,
            )
            # From here to the end of the loop a message may be out and not yet recorded.
            self._is_posting = True
            for questions in _messages(leased.post):
                await self._post(questions)
            self._is_posting = False
            for changed in _by_reference(leased.update):
                await self._update(changed)
            succeeded()
            await self.sleep(self.ask_seconds)

    async def _post(self, questions: list[Question]) -> None:
        """Post a message, unless it was posted before."""
        known = [await self.bot_state.posted(it.id) for it in questions]
        # Leased again, as the server did not learn of the message: report it once more.
        if all(known):
            for posted in known:
                assert posted is not None
                await self.bot_state.report_again(posted.question_id)
        else:
            try:
                if len(questions) == 1:
                    reference = await self.adapter.post(questions[0])
                else:
                    reference = await self.adapter.digest(questions)
            except PersonUnreachable as error:
                await self._fail(questions, "unreachable", str(error))
                return
            except PlatformAway as error:
                # The platform fails for all: the loop ends and resumes after a pause.
                await self._fail(questions, "failed", str(error))
                raise
            # References are `PLACE/MESSAGE`; a webhook's may have no place.
            place = reference.rpartition("/")[0]
            await self.bot_state.add_posted(questions, reference, place, self.now())
        self._wake.set()

    async def _update(self, changed: list[Question]) -> None:
        """Update a message, or delete it if its recipient opted out."""
        question = changed[0]
        try:
            # A digest has other questions, so it is edited instead.
            if question.closed_because == "opted_out" and not question.digest_id:
                await self.adapter.withdraw(question)
            else:
                together = await self.server.find(
                    self.adapter.platform, question.reference
                )
                # All questions of the message, as an edit replaces the whole of it.
                await self.adapter.update(_in_order(together) or changed)
        except PersonUnreachable as error:
            log.info("message_gone", problem=str(error))
        except PlatformAway as error:
            await self._fail(changed, "failed", str(error))
            raise
        for question in changed:
            await self.bot_state.close_question(question.id)
            await self._report(question, "updated")

    async def _fail(
        self, questions: Sequence[Question], result: str, error: str
    ) -> None:
        for question in questions:
            await self._report(question, result, error)

    async def _report(self, question: Question, result: str, error: str = "") -> None:
        try:
            await self.server.report(
                question.id, self._lessee, result, error=error[:ERROR_LENGTH_MAX]
            )
        except (ServerRefused, ServerFailed) as refusal:
            # The lease expires, and the server gives the question out again.
            log.warning("report_refused", problem=str(refusal))


def _messages(questions: Sequence[Question]) -> list[list[Question]]:
    """Group questions by message; those of a digest share one."""
    messages: dict[tuple[int, int], list[Question]] = {}
    for question in questions:
        # Questions of no digest are messages of their own.
        alone = 0 if question.digest_id else question.id
        messages.setdefault((question.digest_id, alone), []).append(question)
    return [_in_order(each) for each in messages.values()]


def _by_reference(questions: Sequence[Question]) -> list[list[Question]]:
    """Group questions by the reference of their message."""
    messages: dict[str, list[Question]] = {}
    for question in questions:
        messages.setdefault(question.reference, []).append(question)
    return list(messages.values())


def _in_order(questions: Sequence[Question]) -> list[Question]:
    """Sort the questions of a message by their numbers in it."""
    return sorted(questions, key=lambda it: it.id)
