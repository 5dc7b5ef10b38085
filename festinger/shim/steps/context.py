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
    """A prompt, and what the steps have found out about it, each below its name.

    Attributes:
        path: One of `wire.ROUTES`.
        raw: Body without its compression; `headers` are those for it.
        name: Session that the client names; None for none.
        watch: Loop detection; None for the prompt of a foreign web page.
        session_id: Name of the session; before it is found, the one that the client gives.
        segments: Segments of the prompt; those possibly forged have the role of a tool.
        new: Whether each segment is new to the session.
        response: The memory's answer; None if it did not answer.
        changed: Body with the blocks; None if it is forwarded as it is.
        result: `full`, `replay`, `none` or `skipped:WHY`.
        missed: Reason for the lack of new lines, if there is one.
        injected: The new lines, recorded in the session once an upstream accepts the
            prompt.
        account: Record of the prompt, to which all steps add.
        milliseconds: Latency that the shim has added.
    """

    request: web.Request
    path: str
    caller: RequestCaller
    passing: PassingPrompt | None
    # receive. Without defaults: a step that reads what an earlier one did not set fails loudly.
    encoded: bytes = field(init=False)
    started: float = field(init=False)
    raw: bytes = field(init=False)
    headers: Mapping[str, str] = field(init=False)
    # identify
    name: str | None = None
    watch: LoopWatch | None = None
    # parse
    body: Body = field(init=False)
    prompt: ParsedPrompt = field(init=False)
    # session
    session: Session = field(init=False)
    session_id: str | None = None
    segments: Sequence[Segment] = field(init=False)
    new: Sequence[bool] = field(init=False)
    layout: RequestLayout = field(init=False)
    # ask
    question: MemoryQuestion = field(init=False)
    response: pb.RecollectResponse | None = None
    captured: NewTurns | None = None
    # inject. `none`: enriched, but nothing to tell. Whoever ends the steps sets `skipped`.
    changed: bytes | None = None
    result: str = "none"
    missed: str = ""
    injected: Mapping[str, ToldConcept] = field(default_factory=dict)
    # record
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
