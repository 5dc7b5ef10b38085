"""Whatever people do to records, in whatever order: they are what a plain model says."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
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

from festinger.core.graph.proposal import StatementSource
from festinger.core.graph.statement import parse_fact
from festinger.core.memories.types import MemoryKind, Status
from festinger.core.review.records import Action, MemoryRecord
from festinger.errors import FestingerError, Overloaded
from festinger.services.review.promotion import (
    confirm,
    correct,
    defer,
    delete,
    graduate,
    promote,
    reject,
    revert,
    undo_edit,
)
from festinger.services.world.jobs import Job
from festinger.services.world.memory import Memories
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.system.pool import acquired
from festinger.store.world.batches import RequestKey
from tests.memories import TRUST, Clock
from tests.services.conftest import state
from tests.services.review.offers import (
    BY_HAND,
    WRITTEN,
    document,
    edits,
    interact,
    offer,
    offers,
    records,
)
from tests.services.review.promotion_model import Changes, Model, Refused, Row
from tests.services.world.machine_servers import Arena
from tests.services.world.machine_truth import assert_opposed

SETTINGS = settings(
    max_examples=8,
    stateful_step_count=30,
    deadline=None,
    # A failure is read as it is: to make it smaller takes minutes.
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
CANDIDATE, ACTIVE, INVALID = Status.CANDIDATE, Status.ACTIVE, Status.INVALID
SIZE = 3
"""Candidates in a cycle: few, so that cycles end."""
CONTENTS = [
    f"{concept} -isa {parent}"
    for concept in ("ant", "bee")
    for parent in ("cat", "dog", "elk", "fox")
]
WHICH = st.integers(0, 39)
"""Which of the records that it can be done to; one in five is any."""
PEOPLE = st.sampled_from(["op", "op", "eve"])
OFFERED = st.tuples(
    st.sampled_from(CONTENTS),
    st.sampled_from(MemoryKind),
    st.sampled_from(["headings", "headings", "op", "user"]),
    st.sampled_from([0.1, 0.5, 0.9]),
)


class Promoting(RuleBasedStateMachine):
    """One memory, whose records are offered and decided about."""

    def __init__(self, arena: Arena):
        super().__init__()
        self.arena = arena
        self.clock = Clock()
        self.model = Model(SIZE)
        self.tenant = f"p{next(arena.numbers)}"
        self.decisions: dict[int, Changes] = {}
        self.undone: set[int] = set()
        self.last: tuple[Callable[[], Job[Any]], Any] | None = None
        self.seen_edits = 0
        self.said: set[str] = set()
        self.memories = Memories(arena.stores[0], now=self.clock, trust=TRUST)
        self.run(self._open())

    async def _open(self) -> None:
        await self.arena.stores[0].add_tenant(self.tenant)
        await interact(self.arena.pools[0], self.tenant)
        await document(self.arena.pools[0], self.tenant)
        async with acquired(self.arena.pools[0]) as connection:
            await connection.execute(
                "update config set value = $2 where tenant = $1 "
                "and key = 'review_cycle_candidates'",
                self.tenant,
                str(SIZE),
            )

    def run(self, doing: Any) -> Any:
        """Do something in the arena's event loop, a second later."""
        self.clock.now += 1
        return self.arena.runner.run(doing)

    async def memory(self) -> TenantMemory:
        """Return the memory, as the server of now has it."""
        return await self.memories.get(self.tenant)

    def teardown(self) -> None:
        """The memory is what Postgres has, to the end."""

        async def stop() -> None:
            assert await (await self.memory()).writer.check() == []
            await self.memories.stop()

        self.run(stop())

    # What is done

    @initialize(seed=st.integers(0, 7))
    def begin(self, seed: int) -> None:
        """There is something to decide about."""
        turned = CONTENTS[seed:] + CONTENTS[:seed]
        proposers = ["headings", "op", "user", "headings"]
        kinds = [
            MemoryKind.ENTITY,
            MemoryKind.ENTITY,
            MemoryKind.MEMORY,
            MemoryKind.MEMORY,
            MemoryKind.ENTITY,
        ]
        found = [
            (turned[n], kinds[n % 5], proposers[n % 4], (n % 3) / 3) for n in range(8)
        ]
        self.offer_all(found, 1)

    @rule(found=st.lists(OFFERED, min_size=1, max_size=6), contradicts=WHICH)
    def offer(self, found: list[Any], contradicts: int) -> None:
        """A pass finds something, or somebody writes it by hand."""
        self.offer_all(found, self._pick(contradicts))

    def offer_all(self, found: list[Any], contradicts: int) -> None:
        """Content, kind, proposer and rank of each."""
        rows, offered = [], []
        for content, kind, proposer, rank in found:
            active = proposer == "user" and kind is MemoryKind.MEMORY
            by_hand = proposer == "op"
            status = Status.ACTIVE if active else Status.CANDIDATE
            rows.append(
                Row(kind, content, proposer, by_hand, status, rank, confidence=0.5)
            )
            offered.append(
                offer(
                    content,
                    kind=kind,
                    origin=BY_HAND if by_hand else WRITTEN,
                    proposer=proposer,
                    fact=content if kind is MemoryKind.ENTITY else "",
                    status=status,
                    rank=rank,
                    confidence=0.5,
                    contradicts=(contradicts,) if contradicts else (),
                )
            )
        self.model.now = self.clock.now + 1
        expected = self.model.offer(rows, contradicts)
        # A repeated answer has the records as they are by then.
        self.last = None

        async def do() -> None:
            await offers(await self.memory(), *offered)
            await self._note(expected)

        self.run(do())

    @rule(which=WHICH, by=PEOPLE, supersedes=st.none() | WHICH)
    def promote(self, which: int, by: str, supersedes: int | None) -> None:
        """Somebody promotes a record, maybe in the place of another."""
        number = self._pick(which, CANDIDATE)
        old = 0 if supersedes is None else self._pick(supersedes, ACTIVE)
        self._decide(
            partial(promote, number, principal=by, supersedes=old),
            lambda: self.model.promote(number, by, old),
        )

    @rule(which=WHICH, by=PEOPLE)
    def reject(self, which: int, by: str) -> None:
        """Somebody rejects a record."""
        number = self._pick(which, CANDIDATE)
        self._decide(
            partial(reject, number, principal=by),
            lambda: self.model.reject(number, by),
        )

    @rule(which=WHICH, by=PEOPLE)
    def revert(self, which: int, by: str) -> None:
        """Somebody reverts a record."""
        number = self._pick(which, ACTIVE, INVALID)
        self._decide(
            partial(revert, number, principal=by),
            lambda: self.model.revert(number, by),
        )

    @rule(which=WHICH, by=PEOPLE, content=st.sampled_from(CONTENTS))
    def edit(self, which: int, by: str, content: str) -> None:
        """Somebody changes what a record says, and states."""
        number = self._pick(which, CANDIDATE)
        row = self.model.rows.get(number)
        fact = content if row and row.kind is MemoryKind.ENTITY else None
        self._decide(
            partial(correct, number, content, principal=by, fact=fact),
            lambda: self.model.edit(number, by, content),
        )

    @rule(which=WHICH, by=PEOPLE, resume=st.booleans())
    def defer(self, which: int, by: str, resume: bool) -> None:
        """Somebody puts a record aside, or takes it up."""
        number = self._pick(which, CANDIDATE)
        self._decide(
            partial(defer, number, principal=by, resume=resume),
            lambda: self.model.defer(number, by, resume),
        )

    @rule(which=WHICH, by=PEOPLE)
    def delete(self, which: int, by: str) -> None:
        """Somebody deletes a record."""
        number = self._pick(which, CANDIDATE)
        self._decide(
            partial(delete, number, principal=by),
            lambda: self.model.delete(number, by),
        )

    @rule(which=WHICH, by=PEOPLE)
    def graduate(self, which: int, by: str) -> None:
        """Somebody has a memory graduate."""
        number = self._pick(which, ACTIVE)
        row = self.model.rows.get(number)
        fact = row.content if row else ""
        self._decide(
            partial(graduate, number, principal=by, fact=fact),
            lambda: self.model.graduate(number, by),
        )

    @rule(which=WHICH, by=PEOPLE)
    def confirm(self, which: int, by: str) -> None:
        """Somebody confirms a memory."""
        number = self._pick(which, ACTIVE)
        self._decide(
            partial(confirm, number, principal=by),
            lambda: self.model.confirm(number, by),
        )

    @rule(data=st.data(), by=PEOPLE)
    def undo(self, data: st.DataObject, by: str) -> None:
        """Somebody takes a decision back: mostly one of the newest."""
        if not self.decisions:
            return
        newest = sorted(self.decisions)[-6:]
        number = data.draw(st.sampled_from(newest))

        def expect() -> Changes:
            if number in self.undone:
                raise Refused
            return self.model.undo(self.decisions[number], by)

        if self._decide(partial(undo_edit, number, principal=by), expect):
            self.undone.add(number)

    @rule()
    def repeat(self) -> None:
        """The last decision comes once more, under its name: nothing changes."""
        if self.last is None:
            return
        job, answer = self.last

        async def do() -> None:
            assert await (await self.memory()).writer.submit(job()) == answer

        self.run(do())
        self.last = None

    @rule(content=st.sampled_from(CONTENTS))
    def state(self, content: str) -> None:
        """Somebody states what an entity may state as well."""

        self.said.add(str(parse_fact(content)))

        async def do() -> None:
            await state(await self.memory(), content, principal="bob")

        self.run(do())

    @rule()
    def restart(self) -> None:
        """Stopped and started."""

        async def do() -> None:
            await self.memories.stop()
            self.memories = Memories(self.arena.stores[0], now=self.clock, trust=TRUST)

        self.run(do())

    # What must be so

    @invariant()
    def records_are_what_the_model_says(self) -> None:
        """Every record, its place and its links; and the cycle."""

        async def check() -> None:
            memory = await self.memory()
            found = {record.id: _row(record) for record in await records(memory)}
            assert found == self.model.rows
            async with memory.store.reading(self.tenant) as reads:
                cycle = await reads.cycle("")
            assert (cycle.number, cycle.written) == (
                self.model.number,
                self.model.written,
            )
            assert cycle.written <= SIZE

        self.run(check())

    @invariant()
    def the_graph_is_what_entities_state(self) -> None:
        """Facts of entities are held for as long as one is active, or others state them."""

        async def check() -> None:
            memory = await self.memory()
            world = memory.world
            found = await records(memory, Status.ACTIVE)
            stating = [it for it in found if it.kind is MemoryKind.ENTITY]
            stated = {str(parse_fact(it.fact)) for it in stating} | self.said
            for concept in ("ant", "bee"):
                edge = world.edge(world.id(concept) or 0, world.id("type") or 0)
                if edge and edge.source == StatementSource.PROMOTED.code:
                    held = f"{concept} -isa {world.token(edge.parent_id)}"
                    assert str(parse_fact(held)) in stated
            for record in stating:
                triple = parse_fact(record.fact)
                edge = world.edge(
                    world.id(triple.concept) or 0, world.id(triple.dimension) or 0
                )
                parent = world.token(edge.parent_id) if edge else ""
                assert record.outcome != "held" or parent == triple.parent

        self.run(check())

    @invariant()
    def nothing_waits_for_nothing(self) -> None:
        """A fact that ended with an entity keeps nothing waiting."""

        async def check() -> None:
            await assert_opposed(await self.memory())

        self.run(check())

    # How

    def _pick(self, which: int, *statuses: Status) -> int:
        """Return a record's number: mostly one that stands there; 1 if there is none."""
        rows = self.model.rows
        fit = [number for number, row in rows.items() if row.status in statuses]
        numbers = sorted(fit if which % 5 and fit else rows)
        return numbers[which % len(numbers)] if numbers else 1

    def _decide(
        self, job: Callable[..., Job[Any]], expect: Callable[[], Changes]
    ) -> bool:
        """Submit a job, and compares whether it can be done."""
        self.model.now = self.clock.now + 1
        try:
            changes = expect()
        except Refused:
            changes = None
        key = RequestKey("any", f"r{self.clock.now}", "Decide", b"payload")

        async def do() -> Any:
            memory = await self.memory()
            try:
                return await memory.writer.submit(job(request=key))
            except FestingerError as error:
                # It is refused, and not given up after many tries.
                assert not isinstance(error, Overloaded)  # noqa: PT017
                return error

        answer = self.run(do())
        assert isinstance(answer, FestingerError) == (changes is None), answer
        if changes is None:
            return False
        self.last = (partial(job, request=key), answer)
        self.run(self._note([changes]))
        return True

    async def _note(self, expected: list[Changes]) -> None:
        """Find what the log says of decisions, and which of its edits take them back."""
        log = await edits(await self.memory())
        new = [edit for edit in reversed(log) if edit.id > self.seen_edits]
        groups: dict[int, set[int]] = {}
        for edit in new:
            if edit.action is not Action.REFILL:
                groups.setdefault(edit.decision, set()).add(edit.record_id)
        assert [set(each) for each in expected] == list(groups.values())
        for number, changes in zip(groups, expected, strict=True):
            self.decisions[number] = changes
        self.seen_edits = log[0].id if log else 0


def _row(record: MemoryRecord) -> Row:
    return Row(
        record.kind,
        record.content,
        record.proposer,
        record.origin.hand_authored,
        record.status,
        record.rank,
        record.cycle,
        record.pending_since,
        record.deferred_at,
        record.graduated_from,
        record.graduated_to,
        record.superseded_by,
        record.decider,
        record.sole,
        record.original_content,
        record.confidence,
        record.re_extraction_count,
    )


async def test_any_order(database):
    """Each record is where the model has it, and the graph is what entities state."""

    def play() -> None:
        arena = Arena(database, servers=1)
        factory: Any = partial(Promoting, arena)
        try:
            run_state_machine_as_test(factory, settings=SETTINGS)
        finally:
            arena.close()

    await asyncio.to_thread(play)
