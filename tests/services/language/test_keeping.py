from __future__ import annotations

import asyncpg
import pytest

from festinger.config import PromptStorage
from festinger.core.language.turns import Role, Turn
from festinger.core.lines.line import LineKind
from festinger.core.lines.turns import digest_of
from festinger.services.language.forgetting import ForgetOldTurns, Forgetter
from festinger.services.recollection.recollect import PromptOrigin
from festinger.services.world.memory import Memories
from festinger.store.postgres import PostgresStore
from tests.memories import TRUST, recollect_prompt
from tests.services.conftest import settled

STOCK = "Kassel delivers the stock file at 05:40 every morning."
SHOP = PromptOrigin("s1", "shop")


def say(memory, text, *, subject="nan", where=SHOP, before=(), **turn):
    """Has somebody say something."""
    turns = [*before, Turn(Role.USER, text, **turn)]
    return recollect_prompt(
        memory, turns, principal="key-1", subject=subject, where=where
    )


async def kept(store: PostgresStore) -> list[tuple[str, str, str]]:
    """Speaker, project and text of what another server would load."""
    lines = (await store.load("default")).lines
    return [
        (it.speaker, it.project, it.text)
        for it in reversed([*lines.sources.recent()])
        if it.kind is LineKind.UTTERANCE
    ]


async def every_text(pool: asyncpg.Pool) -> str:
    """Return all that any table holds, as text."""
    tables = await pool.fetch(
        "select table_name from information_schema.tables where table_schema = 'public'"
    )
    texts = []
    for (table,) in tables:
        rows = await pool.fetch(f"select t::text from {table} t")
        texts += [row[0] for row in rows]
    return "\n".join(texts)


async def test_what_people_say_is_kept(memory, store):
    """Another server loads it with its speaker and project."""
    say(memory, STOCK, digest=b"1")
    await settled(memory)

    assert await kept(store) == [("nan", "shop", STOCK)]


async def test_prompt_that_any_model_answers_is_not_kept(memory, store):
    """It states nothing, though it has no mark of a question or a request."""
    say(memory, "a toast for a wedding, short", digest=b"1")
    say(memory, STOCK, digest=b"2")
    await settled(memory)

    assert await kept(store) == [("nan", "shop", STOCK)]


async def test_turn_is_kept_once(memory, store):
    """However often a client sends it, and whatever was read before it."""
    say(memory, STOCK, digest=b"1")
    await settled(memory)
    first = Turn(Role.USER, STOCK, digest=b"2")
    say(memory, "The vault is in Falkenstein.", before=[first], digest=b"3")
    await settled(memory)

    texts = [text for _, _, text in await kept(store)]
    assert texts == [STOCK, "The vault is in Falkenstein."]


async def test_what_another_said_before_is_not_kept_as_ours(memory, store):
    """If several people talk to one agent, each sends what the others said."""
    say(memory, STOCK, digest=b"1")
    await settled(memory)
    first = Turn(Role.USER, STOCK, digest=b"2")
    say(memory, "And the vault?", subject="theo", before=[first], digest=b"3")
    say(memory, "I like tea.", subject="theo", before=[first], digest=b"4")
    await settled(memory)

    assert await kept(store) == [
        ("nan", "shop", STOCK),
        ("theo", "shop", "I like tea."),
    ]


async def test_what_others_say_to_the_agent_is_not_kept(memory, store):
    """Neither what models write, nor what tools answer, nor the system's text."""
    for role in (Role.SYSTEM, Role.ASSISTANT, Role.TOOL):
        recollect_prompt(memory, [Turn(role, STOCK)], principal="key-1")
    await settled(memory)

    assert await kept(store) == []


async def test_confirmation_is_kept_with_what_it_confirms(memory, store):
    """A yes alone would say nothing."""
    asked = Turn(Role.ASSISTANT, "So the stock file comes from Kassel at 05:40?")
    say(memory, "yes, exactly", before=[asked], digest=b"1")
    await settled(memory)

    (line,) = (await store.load("default")).lines.sources.recent()
    assert "Kassel" in line.answers


@pytest.mark.parametrize("keeps", [PromptStorage.STATEMENTS, PromptStorage.NOTHING])
async def test_setting_says_what_is_kept(memory, store, pool, keeps):
    """Statements alone, or nothing at all."""
    memory.keeps = keeps
    say(memory, f"gnommoweb is a repo. {STOCK}", digest=b"1")
    await settled(memory)

    assert await kept(store) == []
    edges = await pool.fetchval(
        "select count(*) from urd join concepts using (tenant, id) "
        "where token = 'gnommoweb'"
    )
    assert edges == (1 if keeps is PromptStorage.STATEMENTS else 0)


async def test_no_secret_is_stored(memory, pool):
    """Wherever it stands: no table has it."""
    asked = Turn(Role.ASSISTANT, "Your key is AKIAIOSFODNN7EXAMPLE, right?")
    text = "The staging password is Tr0ub4dor&3Zx. vault_x is a Tr0ub4dor&3Zx."
    say(memory, text, before=[asked], digest=b"1")
    await settled(memory)
    await memory.writer.flush()

    texts = (await every_text(pool)).lower()
    assert "staging password" in texts
    assert "tr0ub4dor" not in texts
    assert "akiaiosf" not in texts


async def test_answer_quotes_what_helps(memory, store):
    """In another conversation, with who said it; not in the one that holds it."""
    for number, text in enumerate(
        [
            STOCK,
            "The staging cluster for the catalog runs in Falkenstein.",
            "Invoices are archived for eleven years in the vault bucket.",
            "We rotate the on-call pager every Tuesday at ten.",
        ]
    ):
        say(memory, text, digest=bytes([number]))
    await settled(memory)
    question = "When does Kassel deliver the stock file?"

    elsewhere = say(memory, question, subject="theo")
    here = say(
        memory,
        question,
        subject="theo",
        where=SHOP._replace(present=frozenset({digest_of(STOCK)})),
    )

    assert any("05:40" in it.text for it in elsewhere.lines)
    assert all("05:40" not in it.text for it in here.lines)


async def test_other_server_follows(memory, store, memories):
    """A sentence kept by one server is known to another with its next look."""
    other = await store.load("default")
    say(memory, STOCK, digest=b"1")
    await settled(memory)

    news = await store.news("default", other.version)

    assert [it.utterances[0].text for it in news.spoken] == [STOCK]


async def test_what_is_too_old_is_forgotten(memory, memories, store, clock, pool):
    """From the index and from the table."""
    say(memory, STOCK, digest=b"1")
    await settled(memory)
    clock.now += 91 * 86_400

    await Forgetter(memories, days=90, now=clock).look()

    assert memory.world.lines.lines_of(LineKind.UTTERANCE, 1) == []
    assert len(memory.world.lines) == 0
    assert await kept(store) == []
    assert "Kassel" not in await every_text(pool)


@pytest.mark.parametrize(("later", "removed"), [(0, 0), (5, 1)])
async def test_index_does_not_grow_with_what_was_forgotten(
    memory, memories, clock, later, removed
):
    """Once more lines were removed than are left, searches no longer pass over them."""
    say(memory, STOCK, digest=b"1")
    await settled(memory)
    clock.now += 91 * 86_400
    for number in range(later):
        text = STOCK.replace("Kassel", f"Hanau{number}")
        say(memory, text, digest=f"later{number}".encode())
    await settled(memory)

    await Forgetter(memories, days=90, now=clock).look()

    assert memory.world.lines.sources.removed == removed
    assert len(memory.world.lines.sources) == later


async def test_ledger_quotes_nothing_that_is_too_old(
    memory, memories, store, clock, pool
):
    """The statement and its author stay; the sentence goes with its turn."""
    say(memory, "The zorkmachine is a repo in Kassel.", digest=b"1")
    say(memory, "gnommoweb is a repo.", digest=b"2")
    await settled(memory)
    assert "gnommoweb is a repo" in await every_text(pool)
    clock.now += 91 * 86_400
    say(memory, "dobby is a elf.", digest=b"3")
    await settled(memory)

    await Forgetter(memories, days=90, now=clock).look()

    texts = await every_text(pool)
    assert "gnommoweb is a repo" not in texts
    assert "Kassel" not in texts
    assert "dobby is a elf" in texts
    assert await pool.fetchval("select count(*) from assertions") >= 2


async def test_memory_that_is_not_loaded_forgets_as_well(
    memory, memories, store, clock, pool
):
    """Whoever is asked nothing after a restart forgets all the same."""
    say(memory, STOCK, digest=b"1")
    await settled(memory)
    await memories.stop()
    restarted = Memories(store, now=clock, trust=TRUST)
    clock.now += 91 * 86_400

    await Forgetter(restarted, days=90, now=clock).look()
    await restarted.stop()

    assert "Kassel" not in await every_text(pool)


async def test_forgetting_that_was_interrupted_goes_on(
    memory, memories, store, clock, pool, monkeypatch
):
    """The turns of one transaction are gone; the next look takes the rest."""
    monkeypatch.setattr("festinger.services.language.forgetting.TURNS_MAX", 1)
    say(memory, STOCK, digest=b"1")
    say(memory, STOCK.replace("Kassel", "Hanau"), digest=b"2")
    await settled(memory)
    clock.now += 91 * 86_400
    await memory.writer.submit(ForgetOldTurns(clock.now - 90 * 86_400))
    assert len(await kept(store)) == 1

    await Forgetter(memories, days=90, now=clock).look()

    assert await kept(store) == []
