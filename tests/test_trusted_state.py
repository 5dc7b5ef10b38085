"""No call takes a record's number and writes a project's trusted state."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf import descriptor_pool, message_factory
from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message

from festinger.core.memories.types import MemoryKind, MemoryType
from festinger.rpc.server import SERVICES
from festinger.services.review.promotion import promote, reject
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.system.pool import acquired
from tests.services.review.offers import BY_HAND, decide, write
from tests.serving import Client

ROOT = Path(__file__).parents[1] / "festinger"
SQL = ROOT / "store" / "sql"

WRITES_STATE = re.compile(
    r"\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate(?:\s+table)?|copy)"
    r"\s+(?:only\s+)?(?:public\.)?project_state(?:_history)?\b",
    re.IGNORECASE,
)
BLOCK = re.compile(r"^-- name: (\w+)$", re.MULTILINE)
WRITER = "/festinger.api.v1.PromotionService/SetState"
# What names a record, or something that leads to one.
RECORDS = {
    "record_id", "edit_id", "supersedes", "graduated_from", "graduated_to", "item_id",
    "item_ids", "decision_id",
}  # fmt: skip
# Numbers and names of other things, and what is no number of anything.
OTHERS = {
    "assertion_id", "backlog_id", "bot_id", "chunk_id", "concept_id", "conflict_id",
    "conflict_ids", "document_id", "external_id", "candidate_id", "interaction_id",
    "message_id", "model_id", "question_id", "request_id", "wave_id",
}  # fmt: skip


def methods() -> list[MethodDescriptor]:
    """Return every method of every service."""
    pool = descriptor_pool.Default()
    return [
        method
        for service in SERVICES
        for method in pool.FindServiceByName(service).methods
    ]


def path(method: MethodDescriptor) -> str:
    """Return the path of a method's call."""
    return f"/{method.containing_service.full_name}/{method.name}"


def fields(message: Descriptor, met: frozenset[str] = frozenset()) -> set[str]:
    """Return the names of all fields of a message, at whatever depth."""
    names = set()
    for field in message.fields:
        names.add(field.name)
        if field.message_type and field.message_type.full_name not in met:
            names |= fields(field.message_type, met | {message.full_name})
    return names


def queries() -> dict[str, str]:
    """Return every statement that the store has, by name."""
    found: dict[str, str] = {}
    for file in SQL.glob("*.sql"):
        _, *parts = BLOCK.split(file.read_text(encoding="utf-8"))
        found |= dict(zip(parts[::2], parts[1::2], strict=True))
    return found


def test_every_field_that_names_something_is_known():
    """Whoever adds a number to a request must say here whether it leads to a record."""
    named = {
        name
        for method in methods()
        for name in fields(method.input_type)
        if name.endswith(("_id", "_ids"))
    }

    assert named <= RECORDS | OTHERS


def test_no_call_that_takes_a_record_writes_the_state():
    """The one that writes has no field that could name one: it takes words."""
    [writer] = [method for method in methods() if path(method) == WRITER]
    taking = {
        path(method) for method in methods() if fields(method.input_type) & RECORDS
    }

    assert len(taking) >= 10
    assert WRITER not in taking
    assert {field.type for field in writer.input_type.fields} == {
        FieldDescriptor.TYPE_STRING
    }
    assert fields(writer.input_type) == {
        "project",
        "key",
        "value",
        "etag",
        "request_id",
    }


def test_one_statement_writes_the_state_and_reads_no_record():
    """It stands in one file, gets all that it writes as values, and is run in one place."""
    writing = {
        name: text for name, text in queries().items() if WRITES_STATE.search(text)
    }
    sources = {
        file
        for file in ROOT.rglob("*.py")
        if WRITES_STATE.search(file.read_text(encoding="utf-8"))
    }
    running = {
        file.relative_to(ROOT).as_posix()
        for file in ROOT.rglob("*.py")
        if re.search(r"\(\s*[\"']set_state[\"']", file.read_text(encoding="utf-8"))
    }

    assert set(writing) == {"set_state"}
    assert not re.search(
        r"\b(memory_records|edits|memories|entities)\b", writing["set_state"]
    )
    assert sources == set()
    assert running == {"store/review/state.py"}


@pytest.mark.parametrize(
    "statement",
    [
        "insert into project_state (tenant)",
        "UPDATE project_state SET value = ''",
        "delete\n from public.project_state",
        "insert into project_state_history",
    ],
)
def test_another_statement_would_be_seen(statement):
    """The check above finds what it looks for."""
    assert WRITES_STATE.search(statement)
    assert not WRITES_STATE.search(statement.replace("project_state", "project_states"))


def test_only_one_service_writes_the_state_and_it_knows_no_record():
    """A batch's writes there come from one module, which imports nothing of records."""
    writing = {
        file.relative_to(ROOT).as_posix()
        for file in (ROOT / "services").rglob("*.py")
        if re.search(r"\bbatch\.of\(StateWrites\)", file.read_text(encoding="utf-8"))
    }
    tree = ast.parse((ROOT / "services" / "review" / "curation.py").read_text())
    imported = {
        node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module
    }

    assert writing == {"services/review/curation.py"}
    review = {name for name in imported if "core.review" in name or "offer" in name}
    assert review == {"festinger.core.review.state"}


def filled(message: Descriptor, number: int, *, alone: bool) -> Message:
    """
    Return a request about one number, with something plausible in every other field.

    With `alone` it has no other number than the one that it is about.
    """
    request = message_factory.GetMessageClass(message)()
    for field in message.fields:
        value: Any
        if field.type in (FieldDescriptor.TYPE_INT64, FieldDescriptor.TYPE_INT32):
            value = number if field.number == 1 or not alone else 0
        elif field.type == FieldDescriptor.TYPE_STRING:
            value = {"fact": "gnommoweb -isa repo", "page_token": ""}.get(
                field.name, "" if field.name in ("etag", "request_id") else "apollo"
            )
        elif field.type == FieldDescriptor.TYPE_ENUM:
            assert field.enum_type is not None
            value = 0 if alone else field.enum_type.values[-1].number
        elif field.type == FieldDescriptor.TYPE_BOOL:
            value = not alone
        else:
            continue
        if field.is_repeated:
            getattr(request, field.name).append(value)
        else:
            setattr(request, field.name, value)
    return request


async def call(
    client: Client, method: MethodDescriptor, number: int, *, alone: bool = False
) -> bool:
    """Return whether an operator's call about a number goes through."""
    answers = message_factory.GetMessageClass(method.output_type)
    make = getattr(
        client.channel, "unary_stream" if method.server_streaming else "unary_unary"
    )
    stub = make(
        path(method),
        request_serializer=lambda request: request.SerializeToString(),
        response_deserializer=answers.FromString,
    )
    answer = stub(
        filled(method.input_type, number, alone=alone),
        metadata=Client.as_("operator"),
        timeout=10,
    )
    try:
        if method.server_streaming:
            async for _ in answer:
                pass
        else:
            await answer
    except grpc.aio.AioRpcError:
        return False
    return True


async def some_records(memory: TenantMemory, name: str) -> list[int]:
    """The numbers of a memory and an entity that wait, an active and a rejected memory."""
    by_hand = {"origin": BY_HAND, "proposer": "alice", "project": "apollo"}
    entity = {"kind": MemoryKind.ENTITY, "type": MemoryType.COMPONENT, **by_hand}
    found = [
        await write(memory, f"{name} waits", **by_hand),
        await write(memory, f"{name}", fact=f"{name} -isa call", **entity),
        await write(memory, f"{name} holds", **by_hand),
        await write(memory, f"{name} does not", **by_hand),
    ]
    await decide(memory, promote, found[2].id)
    await decide(memory, reject, found[3].id)
    return [record.id for record in found]


async def test_nothing_that_is_done_to_a_record_reaches_the_state(
    client, memories, pool
):
    """Every call of every service, about candidates and what becomes of them by that."""
    memory = await memories.get("default")
    others = [
        method
        for method in methods()
        if path(method) != WRITER and not method.client_streaming
    ]

    gone_through = set()
    for method in others:
        for number in await some_records(memory, method.name):
            for alone in (True, False):
                if await call(client, method, number, alone=alone):
                    gone_through.add(method.name)

    assert gone_through >= {
        "PromoteRecord", "RejectRecord", "RevertRecord", "EditRecord", "DeferRecord",
        "DeleteRecord", "GraduateRecord", "ConfirmRecord", "UndoEdit",
    }  # fmt: skip
    async with acquired(pool) as connection:
        for table in ("project_state", "project_state_history"):
            assert await connection.fetchval(f"select count(*) from {table}") == 0
    [writer] = [method for method in methods() if path(method) == WRITER]
    assert await call(client, writer, 1)
    async with acquired(pool) as connection:
        assert await connection.fetchval("select value from project_state") == "apollo"
