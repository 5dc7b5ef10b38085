"""Messages: whatever bytes a client sends, they are refused in words or understood."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from google.protobuf.message import DecodeError, Message

from festinger.api.v1 import line_service_pb2 as lines_pb
from festinger.api.v1 import memory_service_pb2 as pb
from festinger.api.v1 import promotion_service_pb2 as promotion_pb
from festinger.api.v1.triple_pb2 import Triple
from festinger.core.world.world import World
from festinger.errors import FestingerError
from festinger.rpc.recollection.lines import from_item
from festinger.rpc.recollection.memory_service import statement_of
from festinger.rpc.review.messages import from_proposal

BYTES_MAX = 4096

_SENT: tuple[Message, ...] = (
    pb.AssertRequest(fact="gnommoweb -isa repo in context of tech"),
    pb.RetractRequest(triple=Triple(concept="shop/indexer", parent="04:30")),
    lines_pb.ImportItem(
        statement=lines_pb.WordedStatement(subject="a", predicate="b", value="c"),
        speaker="nan",
        project="shop",
    ),
    lines_pb.ImportItem(typed="The backup takes 40 minutes.", session="s1"),
    promotion_pb.ProposeRecordRequest(content="Deploys are on Tuesdays."),
)
SEEDS = tuple(
    each.SerializeToString().decode("utf-8", "surrogateescape") for each in _SENT
)
_READERS: tuple[tuple[type[Message], Callable[[Any], object]], ...] = (
    (pb.AssertRequest, lambda request: statement_of(request, World())),
    (pb.RetractRequest, lambda request: statement_of(request, World())),
    (lines_pb.ImportItem, from_item),
    (promotion_pb.ProposeRecordRequest, lambda request: from_proposal(request, "fuzz")),
)


def check(text: str) -> None:
    """Fail for bytes that a server answers with anything but what is wrong."""
    data = text.encode("utf-8", "surrogateescape")
    for kind, read in _READERS:
        message = kind()
        try:
            message.ParseFromString(data)
        except DecodeError:
            continue
        assert outcome(read, message) == outcome(read, message)


def outcome(read: Callable[[Any], object], message: Message) -> str:
    """Return what a message is understood as, or the message that refuses it."""
    try:
        return repr(read(message))
    except FestingerError as error:
        return f"{error.reason}: {error.message}"
