from __future__ import annotations

import re

import grpc
import pytest

from festinger.api.v1 import concept_service_pb2
from festinger.api.v1 import memory_service_pb2 as pb
from festinger.api.v1.conflict_pb2 import Conflict
from festinger.api.v1.outcome_pb2 import Outcome
from festinger.config import ServerSettings
from festinger.errors import DatabaseUnavailable
from festinger.rpc.server import MemoryServer
from festinger.services.world.memory import Memories
from festinger.store.postgres import PostgresStore
from festinger.workers.follower import STALE_SECONDS, Follower
from tests.memories import DICTIONARY, TRUST, Clock
from tests.rpc.recollection.test_lines import export, say, settled
from tests.serving import Client, refused

OPERATOR = Client.as_("operator")
SERVING, NOT_SERVING = 1, 2


class Sometimes(PostgresStore):
    """A store whose database is away when a test says so."""

    away = False

    async def heads(self, tenants):
        """Return the newest versions, if it is there."""
        if self.away:
            raise DatabaseUnavailable("away")
        return await super().heads(tenants)


class Other:
    """A second server on the same database, which follows when a test says so."""

    client: Client

    def __init__(self, pool, clock):
        self.store = Sometimes(pool, DICTIONARY)
        self.memories = Memories(self.store, now=clock, trust=TRUST)
        settings = ServerSettings.model_validate({"address": "127.0.0.1:0"})
        self.server = MemoryServer(settings, self.memories, Client.callers())
        self.clock = Clock(0.0)
        self.follower = Follower(
            self.memories, self.server.recommend, self.clock, lambda: 1_700_000_000.0
        )

    async def look(self, seconds: float = 0.0) -> None:
        """Look what was written, so much later."""
        self.clock.now += seconds
        await self.follower.look()


@pytest.fixture
async def other(pool, clock):
    """The second server, with the memory `default` open."""
    other = Other(pool, clock)
    address = await other.server.start()
    async with grpc.aio.insecure_channel(address) as channel:
        other.client = Client(channel)
        await other.client.says("What is known?")
        yield other
    await other.server.stop()
    await other.memories.stop()


async def lines(client, text="gnommoweb"):
    """Return the lines that a prompt is told."""
    return [line.text for line in (await client.says(text)).lines]


async def concept(client, **metadata):
    """Return the state of gnommoweb, at least as of a version."""
    pairs = {key.replace("_", "-"): value for key, value in metadata.items()}
    return await client.concepts.GetConcept(
        concept_service_pb2.GetConceptRequest(token="gnommoweb"),
        metadata=Client.as_("shim", **pairs),
    )


async def outcome(client, text):
    """Return the outcome of the one statement of a prompt."""
    (found,) = (await client.says(text)).outcomes
    return found


async def resolve(client, decision, **fields):
    """The first conflict is decided."""
    request = pb.ResolveRequest(conflict_id=1, decision=decision, **fields)
    await client.memory.Resolve(request, metadata=OPERATOR)


async def test_fact_appears_after_a_poll(client, other):
    """A statement through one server is told by the other, and not before it looked."""
    await client.states("gnommoweb -isa repo")
    before = await lines(other.client)
    await other.look()

    assert before == []
    assert await lines(other.client) == ["gnommoweb: [type] repo"]


async def test_own_write_is_read_at_once_elsewhere(client, other):
    """Whoever says which version they have seen gets nothing older."""
    answer = await client.states("gnommoweb -isa repo")

    found = await concept(other.client, min_version=str(answer.version))

    assert [edge.parent for edge in found.concept.edges] == ["repo"]
    assert found.version >= answer.version


async def test_replaced_value_is_told_whichever_server_wrote_it(
    client, other, memories
):
    """Each numbers statements from a block of its own: the old one may have the larger number."""
    # The first block goes to the server that will write the new value.
    await client.states("gnommoweb -isa repo")
    await say(other.client, "The stock file is stored on carp.", project="shop")
    await settled(other.client, 2)
    await say(client, "The stock file is no longer stored on carp.", project="shop")
    await say(client, "The stock file is stored on pike now.", project="shop")
    await settled(client, 3)
    await other.look()

    async def told(client):
        return [it.text for it in await export(client) if it.value == "pike"]

    expected = ["stock file: [stored-in] pike, no longer carp"]
    assert await told(client) == expected
    assert await told(other.client) == expected
    await (await memories.get("default")).writer.reload()
    assert await told(client) == expected


@pytest.mark.parametrize("version", ["7", "9" * 18])
async def test_version_that_never_was_is_refused(other, version):
    """The server looks, does not find it, and says that trying again may help."""
    with refused() as refusal:
        await concept(other.client, min_version=version)

    assert refusal.code is grpc.StatusCode.UNAVAILABLE
    assert refusal.reason == "BEHIND"
    assert refusal.metadata["version"] == "0"
    assert "google.rpc.RetryInfo" in refusal.details


@pytest.mark.parametrize("version", ["new", "-1", "", "1.0", "9" * 19])
async def test_version_that_is_no_number_is_refused(other, version):
    """It is a mistake of the caller, whatever was written."""
    with refused() as refusal:
        await concept(other.client, min_version=version)

    assert refusal.code is grpc.StatusCode.INVALID_ARGUMENT


async def test_silent_database_is_told(client, other):
    """
    After five seconds answers say that they may be old, and the server does not
    recommend itself; an answer of the database clears both.
    """
    await client.states("gnommoweb -isa repo")
    await other.look()
    other.store.away = True
    told = []
    for seconds in (STALE_SECONDS - 1, 1, 0):
        other.store.away = seconds != 0
        await other.look(seconds)
        told.append(
            (
                (await concept(other.client)).stale,
                (await other.client.says("gnommoweb")).stale,
                await other.client.health(),
            )
        )

    assert told == [
        (False, False, SERVING),
        (True, True, NOT_SERVING),
        (False, False, SERVING),
    ]


async def test_stale_server_goes_on_answering(client, other):
    """The answer is still true of the moment when it last looked."""
    await client.states("gnommoweb -isa repo")
    await other.look()
    other.store.away = True
    await other.look(STALE_SECONDS)

    [line] = (await other.client.says("gnommoweb")).lines
    assert re.fullmatch(r"gnommoweb: \[type\] repo \(as of \d\d:\d\d\)", line.text), (
        line.text
    )


async def test_line_told_as_stale_is_still_the_same_line(client, other):
    """A session that was told a line with its age is not told the line again afterwards."""
    await client.states("gnommoweb -isa repo")
    await other.look()
    other.store.away = True
    await other.look(STALE_SECONDS)
    [line] = (await other.client.says("gnommoweb")).lines
    other.store.away = False
    await other.look()

    request = pb.RecollectRequest(
        turns=[pb.Turn(role=pb.Turn.ROLE_USER, text="gnommoweb")],
        told=[pb.RecollectRequest.Told(concept=line.concept, text=line.text)],
    )
    told = await other.client.memory.Recollect(request)

    assert not told.stale
    assert list(told.changes) == []


async def test_conflict_and_its_end_appear(client, other):
    """The other server marks the fact as contested, and then does not any more."""
    await client.states("gnommoweb -isa repo")
    await client.states("gnommoweb -isa container")
    await other.look()
    waiting = list((await concept(other.client)).concept.conflict_ids)
    await resolve(client, Conflict.DECISION_UPDATE)
    await other.look()

    found = (await concept(other.client)).concept
    assert waiting == [1]
    assert list(found.conflict_ids) == []
    assert [edge.parent for edge in found.edges] == ["container"]


async def test_denial_appears(client, other):
    """A fact that was denied elsewhere is not held here."""
    await client.states("gnommoweb -not -isa repo")
    await other.look()

    found = await outcome(other.client, "gnommoweb is a repo")

    assert (found.verdict, found.reason) == (Outcome.VERDICT_CONFLICTED, "negation")


async def test_tombstone_appears(client, other):
    """A conflict that was settled elsewhere stays settled here."""
    await client.states("gnommoweb -isa repo")
    await client.states("gnommoweb -isa container")
    await resolve(client, Conflict.DECISION_DISMISS)
    await other.look()

    found = await outcome(other.client, "gnommoweb is a container")

    assert (found.verdict, found.reason) == (Outcome.VERDICT_REJECTED, "settled")


async def test_redirect_and_new_dimension_appear(client, other):
    """A fact that was moved elsewhere, to a new dimension, is found there from here."""
    await client.states("gnommoweb -isa repo")
    await client.states("gnommoweb -isa container")
    await resolve(client, Conflict.DECISION_RECLASSIFY, incoming_dimension="packaging")
    await other.look()

    found = await outcome(other.client, "gnommoweb is a container")

    assert found.verdict == Outcome.VERDICT_CORROBORATED
    assert found.triple.dimension == "packaging"


async def test_retraction_appears(client, other):
    """A fact that was retracted elsewhere is not told here."""
    await client.states("gnommoweb -isa repo")
    await other.look()
    before = (await concept(other.client)).concept
    await client.memory.Retract(pb.RetractRequest(fact="gnommoweb -isa repo"))
    await other.look()

    after = (await concept(other.client)).concept
    assert [edge.parent for edge in before.edges] == ["repo"]
    assert list(after.edges) == []


async def test_statements_of_both_meet(client, other):
    """A server that has not looked is not fooled: it looks before it writes."""
    await client.states("gnommoweb -isa repo")

    answer = await other.client.states("gnommoweb -isa container")

    assert answer.outcome.verdict == Outcome.VERDICT_CONFLICTED
    assert answer.version == 2
