"""Counts contradictions that are missed, and facts that are taken for one.

A seeded stream of facts in which some contradict what was stated before, by every kind of
collision but circles, some state it again, and some deny what nobody stated. Who planted
them knows what must become of each; the memory is told nothing.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from benchmarks.report import Part, Row, Samples, timed
from benchmarks.writing import new_postgres
from festinger.core.graph.outcome import Verdict
from festinger.core.graph.proposal import Triple
from festinger.core.system.models import Purpose
from festinger.llm.interface import Form
from festinger.services.graph.facts import assert_fact
from festinger.services.graph.resolver import Resolver
from festinger.services.world.memory import Memories
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.postgres import PostgresStore

FACTS = 10_000
CONTRADICTIONS, AGAIN, DENIALS = 0.05, 0.05, 0.02
AT_ONCE = 500
DIMENSIONS = ("type", "membership", "runs-on", "geography", "owned-by")
PEOPLE = ("alice", "bob", "carol")


@dataclass
class Stream:
    """Statements, each with what must become of it."""

    source: random.Random
    held: list[Triple] = field(default_factory=list)
    denied: list[Triple] = field(default_factory=list)

    def statements(self, count: int) -> list[tuple[Triple, Verdict]]:
        """So many of them, the planted ones among the others."""
        return [self._statement(number) for number in range(count)]

    def _statement(self, number: int) -> tuple[Triple, Verdict]:
        chance = self.source.random()
        if self.held and chance < CONTRADICTIONS:
            return self._contradiction(number), Verdict.CONFLICTED
        if self.held and chance < CONTRADICTIONS + AGAIN:
            return self.source.choice(self.held), Verdict.CORROBORATED
        triple = Triple(
            f"thing{number}x",
            f"kind{self.source.randrange(200)}x",
            self.source.choice(DIMENSIONS),
            self.source.random() < 0.5,
            negated=chance > 1 - DENIALS,
        )
        (self.denied if triple.negated else self.held).append(triple)
        return triple, Verdict.HELD

    def _contradiction(self, number: int) -> Triple:
        """Another parent, the other flavour, a denial of a fact or of a denial."""
        kind = self.source.randrange(4)
        if kind == 0 and self.denied:
            return self.source.choice(self.denied)._replace(negated=False)
        fact = self.source.choice(self.held)
        if kind == 1:
            return fact._replace(negated=True)
        if kind == 2:
            return fact._replace(is_isa=not fact.is_isa)
        return fact._replace(parent=f"other{number}x")


class Coin:
    """A model that answers at once, and dismisses two of three."""

    def __init__(self) -> None:
        self._asked = 0

    async def ask(
        self,
        tenant: str,
        purpose: Purpose,
        *,
        system: str,
        prompt: str,
        form: type[Form],
    ) -> Form:
        """Return the next answer."""
        self._asked += 1
        decision = ("dismiss", "update", "dismiss")[self._asked % 3]
        return form.model_validate({"decision": decision})


def measure(quick: bool = False, *, facts: int | None = None) -> list[Part]:
    """Measure a stream of facts, and the run that settles what it left."""
    count = facts or (1_000 if quick else FACTS)
    return [asyncio.run(_measure(count))]


async def _measure(count: int) -> Part:
    async with new_postgres() as pool:
        store = PostgresStore(pool, frozenset())
        await store.add_tenant("default")
        memories = Memories(store, now=time.time, trust={})
        memory = await memories.get("default")
        statements = Stream(random.Random(7)).statements(count)
        started = time.perf_counter()
        verdicts = await _state(memory, statements)
        seconds = time.perf_counter() - started
        laps = await _settle(memories, memory, store)
        differences = await memory.writer.check()
        await memories.stop()
    return Part(
        f"Contradictions: {count:,} facts, {CONTRADICTIONS:.0%} of them contradict "
        f"what was stated before, {AGAIN:.0%} state it again, {DENIALS:.0%} deny",
        "Over a Postgres of its own, with fsync, without gRPC; 500 at once, in order. "
        "The run asks a model that answers at once, so its time is all ours: reading "
        "the conflict, the decision and its commit.",
        _rows(statements, verdicts, seconds / count, laps, differences),
    )


async def _state(
    memory: TenantMemory, statements: Sequence[tuple[Triple, Verdict]]
) -> list[Verdict]:
    verdicts: list[Verdict] = []
    for start in range(0, len(statements), AT_ONCE):
        some = statements[start : start + AT_ONCE]
        outcomes = await asyncio.gather(
            *(
                assert_fact(
                    memory,
                    triple,
                    principal=PEOPLE[number % len(PEOPLE)],
                    request=None,
                )
                for number, (triple, _) in enumerate(some)
            )
        )
        verdicts += [outcome.verdict for outcome, _ in outcomes]
    return verdicts


async def _settle(
    memories: Memories, memory: TenantMemory, store: PostgresStore
) -> list[float]:
    """Return a run's seconds for each conflict."""
    memory.preferences = replace(memory.preferences, resolve_model_id=1)
    resolver = Resolver(memories, Coin(), store.runs, now=time.time)
    laps = [
        told.seconds
        async for told in resolver.run("default", "benchmark")
        if told.about
    ]
    await resolver.finished()
    await resolver.stop()
    return laps


def _rows(
    statements: Sequence[tuple[Triple, Verdict]],
    verdicts: Sequence[Verdict],
    seconds: float,
    laps: Sequence[float],
    differences: Sequence[str],
) -> list[Row]:
    planted = Counter(expected for _, expected in statements)
    wrong = [
        (expected, got)
        for (_, expected), got in zip(statements, verdicts, strict=True)
        if expected is not got
    ]
    missed = sum(expected is Verdict.CONFLICTED for expected, _ in wrong)
    false = sum(got is Verdict.CONFLICTED for _, got in wrong)
    return [
        Row("contradictions.planted", "planted", planted[Verdict.CONFLICTED], ""),
        Row("contradictions.missed", "missed", missed, ""),
        Row("contradictions.false", "facts taken for one", false, ""),
        Row(
            "contradictions.other",
            "judged otherwise wrong",
            len(wrong) - missed - false,
            "",
        ),
        Row("contradictions.fact", "a fact, judged and committed", seconds),
        timed("contradictions.item", "a conflict, settled by a run", Samples(laps)),
        Row("contradictions.left", "differences to the database", len(differences), ""),
    ]
