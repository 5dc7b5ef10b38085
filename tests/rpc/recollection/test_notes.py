from __future__ import annotations

import grpc
import pytest

from festinger.api.v1 import line_service_pb2 as pb
from festinger.config import PromptStorage
from tests.serving import Client, refused

CODE = grpc.StatusCode
NADIA = Client.as_("shim", principal="key-1", subject="nadia")
TYPE = '"gnommoweb" is a "repo"'
OTHER = '"gnommoweb" is a "container"'


async def keep(client, *notes, who=NADIA, session="graph", **fields):
    """Keep notes, each a text or a text with its reading."""
    pairs = [(it, "") if isinstance(it, str) else it for it in notes]
    request = pb.KeepNotesRequest(
        notes=[pb.Note(text=text, reading=reading) for text, reading in pairs],
        session=session,
        **fields,
    )
    return await client.lines.KeepNotes(request, metadata=who)


async def texts(client, **fields):
    """Return the notes of the collection `graph`, the newest first."""
    request = pb.SearchLinesRequest(session="graph", kind="KIND_UTTERANCE", **fields)
    found = await client.lines.SearchLines(request, metadata=NADIA)
    return [it.quote for it in found.lines]


async def forget(client, *names, who=NADIA):
    """Forget notes by their names."""
    request = pb.ForgetLinesRequest(names=names)
    return await client.lines.ForgetLines(request, metadata=who)


async def test_notes_are_kept_exactly(client):
    """Even what no sentence would be kept of, in the order in which they came."""
    odd = ["ok", '"a":  "two  spaces"', '"x": "1\\n2"', "Ünï ☃"]
    kept = await keep(client, *odd, project="shop")

    assert [it.quote for it in kept.lines] == odd
    assert {(it.session, it.project) for it in kept.lines} == {("graph", "shop")}
    assert await texts(client) == odd[::-1]


async def test_equal_notes_are_two(client):
    """A note forgotten of one is not forgotten of the other, and it can come back."""
    kept = await keep(client, "same", "same")
    await forget(client, kept.lines[0].name)
    assert await texts(client) == ["same"]

    await keep(client, "same")
    assert await texts(client) == ["same", "same"]


async def test_collection_is_listed_alone(client):
    """Neither what people said nor another collection's notes are in it."""
    await keep(client, "one")
    await keep(client, "two", session="other")
    await client.lines.Say(
        pb.SayRequest(text="Kassel delivers the stock file at 05:40."), metadata=NADIA
    )

    assert await texts(client) == ["one"]


async def test_reading_of_a_note_is_judged(client):
    """It is held, unless it contradicts; the note is kept either way."""
    first = await keep(client, (TYPE, "gnommoweb -isa repo"))
    second = await keep(client, (OTHER, "gnommoweb is a container"))

    assert [it.verdict for it in first.outcomes] == [1]
    (conflict,) = second.outcomes
    assert conflict.conflict_id
    assert (await client.concept("gnommoweb")).edges[0].parent == "repo"
    assert await texts(client) == [OTHER, TYPE]


@pytest.mark.parametrize("reading", ["gnommoweb -isa repo", "gnommoweb is a repo"])
async def test_statement_goes_with_its_note(client, reading):
    """A fact that is held for the sake of a note alone ends when it is forgotten."""
    kept = await keep(client, (TYPE, reading))
    await forget(client, kept.lines[0].name)

    assert (await client.concept("gnommoweb")).edges == []


async def test_note_without_reading_states_nothing(client):
    """Its own words are not read."""
    kept = await keep(client, "gnommoweb is a repo")

    assert list(kept.outcomes) == []


async def test_secrets_are_cut_out(client):
    """Of the note and of its reading."""
    key = "AKIA" + "IOSFODNN7EXAMPLZ"
    kept = await keep(client, (f"aws: {key}", f"The key of aws is {key}."))

    assert key not in str(kept)


async def test_names_that_are_gone_are_left_out(client):
    """Several notes are forgotten at once, whatever became of some of them."""
    kept = await keep(client, "one", "two", "three")
    names = [it.name for it in kept.lines]
    await forget(client, names[0])

    gone = await forget(client, *names[:2], "said-999.0", "no-name")

    assert gone.total_size == 1
    assert await texts(client) == ["three"]


async def test_only_own_notes_are_forgotten(client):
    """Others' are refused, and stay."""
    kept = await keep(client, "one")
    theo = Client.as_("shim", principal="key-2", subject="theo")

    with refused() as refusal:
        await forget(client, kept.lines[0].name, who=theo)

    assert refusal.code is CODE.PERMISSION_DENIED
    assert await texts(client) == ["one"]


@pytest.mark.parametrize(
    ("notes", "fields"),
    [
        ((), {}),
        (("x",) * 1001, {}),
        (("  ",), {}),
        (("x" * 64_001,), {}),
        ((("x", "y" * 64_001),), {}),
        (("x",), {"session": " "}),
        (("a\0b",), {}),
    ],
    ids=["none", "too many", "empty", "long", "long reading", "no session", "NUL"],
)
async def test_what_cannot_be_kept_is_refused(client, notes, fields):
    """With what is wrong; nothing is kept."""
    with refused() as refusal:
        await keep(client, *notes, **fields)

    assert refusal.code is CODE.INVALID_ARGUMENT
    assert await texts(client) == []


async def test_nothing_is_kept_where_no_sentences_are(client, memories):
    """If the settings keep statements only, there are no notes."""
    (await memories.get("default")).keeps = PromptStorage.STATEMENTS

    with refused() as refusal:
        await keep(client, "one")

    assert refusal.reason == "NOTHING_KEPT"


async def test_collection_is_no_conversation(client):
    """One note does not take another's place as if somebody had changed their mind (J7)."""
    await keep(client, ("a", "Alice works at Acme."))
    second = await keep(client, ("b", "Alice works at TechCo."))

    assert [it.verdict for it in second.outcomes] == [3]
    assert [it.parent for it in (await client.concept("alice")).edges] == ["acme"]
