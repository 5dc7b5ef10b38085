"""State of one prompt on its way through the shim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from aiohttp import web

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.shim.language.traffic import PassingPrompt
from festinger.shim.loops.loopguard import LoopWatch
from festinger.shim.memories.capture_queue import NewTurns
from festinger.shim.recollection.jsontext import Body
from festinger.shim.recollection.ledger import RequestLayout
from festinger.shim.recollection.request_records import RequestRecord
from festinger.shim.recollection.segments import (
    ParsedPrompt,
    Segment,
)
from festinger.shim.recollection.sessions import Session, ToldConcept
from festinger.shim.system.identity import RequestCaller


@dataclass(frozen=True, slots=True)
class MemoryQuestion:
    """A query to the memory about a prompt.

    Attributes:
        read: Segments that the memory has read once it answers, newest first.
        said: New segments of user and assistant, oldest first, without repeated ones.
    """

    message: pb.RecollectRequest
    read: Sequence[Segment]
    said: Sequence[Segment]


@dataclass(slots=True, eq=False)
class PromptContext:
    """A prompt, and what the steps have found out about it.

    An attribute without a default is set by the step that it is listed under.

    Attributes:
        path: One of `wire.ROUTES`.
        passing: The prompt in the monitor of traffic.
        encoded: receive: Body as received.
        started: receive: Time when it had arrived, in seconds of a monotonic clock.
        raw: receive: Body without its compression.
        headers: receive: Headers for `raw`.
        name: identify: Session that the client names; None for none.
        watch: identify: Loop detection; None for a prompt that is not enriched.
        session_id: session: Its name; before that, the name that the client gives.
        segments: session: Segments of the prompt; those possibly forged have the role
            of a tool.
        new: session: Whether each segment is new to the session.
        response: ask: The memory's answer; None if it did not answer.
        captured: ask: Turns to capture; None for none.
        changed: inject: Body with the blocks; None if it is forwarded as it is.
        result: inject: `full`, `replay`, `none` or `skipped:WHY`.
        missed: ask, inject: Reason for the lack of new lines, if there is one.
        injected: inject: The new lines, recorded in the session once an upstream
            accepts the prompt.
        account: Record of the prompt, to which all steps add.
        milliseconds: record: Latency that the shim has added.
    """

    request: web.Request
    path: str
    caller: RequestCaller
    passing: PassingPrompt | None
    # Without defaults: a step that reads what an earlier one did not set fails loudly.
    encoded: bytes = field(init=False)
    started: float = field(init=False)
    raw: bytes = field(init=False)
    headers: Mapping[str, str] = field(init=False)
    name: str | None = None
    # Stays None for a prompt of a foreign web page, for which `identify` is not called.
    watch: LoopWatch | None = None
    body: Body = field(init=False)
    prompt: ParsedPrompt = field(init=False)
    session: Session = field(init=False)
    session_id: str | None = None
    segments: Sequence[Segment] = field(init=False)
    new: Sequence[bool] = field(init=False)
    layout: RequestLayout = field(init=False)
    question: MemoryQuestion = field(init=False)
    response: pb.RecollectResponse | None = None
    captured: NewTurns | None = None
    changed: bytes | None = None
    # `none`: enriched, but nothing to tell. `skipped` is set by whoever ends the steps.
    result: str = "none"
    missed: str = ""
    injected: Mapping[str, ToldConcept] = field(default_factory=dict)
    account: RequestRecord = field(default_factory=RequestRecord)
    milliseconds: float = 0.0

    @property
    def stops(self) -> bool:
        """True if a loop was found that keeps the prompt from being forwarded."""
        return self.watch is not None and self.watch.stops

    def skip(self, why: str) -> None:
        """Forward the prompt as it is, and report the reason."""
        # Lines that are not in the forwarded body must not count as sent to the session.
        self.result = f"skipped:{why}"
        self.changed, self.missed, self.injected = None, "", {}

    def abandon(self) -> None:
        """Forward the prompt as it is after a defect: nothing found so far counts."""
        # The found session does not count either, only the one that the client names.
        self.skip("error")
        self.session_id = self.name
        self.captured, self.account = None, RequestRecord()
