"""Number of a batch's waits for Postgres while it holds the tenant's lock."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import Any

import pytest

from festinger.core.graph.outcome import Verdict
from festinger.core.graph.proposal import Triple
from festinger.core.language.reader.unread import UnreadTurn
from festinger.core.language.utterances import Utterance
from festinger.core.lines.turns import SpokenTurn, digest_of
from festinger.core.world.draft import Draft
from festinger.store.graph.writes import GraphWrites
from festinger.store.language.turn_queue import UnreadWrites
from festinger.store.language.turns import TurnWrites
from festinger.store.postgres import PostgresStore
from festinger.store.system import pool as pool_module
from festinger.store.system import tenancy
from festinger.store.system.queries import sql
from festinger.store.system.statement_batch import JoiningConnection
from festinger.store.system.tenancy import transaction
from festinger.store.world.batches import Batch
from tests.memories import DICTIONARY, NOW, held, stated
from tests.store.world.writing import write

SAID = "Kassel delivers the stock file at 05:40."
SENT = ("execute", "executemany", "fetch", "fetchrow", "fetchval")


class Counting:
    """A connection that notes the statements that it sends."""

    def __init__(self, connection: Any, sent: list[str]) -> None:
        self._connection = connection
        self._sent = sent

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._connection, name)
        if name not in SENT:
            return found

        def send(text: str, *arguments: Any) -> Any:
            self._sent.append(text)
            return found(text, *arguments)

        return send


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The statements that were sent in transactions, one a round trip."""
    texts: list[str] = []

    @asynccontextmanager
    async def counted(pool: Any) -> Any:
        async with pool_module.acquired(pool) as connection:
            yield Counting(connection, texts)

    monkeypatch.setattr(tenancy, "acquired", counted)
    return texts


def _with_the_lock(sent: list[str]) -> list[str]:
    """
    The statements sent while the lock was held, without the look-up of witnesses, which
    the test's writer makes for all statements and a server for those that it knows.
    """
    (begin,) = [place for place, text in enumerate(sent) if text == sql("take_pen")]
    return [text for text in sent[begin + 1 :] if text != sql("witnesses")]


async def test_new_facts_take_three_round_trips_with_the_lock(store, sent):
    """However many they are: what others wrote, all that is written, and the commit."""
    world = await store.load("default")
    facts = [stated(f"name{number}x -isa thing") for number in range(50)]
    await write(store, world, stated("thing -isa concept"))
    sent.clear()

    outcomes, _ = await write(store, world, *facts)

    assert {outcome.verdict for outcome in outcomes} == {Verdict.HELD}
    news, written, commit = _with_the_lock(sent)
    assert news == sql("news")
    assert all(f"insert into {table}" in written for table in ("urd", "change_log"))
    assert commit == "commit"


async def test_a_new_message_takes_four_round_trips_with_the_lock(store, sent):
    """
    One each to read what others wrote, and what is known of its words; one to write all
    of it; and the commit.
    """
    world = await store.load("default")
    said = SpokenTurn(
        0, "nan", "nan", "", "", NOW, digest_of(SAID), [Utterance(SAID)], is_newest=True
    )
    unread = UnreadTurn(SAID, "nan", "nan", "", "", NOW, said.digest)
    sent.clear()

    async with store.writing("default") as writing:
        await writing.news(world.version)
        batch = Batch(GraphWrites(Draft(world, now=NOW)), now=NOW)
        batch.of(TurnWrites).keep([said])
        batch.of(UnreadWrites).turns.append(unread)
        version = await writing.write(batch)
    batch.publish(world, version)

    _, known, written, commit = _with_the_lock(sent)
    assert "insert into unread_turns" in known
    assert all(f"insert into {table}" in written for table in ("turns", "change_log"))
    assert commit == "commit"
    assert [it.text for it in world.lines.sources.turn_of(said.digest)] == [SAID]
    loaded = (await store.load("default")).lines.sources
    assert loaded.texts == world.lines.sources.texts


async def test_facts_of_other_servers_take_one_round_trip(store, pool, sent):
    """Whatever another server wrote is read at once before a batch is judged."""
    other = PostgresStore(pool, DICTIONARY)
    ours, theirs = await store.load("default"), await other.load("default")
    facts = [stated(f"name{number}x -isa thing") for number in range(20)]
    await write(other, theirs, *facts)
    sent.clear()

    await write(store, ours, stated("thing -ispart house"))

    assert _with_the_lock(sent).count(sql("news")) == 1
    assert len(_with_the_lock(sent)) == 4, "also a check of what was not new"
    assert Triple("name7x", "thing", "type", True) in held(ours)


async def test_kept_back_statements_precede_the_next_one(store, pool):
    """A statement that is sent at once sees those that were kept back before it."""
    await store.load("default")
    async with transaction(pool, "default") as connection:
        joining = JoiningConnection(connection, "default")
        versions = await joining.later("bump")
        assert list(versions) == []

        found = await joining.fetchval("select version from heads")

    assert list(versions) == [found]


async def test_a_repeated_statement_is_sent_apart(store, pool):
    """The same statement twice takes effect twice, one after the other."""
    await store.load("default")
    async with transaction(pool, "default") as connection:
        joining = JoiningConnection(connection, "default")
        first = await joining.later("bump")
        second = await joining.later("bump")
        await joining.flush()

    assert second[0] == first[0] + 1


async def test_checks_get_what_a_statement_returned(store, pool):
    """The check of a statement runs once it was sent, with all values."""
    await store.load("default")
    seen: list[int] = []

    async def check(found: Any) -> None:
        seen.extend(found)

    async with transaction(pool, "default") as connection:
        joining = JoiningConnection(connection, "default")
        await joining.later("bump", check=check)
        assert seen == []
        await joining.flush()

    assert len(seen) == 1
