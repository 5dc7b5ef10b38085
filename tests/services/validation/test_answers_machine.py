"""Whoever answers, whenever and wherever: each candidate is what its answers come to."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from festinger.core.graph.candidates import Candidate, CandidateState
from festinger.core.graph.outcome import BELIEF
from festinger.core.graph.proposal import (
    CandidateDetails,
    Evidence,
    Proposal,
    StatementSource,
)
from festinger.core.graph.statement import parse_fact
from festinger.core.validation.lifecycle import stand
from festinger.core.validation.reputation import Reputations
from festinger.core.validation.votes import EventResponse
from festinger.errors import CandidateClosed, FactNotHeld, PermissionDenied
from festinger.services.graph.facts import retract_fact
from festinger.services.validation.answers import RecordAnswer
from festinger.services.validation.expiry import Expirer
from festinger.services.validation.proposals import ProposeCandidate
from festinger.services.validation.reference import CandidateReference
from festinger.services.validation.responders import AnswerInput
from festinger.services.world.memory import Memories
from festinger.services.world.tenant_memory import TenantMemory
from tests.memories import DAY, TRUST, Clock
from tests.services.conftest import state
from tests.services.world.machine_servers import Arena
from tests.services.world.machine_truth import assert_opposed

SETTINGS = settings(
    max_examples=8,
    stateful_step_count=25,
    deadline=None,
    # A failure is read as it is: to make it smaller takes minutes.
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
SERVERS = st.integers(0, 1)
FACTS = [
    "alice -ispart chess_club in context of joined",
    "alice -ispart go_club in context of joined",
    "alice -not -ispart chess_club in context of joined",
    "alice -ispart acme in context of works-at",
]
PEOPLE = ["alice", "bob", "carol", "dave", "Bob", "scanner", "op"]
ENDED = (CandidateState.CONFIRMED, CandidateState.REJECTED)


class Answering(RuleBasedStateMachine):
    """A memory on two servers, where candidates are put forward and answered."""

    def __init__(self, arena: Arena):
        super().__init__()
        self.arena = arena
        self.clock = Clock()
        self.tenant = f"v{next(arena.numbers)}"
        self.stated: set[str] = set()
        self.servers = [
            Memories(store, now=self.clock, trust=TRUST) for store in arena.stores
        ]
        self.run(arena.stores[0].add_tenant(self.tenant))

    def run(self, doing: Any) -> Any:
        """Do something in the arena's event loop, a second later."""
        self.clock.now += 1
        return self.arena.runner.run(doing)

    async def memory(self, server: int) -> TenantMemory:
        """Return the memory, as a server has it."""
        return await self.servers[server].get(self.tenant)

    def teardown(self) -> None:
        """The servers are in step with the database, to the end."""

        async def stop() -> None:
            for server, memories in enumerate(self.servers):
                assert await (await self.memory(server)).writer.check() == []
                await memories.stop()

        self.run(stop())

    # What is done

    @initialize()
    def begin(self) -> None:
        """There is something to answer."""
        self.propose(0, FACTS[0], "microllm")

    @rule(
        server=SERVERS,
        fact=st.sampled_from(FACTS),
        proposer=st.sampled_from(["microllm", "scanner", "bob"]),
    )
    def propose(self, server: int, fact: str, proposer: str) -> None:
        """A client puts a statement forward."""

        async def do() -> None:
            proposal = Proposal(
                parse_fact(fact),
                confidence=0.36,
                source=StatementSource.EXTRACTED,
                principal=proposer,
                proposer=proposer,
                evidence=Evidence("so it was said", "proposed"),
                candidacy=CandidateDetails(author="alice", predicate="t:joined"),
            )
            memory = await self.memory(server)
            await memory.writer.submit(ProposeCandidate(proposal))

        self.run(do())

    @rule(
        server=SERVERS,
        which=st.integers(0, 5),
        who=st.sampled_from(PEOPLE),
        response=st.sampled_from(
            [EventResponse.CONFIRMED, EventResponse.REJECTED, *EventResponse]
        ),
    )
    def answer(
        self, server: int, which: int, who: str, response: EventResponse
    ) -> None:
        """Somebody answers, in time or late, about another's claim or their own."""

        async def do() -> None:
            memory = await self.memory(server)
            found = await self._candidates()
            candidate = found[which % len(found)]
            said = AnswerInput(who, response, is_operator=who == "op")
            policy = memory.validation.policy
            job = RecordAnswer(CandidateReference(candidate.id), said, policy=policy)
            try:
                heard = await memory.writer.submit(job)
            except CandidateClosed:
                assert candidate.is_over(self.clock.now)
            except PermissionDenied:
                assert candidate.proposer == who.lower()
            else:
                assert not candidate.is_over(self.clock.now)
                assert candidate.proposer != who.lower()
                assert heard.event is not None

        self.run(do())

    @rule(server=SERVERS, fact=st.sampled_from(FACTS))
    def assert_it(self, server: int, fact: str) -> None:
        """Somebody states it besides."""
        self.stated.add(fact)

        async def do() -> None:
            await state(await self.memory(server), fact, "zoe")

        self.run(do())

    @rule(server=SERVERS, fact=st.sampled_from(FACTS))
    def take_back(self, server: int, fact: str) -> None:
        """Somebody takes back what is held."""

        async def do() -> None:
            memory = await self.memory(server)
            try:
                await retract_fact(memory, parse_fact(fact), principal="zoe")
            except FactNotHeld:
                return
            self.stated.add(fact)

        self.run(do())

    @rule(days=st.sampled_from([0.1, 0.5, 2.1]), server=SERVERS)
    def wait(self, days: float, server: int) -> None:
        """Time passes, and a server looks what is over."""
        self.clock.now += days * DAY
        store = self.arena.stores[server]
        self.run(Expirer(self.servers[server], store, now=self.clock).look())

    # What holds

    @invariant()
    def each_is_what_its_answers_come_to(self) -> None:
        """Whatever the order was: the row says what all answers together decide."""

        async def look() -> None:
            async with self.arena.stores[0].reading(self.tenant) as reads:
                for candidate in await reads.candidates(limit=100):
                    events = await reads.events(candidate.id)
                    assert len({event.cid for event in events}) == len(events)
                    assert candidate.proposer not in {it.responder for it in events}
                    if candidate.state is CandidateState.EXPIRED:
                        assert candidate.decision_rule in ("time_over", "stated_again")
                        continue
                    # From the last voter to the first, each with their own in order.
                    by_voter = sorted(events, key=lambda it: it.responder, reverse=True)
                    standing = stand(candidate, by_voter, Reputations())
                    assert (
                        candidate.state,
                        candidate.decision_rule,
                        candidate.decider,
                        candidate.belief,
                    ) == (
                        standing.state,
                        standing.rule,
                        standing.decider,
                        standing.belief,
                    )
                    assert bool(candidate.decision_rule) == (candidate.state in ENDED)

        self.run(look())

    @invariant()
    def nothing_is_held_without_a_confirmation(self) -> None:
        """A fact that nobody stated is that of a confirmed candidate, as it says."""

        async def look() -> None:
            memory = await self.memory(0)
            await memory.writer.follow()
            world = memory.world
            confirmed = {
                candidate.triple: candidate
                for candidate in await self._candidates()
                if candidate.state is CandidateState.CONFIRMED
            }
            for edge in world.graph:
                if edge.concept_id == edge.dim_id or self.stated:
                    continue
                fact = world.name(edge)
                [triple] = [
                    each
                    for each in confirmed
                    if (each.concept, each.parent, each.dimension, each.negated)
                    == (fact.concept, fact.parent, fact.dimension, False)
                ]
                assert fact.belief == confirmed[triple].belief
                assert (edge.modality == BELIEF) == fact.belief

        self.run(look())

    @invariant()
    def nothing_waits_for_nothing(self) -> None:
        """A fact that ended with a confirmation keeps nothing waiting."""

        async def look() -> None:
            memory = await self.memory(0)
            await memory.writer.follow()
            await assert_opposed(memory)

        self.run(look())

    async def _candidates(self) -> list[Candidate]:
        async with self.arena.stores[0].reading(self.tenant) as reads:
            return await reads.candidates(limit=100)


async def test_answers_decide(database):
    """Random candidates, answers, times and servers."""

    def play() -> None:
        arena = Arena(database, servers=2)
        factory: Any = partial(Answering, arena)
        try:
            run_state_machine_as_test(factory, settings=SETTINGS)
        finally:
            arena.close()

    await asyncio.to_thread(play)
