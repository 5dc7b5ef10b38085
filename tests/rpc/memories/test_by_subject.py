from __future__ import annotations

import grpc
import pytest

from festinger.api.v1 import config_service_pb2 as config_pb
from festinger.api.v1 import extraction_service_pb2 as extraction_pb
from festinger.api.v1 import memory_service_pb2 as pb
from festinger.api.v1 import promotion_service_pb2 as promotion_pb
from festinger.api.v1.memory_record_pb2 import MemoryRecord
from festinger.config import ServerSettings
from festinger.core.memories.types import MemoryType, Status
from festinger.rpc.server import MemoryServer
from festinger.services.world.memory import Memories
from festinger.store.postgres import PostgresStore
from tests.memories import DAY, DICTIONARY, TRUST
from tests.services.memories.test_extraction import LOVES, PASTA, answer
from tests.services.review.offers import BY_HAND, write
from tests.serving import Client

OPERATOR = Client.as_("operator")
LINES = pb.RecollectResponse.Line
TEA = "about alice: loves tea (fact)"


def as_(subject, **values):
    """Return the metadata of the shim for somebody, who speaks of themselves."""
    return Client.as_("shim", principal=subject, subject=subject, **values)


@pytest.fixture
async def memory(memories):
    """The memory that the server serves."""
    return await memories.get("default")


@pytest.fixture
def remember(memory):
    """Has something remembered of Alice, unless told otherwise; gives the record."""

    async def remember(content, type=MemoryType.USER_FACT, **parts):
        usual = {"subject": "alice", "status": Status.ACTIVE, "origin": BY_HAND}
        return await write(memory, content, type=type, **usual | parts)

    return remember


async def asks(client, text="please", who="alice", told=(), **values):
    """The answer to a prompt of somebody, in a session that was told lines and keeps them."""
    request = pb.RecollectRequest(
        turns=[pb.Turn(role=pb.Turn.ROLE_USER, text=text)],
        told=[
            pb.RecollectRequest.Told(
                concept=line.concept, digest=line.digest, text=line.text, kept=True
            )
            for line in told
        ],
    )
    metadata = as_(who, **values) if who else Client.as_("shim", **values)
    return await client.memory.Recollect(request, metadata=metadata)


async def told(client, *arguments, **values):
    """Return the texts of the lines that tell of people."""
    answer = await asks(client, *arguments, **values)
    return [line.text for line in answer.lines if line.kind == LINES.KIND_MEMORY]


async def decide(client, method, record_id, **fields):
    """Has the operator decide about a record."""
    request = getattr(promotion_pb, f"{method}RecordRequest")(
        record_id=record_id, **fields
    )
    await getattr(client.promotion, f"{method}Record")(request, metadata=OPERATOR)


async def set_(client, key, value):
    """Change a setting of the memory."""
    request = config_pb.UpdateSettingRequest(key=key, value=value)
    await client.config.UpdateSetting(request, metadata=OPERATOR)


async def test_said_in_one_session_told_in_the_next(client, store, model):
    """
    A model's reading of Alice's conversation is told to Alice: to nobody else, and in
    no other tenant.
    """
    await store.add_tenant("acme")
    await set_(client, "extract_model_id", "1")
    model.says(answer(LOVES))
    turn = pb.Turn(role=pb.Turn.ROLE_USER, text=PASTA)
    captured = await client.extraction.Capture(
        extraction_pb.CaptureRequest(session="s1", turns=[turn], extract=True),
        metadata=as_("alice"),
    )
    before = await told(client)

    await client.extraction.Extract(
        extraction_pb.ExtractRequest(interaction_id=captured.interaction.id),
        metadata=OPERATOR,
    )

    assert before == []
    assert await told(client) == [
        "about alice: loves fettuccini with alfredo sauce (fact)"
    ]
    assert await told(client, who="bob") == []
    assert await told(client, who="") == []
    assert await told(client, who="local") == []
    assert await told(client, tenant="acme") == []


async def test_line_and_block(client, remember):
    """Behind what is known of concepts and before hints; facts, patterns, narratives."""
    await client.states("gnommoweb -isa repo", *OPERATOR)
    await remember("Been chatting since 2019", MemoryType.SHARED_NARRATIVE)
    await remember("Prefers tables", MemoryType.USER_PATTERN)
    record = await remember("Loves tea")
    for _ in range(4):
        await client.says("ramanujan")

    answer = await asks(client, "Is gnommoweb on ramanujan?")

    *_, hint = answer.lines
    assert [line.text for line in answer.lines] == [
        "gnommoweb: [type] repo",
        TEA,
        "about alice: prefers tables (pattern)",
        "about alice: been chatting since 2019 (narrative)",
        hint.text,
    ]
    assert hint.kind == LINES.KIND_HINT
    line = answer.lines[1]
    assert (line.concept, line.kind) == ("about alice: loves tea", LINES.KIND_MEMORY)
    assert line.why == f"memory {record.id}"
    assert len(line.digest) == 8
    assert answer.block.split("\n")[2] == TEA
    assert (await asks(client, "Is gnommoweb on ramanujan?")).block == answer.block


async def test_as_many_as_the_tenant_wants(client, remember):
    """The strongest ones; none if 0, and nothing where nothing is told."""
    for number in range(7):
        await remember(f"Has {number} cats", confidence=0.9 - number / 100)

    usual = await told(client)
    await set_(client, "recollection_max_memories", "2")
    two = await told(client)
    await set_(client, "recollection_max_memories", "0")
    none = await told(client)
    await set_(client, "recollection_max_memories", "2")
    await set_(client, "recollection_position", "off")

    assert usual == [f"about alice: has {number} cats (fact)" for number in range(5)]
    assert (two, none) == (usual[:2], [])
    assert await told(client) == []


async def test_kept_lines_are_not_told_again(client, remember):
    """Only what is new is, and lines that hold draw no change."""
    await remember("Loves tea")
    first = (await asks(client)).lines
    await remember("Has a cat")

    answer = await asks(client, told=first)

    assert [line.text for line in answer.lines] == ["about alice: has a cat (fact)"]
    assert not answer.changes


@pytest.mark.parametrize("method", ["Revert", "Graduate"])
async def test_what_is_no_longer_active(client, remember, method):
    """The next answer says that the line no longer holds, whatever the prompt is about."""
    record = await remember("Loves tea")
    first = (await asks(client)).lines
    more = {"type": MemoryRecord.TYPE_DECISION} if method == "Graduate" else {}

    await decide(client, method, record.id, **more)
    answer = await asks(client, told=first)

    assert not answer.lines
    (change,) = answer.changes
    assert change.told_index == 0
    assert not change.HasField("line")


async def test_candidate_is_told_once_promoted(client, remember):
    """A candidate is nobody's memory, and what is rejected never becomes one."""
    tea = await remember("Loves tea", status=Status.CANDIDATE)
    cat = await remember("Has a cat", status=Status.CANDIDATE)
    before = await told(client)

    await decide(client, "Promote", tea.id)
    await decide(client, "Reject", cat.id)

    assert before == []
    assert await told(client) == [TEA]


async def test_what_takes_anothers_place(client, remember):
    """A line whose memory was superseded goes, and the new one is told."""
    old = await remember("Loves tea")
    new = await remember("Hates tea", status=Status.CANDIDATE)
    first = (await asks(client)).lines

    await decide(client, "Promote", new.id, supersedes=old.id)
    answer = await asks(client, told=first)

    assert [line.text for line in answer.lines] == ["about alice: hates tea (fact)"]
    assert [change.told_index for change in answer.changes] == [0]


async def test_line_of_somebody_else_does_not_hold(client, remember):
    """A session that changes hands keeps nothing of who had it before."""
    await remember("Loves tea")
    first = (await asks(client)).lines

    answer = await asks(client, who="bob", told=first)

    assert [change.told_index for change in answer.changes] == [0]


async def test_faded_until_confirmed(client, remember, clock):
    """Below 0.3 it is not told, and what was told holds; confirmed, it is told again (G4)."""
    record = await remember("Loves tea", confidence=0.9)
    first = (await asks(client)).lines

    clock.now += 60 * DAY
    faded, kept = await told(client), await asks(client, told=first)
    await decide(client, "Confirm", record.id)

    assert faded == []
    assert not kept.changes
    assert await told(client) == [TEA]


async def test_each_request_of_a_stream_has_its_subject(client, remember):
    """A stream serves many people, and each is told of themselves."""
    await remember("Loves tea")
    await remember("Has a cat", subject="bob")
    stream = client.memory.RecollectStream(metadata=Client.as_("shim"))
    asked = pb.RecollectRequest(turns=[pb.Turn(role=pb.Turn.ROLE_USER, text="please")])

    blocks = []
    for number, who in enumerate(("alice", "bob", "carol"), 1):
        await stream.write(
            pb.RecollectStreamRequest(id=number, request=asked, subject=who)
        )
        blocks.append((await stream.read()).response.block)
    await stream.done_writing()

    assert ["loves tea" in it for it in blocks] == [True, False, False]
    assert ["has a cat" in it for it in blocks] == [False, True, False]
    assert blocks[2] == ""


async def test_guests_are_told_of_nobody(client, remember):
    """A caller who is not trusted cannot say for whom it speaks."""
    await remember("Loves tea")
    request = pb.RecollectRequest(
        turns=[pb.Turn(role=pb.Turn.ROLE_USER, text="please")]
    )

    with pytest.raises(grpc.aio.AioRpcError) as refusal:
        await client.memory.Recollect(
            request, metadata=Client.as_("guest", subject="alice")
        )
    plain = await client.memory.Recollect(request, metadata=Client.as_("guest"))

    assert refusal.value.code() is grpc.StatusCode.PERMISSION_DENIED
    assert plain.block == ""


async def test_other_servers_tell_it_too(client, remember, pool, clock):
    """
    A server that follows tells what another one remembers, and takes it back with it;
    so does one that starts later.
    """
    followers = Memories(PostgresStore(pool, DICTIONARY), now=clock, trust=TRUST)
    settings = ServerSettings.model_validate({"address": "127.0.0.1:0"})
    server = MemoryServer(settings, followers, Client.callers())
    async with grpc.aio.insecure_channel(await server.start()) as channel:
        other = Client(channel)
        before = await told(other)
        record = await remember("Loves tea")
        await remember("Has a cat", subject="bob")
        await followers.follow()
        followed = await told(other), await told(other, who="bob")
        first = (await asks(other)).lines
        await decide(client, "Revert", record.id)
        await followers.follow()
        answer = await asks(other, told=first)
    memory = await followers.get("default")
    differences = await memory.writer.check()
    await server.stop()
    await followers.stop()

    assert before == []
    assert followed == ([TEA], ["about bob: has a cat (fact)"])
    assert not answer.lines
    assert [change.told_index for change in answer.changes] == [0]
    assert differences == []
    late = Memories(PostgresStore(pool, DICTIONARY), now=clock, trust=TRUST)
    world = (await late.get("default")).world
    await late.stop()
    assert [it.subject for it in world.people.memories.values()] == ["bob"]
