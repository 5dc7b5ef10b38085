"""The audit log: what callers changed, with the names of their tokens."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress

import grpc
import pytest
from google.protobuf.message_factory import GetMessageClass

from festinger.api.v1 import config_service_pb2 as config_pb
from festinger.api.v1 import line_service_pb2 as lines_pb
from festinger.api.v1 import memory_service_pb2 as pb
from festinger.api.v1.conflict_pb2 import Conflict
from festinger.audit import AuditLog
from festinger.rpc.system.auditing import UNAUDITED
from tests.rpc.system.test_every_method import METHODS, answers, name_of
from tests.serving import Client, refused

OPERATOR = Client.as_("operator")
SHIM = Client.as_("shim", principal="nan", subject="ann")


@pytest.fixture
def written(tmp_path):
    """Return the lines of the log, without their times."""

    def read():
        file = tmp_path / "audit.log"
        lines = map(json.loads, file.read_text().splitlines() if file.exists() else ())
        return [
            {key: it for key, it in line.items() if key != "time"} for line in lines
        ]

    return read


async def test_change_is_written_with_the_token_and_who_it_spoke_for(client, written):
    """A fact that the shim states is the shim's call and its client's word."""
    answer = await client.states("gnommoweb -isa repo", *SHIM, request_id="r1")

    assert written() == [
        {
            "token": "shim",
            "token_id": Client.callers()[0].id,
            "principal": "nan",
            "subject": "ann",
            "tenant": "default",
            "method": "MemoryService/Assert",
            "about": {"request_id": "r1"},
            "version": answer.version,
            "result": "ok",
        }
    ]


async def test_call_without_a_token_is_written_as_such(client, written):
    """Nobody's call has the principal of this machine, and no token's number."""
    await client.states("gnommoweb -isa repo")

    (line,) = written()
    assert line["token"] == line["principal"] == "local"
    assert "token_id" not in line


async def test_failed_change_is_written_with_its_reason(client, written):
    """An attempt is told as well, with its object."""
    with refused():
        await client.memory.Resolve(
            pb.ResolveRequest(conflict_id=77, decision=Conflict.DECISION_UPDATE),
            metadata=OPERATOR,
        )

    (line,) = written()
    assert line["about"] == {"conflict_id": 77}
    assert line["result"] == "CONFLICT_NOT_FOUND"


async def test_log_holds_no_sentences(client, written):
    """Neither what is said or forgotten, nor the value of a setting."""
    await client.lines.Say(lines_pb.SayRequest(text="Zork runs on hal."), metadata=SHIM)
    await client.lines.ForgetLines(
        lines_pb.ForgetLinesRequest(phrase="zork", speaker="nan"), metadata=OPERATOR
    )
    await client.config.UpdateSetting(
        config_pb.UpdateSettingRequest(key="saliency_read_threshold", value="0.25"),
        metadata=OPERATOR,
    )

    said = json.dumps(written()).lower()
    assert "zork" not in said
    assert "0.25" not in said
    assert '"about": {"key": "saliency_read_threshold"}' in said
    assert '"about": {"speaker": "nan"}' in said


async def test_every_method_is_audited_unless_it_changes_nothing(client, written):
    """A new method is audited until somebody names it among those that only read."""
    for method in METHODS:
        request = GetMessageClass(method.input_type)()
        with suppress(grpc.aio.AioRpcError):
            await answers(client.channel, method, request, OPERATOR)

    names = {name_of(method).rpartition(".")[2] for method in METHODS}
    quiet = {name.rpartition(".")[2] for name in UNAUDITED}
    assert {line["method"] for line in written()} == names - quiet
    assert quiet < names


def test_log_is_for_its_owner_and_of_limited_size(tmp_path):
    """A file that is long enough is put aside, and the one before it goes."""
    file = tmp_path / "audit.log"
    log = AuditLog(file, bytes_max=100)

    for number in range(1, 8):
        log.write(method=f"call {number}", result="ok")

    assert {it.name for it in tmp_path.iterdir()} <= {"audit.log", "audit.log.1"}
    assert {it.stat().st_mode & 0o777 for it in tmp_path.iterdir()} == {0o600}
    kept = "".join(it.read_text() for it in sorted(tmp_path.iterdir(), reverse=True))
    assert "call 7" in kept
    assert "call 1" not in kept


async def test_log_may_be_moved_away_between_two_turns_of_the_event_loop(tmp_path):
    """Each line is there once it is written, and the next turn begins a file of its own."""
    file = tmp_path / "audit.log"
    log = AuditLog(file)

    log.write(method="one")
    log.write(method="two")
    first = file.read_text()
    await asyncio.sleep(0)
    file.rename(tmp_path / "elsewhere")
    log.write(method="three")

    assert [json.loads(line)["method"] for line in first.splitlines()] == ["one", "two"]
    assert json.loads(file.read_text())["method"] == "three"


def test_log_that_cannot_be_written_stops_nothing(tmp_path):
    """A finished call stays done: the failure goes to the log of the server."""
    AuditLog(tmp_path).write(method="MemoryService/Assert")
