"""Agents that talk through a real shim to a real memory, for the sticky machine."""

from __future__ import annotations

import asyncio
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import grpc

from festinger.api.v1 import conflict_pb2, conflict_service_pb2
from festinger.api.v1 import memory_service_pb2 as pb
from festinger.config import DatabaseSettings, ServerSettings, ShimSettings
from festinger.core.lines.quotes import clean
from festinger.core.world.world import World
from festinger.rpc.server import MemoryServer
from festinger.services.world.memory import Memories
from festinger.services.world.tenant_memory import TenantMemory
from festinger.shim.app import Shim
from festinger.shim.system.identity import RequestCaller
from festinger.standin import StandIn
from festinger.store.postgres import PostgresStore
from festinger.store.system.pool import open_pool
from tests.memories import DICTIONARY, TRUST, Clock
from tests.services.conftest import settled
from tests.serving import Client
from tests.shim.conversations import Format, Message, lines, without_ours

RESULT = "X-Festinger-Recollection"
_HINT = re.compile(r"\? (\S+): no recollection")
_PART = re.compile(r"\[([^]?]+)(\??)\] (\S+)")


class Arena:
    """A database, a memory server over it, a stand-in for Ollama, and their event loop."""

    def __init__(self, dsn: str):
        self.runner = asyncio.Runner()
        self.dsn = dsn
        self.numbers = itertools.count(1)
        self.clock = Clock()
        self.runner.run(self._start())

    async def _start(self) -> None:
        settings = DatabaseSettings(connections_max=4, statement_seconds_max=10)
        self.pool = await open_pool(self.dsn, settings)
        self.store = PostgresStore(self.pool, DICTIONARY)
        self.memories = Memories(self.store, now=self.clock, trust=TRUST)
        section = ServerSettings(address="127.0.0.1:0", drain_seconds=5.0)
        self.server = MemoryServer(section, self.memories, Client.callers())
        self.address = await self.server.start()
        self.channel = grpc.aio.insecure_channel(self.address)
        self.client = Client(self.channel, self.address)
        self.ollama = StandIn()
        await self.ollama.start()
        self.http = aiohttp.ClientSession()

    def close(self) -> None:
        """Stop everything."""

        async def stop() -> None:
            await self.http.close()
            await self.ollama.stop()
            await self.channel.close()
            await self.server.stop()
            await self.memories.stop()
            await self.pool.close()

        self.runner.run(stop())
        self.runner.close()

    async def shim(self) -> tuple[Shim, str]:
        """Return a shim for a memory of its own, and that memory's name."""
        tenant = f"s{next(self.numbers)}"
        await self.store.add_tenant(tenant)
        settings = ShimSettings(
            address="127.0.0.1:0",
            upstream=self.ollama.url,
            tenant=tenant,
            memory_milliseconds_max=5000,
            drain_seconds=1.0,
        )
        shim = Shim(settings, ServerSettings(address=self.address), lambda: "shim")
        await shim.start()
        return shim, tenant


@dataclass
class Sent:
    """A request that was sent, and what the model was given."""

    messages: list[Message]
    given: list[Message]


@dataclass
class Agent:
    """
    A client with a conversation. If it `stores` what was sent on, `stored` is what it
    has of the messages, blocks included.
    """

    name: str
    format: Format
    stores: bool = False
    messages: list[Message] = field(default_factory=list)
    stored: list[Message] = field(default_factory=list)
    sent: list[Sent] = field(default_factory=list)

    def forget_false(self, world: World) -> None:
        """Expect nothing more of what was given with a line that no longer holds."""
        self.sent = [it for it in self.sent if all_hold(world, it.given)]

    @property
    def last(self) -> Sent | None:
        """The longest request that this one goes on from, or repeats."""
        begun = [it for it in self.sent if starts_with(self.messages, it.messages)]
        return max(begun, key=lambda it: len(it.messages), default=None)

    def note(self, given: list[Message]) -> None:
        """Keep what was given; what went on from another answer to it is forgotten."""
        mine = Sent(list(self.messages), given)
        self.sent = [
            it
            for it in self.sent
            if not starts_with(it.messages, mine.messages)
            or (it.given[: len(given)] == given and it.messages != mine.messages)
        ]
        self.sent.append(mine)

    @property
    def wire(self) -> list[Message]:
        """The request that it sends."""
        own = without_ours(self.stored)
        if own and starts_with(self.messages, own):
            return [*self.stored, *self.messages[len(own) :]]
        return self.messages


class Talk:
    """Agents, and the checks of everything that reaches the model."""

    def __init__(self, arena: Arena, shim: Shim, tenant: str):
        self.arena, self.shim, self.tenant = arena, shim, tenant
        self.agents: list[Agent] = []
        self.texts = itertools.count(1)

    @property
    def memory(self) -> TenantMemory:
        """The facts that the server knows."""
        memory = self.arena.memories.ready(self.tenant)
        assert memory is not None
        return memory

    @property
    def who(self) -> Any:
        """The metadata of a person who may decide."""
        return Client.as_("operator", tenant=self.tenant)

    async def send(self, agent: Agent, *, late: bool = False) -> None:
        """Send a conversation, and check what the model is given."""
        agent.forget_false(self.memory.world)
        # The memory may read what it is asked all the same, as a slow one does.
        self.shim._memory.budget_seconds = 0.0 if late else 5.0
        url = f"{self.shim.url}/as/{agent.name}{agent.format.path}"
        body = agent.format.encode(agent.wire)
        async with self.arena.http.post(url, json=body) as answer:
            await answer.read()
            result = answer.headers[RESULT]
        given = agent.format.decode(self.arena.ollama.prompts[-1].json)
        self.arena.ollama.requests.clear()
        agent.stored = given if agent.stores else []
        self.check(agent, given, result, late=late)
        if late:
            # What the memory reads late, it has read when it answers the next request.
            self.shim._memory.budget_seconds = 5.0
            nobody = RequestCaller(agent.name, agent.name, "")
            await self.shim._memory.recollect(pb.RecollectRequest(), nobody)
        await settled(self.memory)

    def check(
        self, agent: Agent, given: list[Message], result: str, *, late: bool
    ) -> None:
        """Nothing false, nothing lost, nothing twice, and the bytes of before."""
        world, told = self.memory.world, lines(given)
        assert without_ours(given) == agent.messages
        assert len(set(told)) == len(told)
        if late:
            # A session that the shim does not know may bring back what another was told.
            assert result == "replay" or told in ([], lines(agent.wire))
            assert result in ("replay", "skipped:memory-slow")
        else:
            assert [it for it in told if not self.may_be_told(agent, it)] == []
            assert result in ({"full", "replay"} if told else {"none"})
            self.check_complete(agent, told)
        agent.forget_false(world)  # a conflict of this very prompt
        if last := agent.last:
            # A request that is repeated may hear more behind its newest message.
            repeated = last.messages == agent.messages
            common = solid(last.given[: len(last.given) - repeated])
            assert solid(given)[: len(common)] == common
        if all_hold(world, given):
            agent.note(given)

    def may_be_told(self, agent: Agent, line: str) -> bool:
        """
        Return whether a line holds, or is a question that this very prompt answers
        (D9).
        """
        hint = _HINT.match(line)
        _, text = agent.messages[-1]
        return holds(self.memory.world, line) or (
            hint is not None and " is a " in text and hint[1] in text
        )

    def check_complete(self, agent: Agent, told: list[str]) -> None:
        """All that is known of what the user just named is in the prompt."""
        role, text = agent.messages[-1]
        if role != "user":
            return
        world = self.memory.world
        said = {
            (line.partition(":")[0], *part) for line in told for part in parts(line)
        }
        for name in re.findall(r"[a-z]+_x", text):
            concept_id = world.id(name)
            for edge in world.facts(concept_id) if concept_id is not None else ():
                doubt = world.conflicts.contested(edge.concept_id, edge.dim_id)
                fact = (
                    world.token(edge.dim_id),
                    "?" if doubt else "",
                    world.token(edge.parent_id),
                )
                assert (name, *fact) in said or self.is_news(edge.last_confirmed)

    def is_news(self, confirmed: float) -> bool:
        """
        Return whether a fact was written while the prompt went by: it states it itself
        (D9).
        """
        return confirmed >= self.arena.clock.now

    async def settle(self, which: int, *, update: bool) -> None:
        """Decide one of the conflicts that wait; a circle cannot be held."""
        kinds = conflict_pb2.Conflict
        asked = conflict_service_pb2.ListConflictsRequest(states=[kinds.STATE_PENDING])
        stub = self.arena.client.conflicts
        waiting = (await stub.ListConflicts(asked, metadata=self.who)).conflicts
        if not waiting:
            return
        request = pb.ResolveRequest(
            conflict_id=waiting[which % len(waiting)].id,
            decision=kinds.DECISION_UPDATE if update else kinds.DECISION_DISMISS,
        )
        try:
            await self.arena.client.memory.Resolve(request, metadata=self.who)
        except grpc.aio.AioRpcError as error:
            if error.code() is not grpc.StatusCode.INVALID_ARGUMENT:
                raise

    async def retract(self, which: int) -> None:
        """Take back one of the facts."""
        world = self.memory.world
        facts = [e for e in world.graph if e in world.facts(e.concept_id)]
        if not facts:
            return
        fact = world.name(facts[which % len(facts)])
        kind = "isa" if fact.is_isa else "ispart"
        text = f"{fact.concept} -{kind} {fact.parent} in context of {fact.dimension}"
        await self.arena.client.memory.Retract(
            pb.RetractRequest(fact=text), metadata=self.who
        )


def starts_with(messages: list[Message], beginning: list[Message]) -> bool:
    """Return whether a conversation goes on from another, or is it."""
    return messages[: len(beginning)] == beginning


def parts(line: str) -> Iterator[tuple[str, str, str]]:
    """Return the parts of a line: dimension, doubt and parent of each fact."""
    return (match.groups() for match in _PART.finditer(line))  # type: ignore[misc]


def all_hold(world: World, given: list[Message]) -> bool:
    """Return whether everything that a prompt tells is what the memory holds."""
    return all(holds(world, line) for line in lines(given))


def holds(world: World, line: str) -> bool:
    """Return whether a line says what the memory holds, or what somebody said, or asks."""
    if line.endswith('"') and ': "' in line:
        return any(clean(text) in line for text in world.lines.sources.texts.values())
    if match := _HINT.match(line):
        concept_id = world.id(match[1])
        return concept_id is None or not world.is_mentioned(concept_id)
    concept_id = world.id(line.partition(":")[0])
    assert concept_id is not None
    for dimension, doubt, parent in parts(line):
        edge = world.edge(concept_id, world.id(dimension) or 0)
        if edge is None or world.token(edge.parent_id) != parent:
            return False
        if world.conflicts.contested(concept_id, edge.dim_id) != bool(doubt):
            return False
    return True


def solid(given: list[Message]) -> list[Message]:
    """
    Messages without a system text that is empty: a client that stored ours, made for a
    block, brings it back when nothing is told there any more, or does not.
    """
    return [it for it in given if it != ("system", "")]
