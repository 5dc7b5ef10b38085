"""Measures what a year of a team of agents leaves: size, start, and time a prompt.

python -m benchmarks.year [--prompts N] [--days N]

Prompts are read, judged and committed by the real code to a real Postgres. Both run by a
clock that moves forward, so that counters are written and retention deletes what is too
old each day. Only what models answer is left out.
"""

from __future__ import annotations

import asyncio
import gc
import itertools
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter, thread_time

from benchmarks.clocks import MovedClock, moved_clock
from benchmarks.report import Part, Row, run
from benchmarks.worlds import PARENTS, TRUST, Prompts, everyday, renewed
from benchmarks.writing import new_postgres
from festinger.config import KeepingSettings, RetentionSettings
from festinger.core.graph.proposal import Triple
from festinger.core.language.turns import Role, Turn
from festinger.services.graph.facts import assert_fact, retract_fact
from festinger.services.language.forgetting import ForgetOldTurns, Forgetter
from festinger.services.recollection.recollect import answer_prompt
from festinger.services.system.pruner import Pruner
from festinger.services.world.memory import Memories
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.migrations import tables
from festinger.store.postgres import PostgresStore
from festinger.store.review.reports import ReportFolders
from festinger.store.system.pool import Pool
from festinger.store.system.queries import sql
from festinger.store.world.batches import RequestKey

AGENTS = 10
DAYS = 100
"""On which they work."""
PROMPTS = 20
"""Of each agent and day."""
AGES = {"month": 1 / 12, "quarter": 1 / 4, "half": 1 / 2, "year": 1.0}
"""When it is measured, by shares of the days."""
TIMES_MAX = 1.5
"""What a prompt may take at the end of the year, in those of the end of the month."""
_YEAR_SECONDS = 365 * 86_400
_CHARACTERS = 1024
_TEXTS = 400
_CONCEPTS = 10_000
_TOGETHER = 20
"""Prompts that are read while a batch is committed."""
_ASKED, _ROUNDS = 60, 5
_TABLE_SHARE_MIN = 0.05
"""Smaller tables are not listed."""
_PAYLOAD = b"x" * 16


@dataclass(frozen=True, slots=True)
class Age:
    """A memory at one age.

    Attributes:
        name: Of the age.
        lines: What it can tell.
        concepts: Words that it knows.
        tables: Bytes of each table with its indexes.
        start: Seconds until a server has loaded it.
        asked: Seconds of processor time a prompt.
    """

    name: str
    lines: int
    concepts: int
    tables: dict[str, int]
    start: float
    asked: float


def measure(prompts: int = PROMPTS, days: int = DAYS) -> Part:
    """Live through a year, and measure at each age.

    Args:
        prompts: Of each agent and day.
        days: Into which the year is divided.
    """
    with moved_clock() as clock:
        ages = asyncio.run(_live(clock, prompts, days))
    first, last = ages[0], ages[-1]
    ratio = last.asked / first.asked
    rows = [row for age in ages for row in _rows(age)]
    rows.append(Row("year.vs_month", "A prompt: year to month", ratio, "x"))
    return Part(
        f"A year of {AGENTS} agents, {prompts} prompts each a day, {days} days",
        f"At most {TIMES_MAX} times the time of a month's end is wanted.",
        rows,
    )


def _rows(age: Age) -> Iterator[Row]:
    key = f"year.{age.name}"
    total = sum(age.tables.values())
    yield Row(f"{key}.lines", f"After a {age.name}: lines", age.lines, "")
    yield Row(f"{key}.concepts", "  concepts", age.concepts, "")
    yield Row(f"{key}.start", "  start", age.start, "s")
    yield Row(f"{key}.ms", "  a prompt of 1 KB, median", age.asked * 1e3, "ms")
    yield Row(f"{key}.mib", "  tables", total / 2**20, "MiB")
    for name, size in sorted(age.tables.items(), key=lambda it: -it[1]):
        if size >= total * _TABLE_SHARE_MIN:
            yield Row(f"{key}.{name}.mib", f"    {name}", size / 2**20, "MiB")


async def _live(clock: MovedClock, prompts: int, days: int) -> list[Age]:
    source = Prompts(_CONCEPTS)
    texts = [source.text(_CHARACTERS) for _ in range(_TEXTS)]
    due = {max(1, round(share * days)): name for name, share in AGES.items()}
    numbers = itertools.count()
    ages = []
    async with new_postgres() as pool:
        store = PostgresStore(pool, frozenset(everyday()))
        await store.add_tenant("default")
        memories = Memories(store, now=clock.now, trust=TRUST)
        with tempfile.TemporaryDirectory() as directory:
            reports = ReportFolders(Path(directory))
            pruner = Pruner(store, RetentionSettings(), reports, now=clock.now)
            keep_days = KeepingSettings().keep_days
            forgetter = Forgetter(memories, days=keep_days, now=clock.now)
            for day in range(1, days + 1):
                clock.advance(_YEAR_SECONDS // days)
                # A memory that was not used over night is loaded again.
                memory = await memories.get("default")
                today = list(itertools.islice(numbers, AGENTS * prompts))
                await _prompts(memory, texts, today)
                await _facts(memory, day)
                await memories.flush()
                await forgetter.look()
                await pruner.look()
                if day in due:
                    ages.append(await _age(due[day], memory, store, pool, texts))
        await memories.stop()
    return ages


async def _prompts(
    memory: TenantMemory, texts: Sequence[str], numbers: Iterable[int]
) -> None:
    """Have the prompts of a day read, and what they bring committed."""
    for number in numbers:
        agent = f"agent{number % AGENTS}"
        text = renewed(texts[number % _TEXTS], number)
        turn = Turn(Role.USER, text, digest=number.to_bytes(16))
        _, keep = answer_prompt(memory, [turn], principal=agent, subject=agent)
        keep()
        if number % _TOGETHER == 0:
            await _written(memory)
    await _written(memory)


async def _facts(memory: TenantMemory, day: int) -> None:
    """Have each agent state something new, and something else about itself."""

    async def state(number: int) -> None:
        agent = f"agent{number}"
        kind = PARENTS[(day + number) % len(PARENTS)]
        before = PARENTS[(day + number - 1) % len(PARENTS)]
        if day > 1:
            old = Triple(f"{agent}x", before, "runs-on", True)
            await retract_fact(memory, old, principal=agent)
        for place, name, dimension in (
            ("new", f"n{day}x{number}", "type"),
            ("other", f"{agent}x", "runs-on"),
        ):
            await assert_fact(
                memory,
                Triple(name, kind, dimension, True),
                principal=agent,
                request=RequestKey(agent, f"{place}{day}", "Assert", _PAYLOAD),
            )

    await asyncio.gather(*(state(number) for number in range(AGENTS)))


async def _written(memory: TenantMemory) -> None:
    """Wait until what was offered is committed: what is submitted is done after it."""
    await memory.writer.submit(ForgetOldTurns(0))


async def _age(
    name: str,
    memory: TenantMemory,
    store: PostgresStore,
    pool: Pool,
    texts: Sequence[str],
) -> Age:
    """Measure a memory as it is, by prompts that it has read before."""
    gc.collect()
    started = perf_counter()
    await store.load("default")
    start = perf_counter() - started
    gc.collect()
    spent = []
    for number in range(_ASKED * _ROUNDS):
        turn = Turn(Role.USER, texts[number % _ASKED], seen=False)
        began = thread_time()
        _, keep = answer_prompt(memory, [turn], principal="agent0", subject="agent0")
        keep()
        spent.append(thread_time() - began)
        if number % _TOGETHER == 0:
            await _written(memory)
    rows = await pool.fetch(sql("table_sizes"), sorted(tables()))
    sizes = {row["name"]: row["bytes"] for row in rows}
    world = memory.world
    return Age(
        name, len(world.lines), len(world.vocabulary), sizes, start, median(spent)
    )


if __name__ == "__main__":
    run("year", measure, prompts=PROMPTS, days=DAYS)
