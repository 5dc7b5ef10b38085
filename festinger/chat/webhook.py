"""Adapter for any other platform: a program receives questions and sends answers.

The body is signed in both directions. `Festinger-Timestamp` is the time in seconds
since the epoch, and `Festinger-Signature` is `v1=` and the HMAC-SHA256, in hexadecimal,
of the timestamp, a full stop and the body, with the shared secret. Requests whose
timestamp is more than five minutes off are refused, and a repeated `delivery` has no
effect.
"""

from __future__ import annotations

import asyncio
import hmac
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

import aiohttp
from aiohttp import web

from festinger.api.v1.validation_pb2 import Question
from festinger.chat.accounts import PlatformAccounts
from festinger.chat.adapter import (
    PersonUnreachable,
    PlatformAnswer,
    PlatformAway,
    PlatformListener,
)
from festinger.chat.backoff import Backoff
from festinger.chat.bot_state import BotState
from festinger.chat.listener import BODY_BYTES_MAX, problem
from festinger.chat.wording import read_response, whole
from festinger.core.validation.votes import EventResponse
from festinger.errors import InvalidArgument
from festinger.mapping import to_object

TIMESTAMP: Final = "Festinger-Timestamp"
SIGNATURE: Final = "Festinger-Signature"
DELIVERY: Final = "Festinger-Delivery"
WINDOW_SECONDS: Final = 300.0  # to either side, for clocks that are off
SECONDS_MAX: Final = 15.0
ATTEMPTS_MAX: Final = 4  # one, and three retries
RESULT_SECONDS_MAX: Final = 5.0
"""Seconds that a request waits for the memory server to settle its answer."""
NAME_LENGTH_MAX: Final = 200
NOTE_LENGTH_MAX: Final = 1000
# These can pass: a wrong secret is corrected, a busy program recovers.
_LATER: Final = frozenset({401, 403, 408, 425, 429})
"""Statuses that are retried, in addition to those of 500 and above."""


def sign(secret: bytes, timestamp: str, body: bytes) -> str:
    """Return the signature of a body."""
    # The full stop keeps the digits of the time apart from those of a body.
    digest = hmac.new(secret, timestamp.encode() + b"." + body, sha256).hexdigest()
    return f"v1={digest}"


class Webhook:
    """Adapter for a program that posts questions on a platform of its own.

    Args:
        url: The URL that questions are sent to.
        secret: The shared secret of the signatures.
        bot_state: The persistent state of the bot.
        accounts: Returns the platform's accounts; called for each use.
        channels: The channels that the program can post to, as it names them.
        tenant: The tenant; question IDs are unique only within it.
        sleep: Waits for a number of seconds before a retry.
    """

    platform = "webhook"

    def __init__(
        self,
        url: str,
        secret: str,
        bot_state: BotState,
        accounts: Callable[[], PlatformAccounts],
        *,
        channels: Sequence[str] = (),
        now: Callable[[], float],
        tenant: str = "default",
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._url = url
        self._secret = secret.encode()
        self._bot_state = bot_state
        self._accounts = accounts
        self._channels = channels
        self._now = now
        self._tenant = tenant
        self._sleep = sleep
        self._session: aiohttp.ClientSession | None = None
        self._on_answers: PlatformListener | None = None
        # Requests that wait for the result of their answer, by delivery.
        self._waiting: dict[str, asyncio.Future[tuple[str, bool]]] = {}

    @property
    def routes(self) -> list[web.RouteDef]:
        """The route that receives answers."""
        return [web.post("/answer", self._answered)]

    async def start(self) -> None:
        """Open the session."""
        self._session = aiohttp.ClientSession(
            timeout=aiohttp.ClientTimeout(total=SECONDS_MAX)
        )

    async def stop(self) -> None:
        """Close the session."""
        if self._session:
            await self._session.close()

    async def channels(self) -> Sequence[str]:
        """Return the channels that the program can post to."""
        return self._channels

    async def post(self, question: Question) -> str:
        """Send a question and return the `reference` of the response."""
        body = {"type": "post", "question": self._object(question)}
        return _reference(await self._send(body, self._name("post", [question])))

    async def digest(self, questions: Sequence[Question]) -> str:
        """Send several questions for one message and return its `reference`."""
        body = {"type": "digest", "questions": [self._object(it) for it in questions]}
        return _reference(await self._send(body, self._name("digest", questions)))

    async def update(self, questions: Sequence[Question]) -> None:
        """Send the current state of the questions of a message."""
        objects = [self._object(it) for it in questions]
        body = {
            "type": "update",
            "reference": questions[0].reference,
            "questions": objects,
        }
        # Each state is a delivery of its own, so that the program takes every change.
        state = sha256(json.dumps(objects).encode()).hexdigest()[:16]
        await self._send(body, f"{self._name('update', questions)}.{state}")

    async def withdraw(self, question: Question) -> None:
        """Request the deletion of a message."""
        body = {"type": "withdraw", "reference": question.reference}
        await self._send(body, self._name("withdraw", [question]))

    async def notify(
        self, answer: PlatformAnswer, message: str, *, refused: bool
    ) -> None:
        """Complete the request that sent the answer; send a notice if it has ended."""
        # The program learns the result in the response, if it is there within seconds.
        if result := self._waiting.get(answer.delivery):
            if not result.done():
                result.set_result((message, refused))
            return
        body = {
            "type": "notice",
            "account": answer.account,
            "reference": answer.reference,
            "delivery": answer.delivery,
            "message": message,
            "refused": refused,
        }
        await self._send(body, f"notice.{answer.delivery}")

    async def run(self, on_answers: PlatformListener) -> None:
        """Accept requests until cancelled."""
        self._on_answers = on_answers
        try:
            await asyncio.Event().wait()
        finally:
            self._on_answers = None

    def _object(self, question: Question) -> dict[str, Any]:
        account = self._accounts().account(question.recipient)
        return {**to_object(question, {}), "account": account}

    def _name(self, kind: str, questions: Sequence[Question]) -> str:
        """Return the idempotency key of a request."""
        # The time tells questions apart whose numbers a new database gives out again.
        first = questions[0]
        made = f"{first.create_time.seconds}.{first.create_time.nanos}"
        return f"{kind}.{self._tenant}.{first.digest_id}.{first.id}.{made}"

    async def _send(self, content: Mapping[str, Any], delivery: str) -> Any:
        """Send a request, with retries. Raises `PlatformAway` or `PersonUnreachable`."""
        pauses = Backoff(self._sleep)
        body = json.dumps(content, ensure_ascii=False).encode()
        for _ in range(ATTEMPTS_MAX - 1):
            try:
                return await self._send_once(body, delivery)
            except PlatformAway:
                await pauses.wait()
        return await self._send_once(body, delivery)

    async def _send_once(self, body: bytes, delivery: str) -> Any:
        assert self._session is not None
        # Signed anew for each attempt, as the receiver refuses old times.
        timestamp = str(int(self._now()))
        headers = {
            "Content-Type": "application/json",
            TIMESTAMP: timestamp,
            SIGNATURE: sign(self._secret, timestamp, body),
            DELIVERY: delivery,
        }
        try:
            # Redirects are not followed: one would take the question to another address.
            async with self._session.post(
                self._url, data=body, headers=headers, allow_redirects=False
            ) as response:
                status = response.status
                # At most this much is read, whatever comes.
                text = await response.content.read(BODY_BYTES_MAX)
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            words = str(error) or type(error).__name__
            raise PlatformAway(f"the webhook does not answer: {words}") from None
        if status >= 500 or status in _LATER:
            raise PlatformAway(f"the webhook answers {status}")
        if status >= 300:
            raise PersonUnreachable(f"the webhook answers {status}")
        try:
            return json.loads(text) if text.strip() else {}
        except ValueError:
            raise PlatformAway("the webhook answers something else than JSON") from None

    async def _answered(self, request: web.Request) -> web.Response:
        body = await request.read()  # as sent, since that is what is signed
        if why := self._refusal(request, body):
            return problem(401, why)
        if (on_answers := self._on_answers) is None:
            return problem(503, "the bot is starting. Send it again in a moment")
        try:
            answer = await self._read(body)
        except InvalidArgument as error:
            return problem(400, error.message)
        while not (before := await self._bot_state.by_delivery(answer.delivery)):
            if not (same := self._waiting.get(answer.delivery)):
                return await self._pass_on(answer, on_answers)
            # A concurrent request has the same delivery: wait until it is done.
            await asyncio.wait([same])
        # The same again is an echo; something else by its name is a mistake of the program.
        if before[0].answer != answer:
            return problem(409, "this delivery said something else before")
        return web.json_response({"message": "", "repeated": True})

    async def _pass_on(
        self, answer: PlatformAnswer, on_answers: PlatformListener
    ) -> web.Response:
        """Hand a new answer on and wait for the result."""
        result: asyncio.Future[tuple[str, bool]] = (
            asyncio.get_running_loop().create_future()
        )
        self._waiting[answer.delivery] = result
        try:
            await on_answers([answer])
            async with asyncio.timeout(RESULT_SECONDS_MAX):
                # Set by `notify`, once the memory server has decided.
                message, refused = await result
        except TimeoutError:
            # Stored already: it is sent as soon as the server answers.
            message = "kept, and brought to the memory as soon as it answers"
            return web.json_response({"message": message}, status=202)
        finally:
            del self._waiting[answer.delivery]
            result.cancel()
        if refused:
            return problem(409, message or "nothing like this was asked")
        return web.json_response({"message": message, "repeated": False})

    def _refusal(self, request: web.Request, body: bytes) -> str:
        """Return why a request is rejected, or an empty string if it is authentic."""
        timestamp = request.headers.get(TIMESTAMP, "")
        # Short ASCII digits only, so that `int` takes them.
        if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) < 16):
            return f"{TIMESTAMP} must be the time in seconds since the epoch"
        if abs(self._now() - int(timestamp)) > WINDOW_SECONDS:
            return f"{TIMESTAMP} is more than five minutes off: check the clocks"
        # A header may hold bytes that are no text; they equal no signature.
        shown = request.headers.get(SIGNATURE, "").encode("utf-8", "replace")
        right = sign(self._secret, timestamp, body).encode()
        # Equal time for every wrong signature.
        if not hmac.compare_digest(shown, right):
            return (
                f"{SIGNATURE} is not that of this body: `v1=` and the HMAC-SHA256 of "
                f"{TIMESTAMP}, a full stop and the body"
            )
        return ""

    async def _read(self, body: bytes) -> PlatformAnswer:
        """Parse the answer of a request's body. Raises `InvalidArgument`."""
        try:
            fields = json.loads(body)
        except (ValueError, RecursionError):  # `[[[[…` is too deep
            fields = None
        if not isinstance(fields, dict):
            raise InvalidArgument("the body must be a JSON object", field="body")
        delivery, account = _text(fields, "delivery"), _text(fields, "account")
        opts_out = fields.get("opts_out")
        if opts_out is not None:
            if not isinstance(opts_out, bool):
                raise InvalidArgument("opts_out is true or false", field="opts_out")
            return PlatformAnswer(delivery, account, opts_out=opts_out)
        # What is so instead implies that the statement is not.
        instead = _note(fields.get("instead", ""))
        answer = PlatformAnswer(
            delivery,
            account,
            _text(fields, "reference"),
            line=_line(fields.get("line", 0)),
            response=_response("no" if instead else fields.get("response")),
            note=instead or _note(fields.get("note", "")),
            instead=bool(instead),
            disputes=fields.get("dispute") is True,
        )
        if answer.response is not EventResponse.WITHDRAWN:
            return answer
        return await self._withdrawal(answer)

    async def _withdrawal(self, answer: PlatformAnswer) -> PlatformAnswer:
        """Return a withdrawal of the account's last valid answer."""
        # A repeated delivery withdraws the same answer as before, not the one before that.
        known = await self._bot_state.by_delivery(answer.delivery)
        taken = known[0].answer.takes_back if known else await self._last_valid(answer)
        return PlatformAnswer(
            answer.delivery,
            answer.account,
            answer.reference,
            line=answer.line,
            response=EventResponse.WITHDRAWN,
            takes_back=taken,
        )

    async def _last_valid(self, answer: PlatformAnswer) -> str:
        """Return the delivery of the last answer that can be withdrawn."""
        for stored in reversed(await self._bot_state.by_reference(answer.reference)):
            before = stored.answer
            stands = stored.state in {"waiting", "counted"} and not stored.withdrawn_by
            mine = before.account == answer.account and before.line == answer.line
            if mine and stands and before.response is not EventResponse.WITHDRAWN:
                return before.delivery
        raise InvalidArgument("there is no answer to take back", field="response")


def _reference(answer: Any) -> str:
    """Return the reference of a message. Raises `PlatformAway` if it is invalid."""
    # Without it, answers to the message could not be told from others.
    reference = answer.get("reference") if isinstance(answer, dict) else None
    if not isinstance(reference, str) or not 0 < len(reference) <= NAME_LENGTH_MAX:
        raise PlatformAway(
            'the webhook must answer {"reference": "…"}, its name of the message'
        )
    return reference


def _text(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= NAME_LENGTH_MAX:
        raise InvalidArgument(
            f"{name} must be a text of 1 to {NAME_LENGTH_MAX} characters", field=name
        )
    return whole(value)


def _line(value: Any) -> int:
    # `true` is an int in Python, but no number of a question.
    if type(value) is not int or not 0 <= value < 1000:
        raise InvalidArgument("line must be the number of a question", field="line")
    return value


def _note(value: Any) -> str:
    if not isinstance(value, str) or len(value) > NOTE_LENGTH_MAX:
        raise InvalidArgument(
            f"note must be a text of at most {NOTE_LENGTH_MAX} characters", field="note"
        )
    return whole(value)


def _response(value: Any) -> EventResponse:
    if isinstance(value, str):
        # The API's own words, or what a person would say: `yes`, `no`, `not sure`.
        if value in set(EventResponse):
            return EventResponse(value)
        if response := read_response(value.strip().casefold()):
            return response
    raise InvalidArgument(
        f"response must be one of {', '.join(EventResponse)}, or yes, no, not sure",
        field="response",
    )
