from __future__ import annotations

from pathlib import Path
from typing import Any

import asyncpg
import pytest

from tests.e2e.conftest import BLOCK, Festinger
from tests.shim.conftest import chat

STOCK = "Kassel delivers the stock file at 05:40 every morning."
VAULT = "The vault bucket is in Falkenstein, and nobody else may read it."
OTHERS = [
    "We rotate the on-call pager every Tuesday at ten.",
    "The staging cluster for the catalog runs in Falkenstein.",
    "Our wiki is backed up to the Synology in the cellar.",
    "Invoices are archived for eleven years in the cold bucket.",
]
QUESTION = "When does Kassel deliver the stock file?"


async def call(
    festinger: Festinger,
    method: str,
    path: str,
    *,
    who: str = "/as/nan",
    body: Any = None,
    **query: str,
) -> tuple[int, Any]:
    """Call the shim, and return status and JSON."""
    url = f"{festinger.url}{who}{path}"
    async with festinger.http.request(method, url, json=body, params=query) as it:
        return it.status, await it.json()


async def say(festinger: Festinger, text: str, **how: Any) -> tuple[int, Any]:
    """Has a text kept."""
    body = {"text": text, **how.pop("more", {})}
    return await call(festinger, "POST", "/facts", body=body, **how)


async def texts(festinger: Festinger, **query: str) -> list[str]:
    """
    The quotes, or texts, of the facts that are listed, sentences alone if nothing else is
    asked for.
    """
    status, body = await call(
        festinger, "GET", "/facts", **{"kind": "utterance", **query}
    )
    assert status == 200
    return [it["quote"] or it["text"] for it in body["facts"]]


async def prompt(festinger: Festinger, *said: str, session: str = "s1") -> list[str]:
    """Return the messages that the model is given of Theo's conversation."""
    headers = {"X-Festinger-Session": session}
    url = f"{festinger.url}/as/theo/api/chat"
    async with festinger.http.post(url, json=chat(*said), headers=headers) as it:
        await it.read()
        assert it.status == 200
    return [it["content"] for it in festinger.ollama.prompts[-1].json["messages"]]


async def why(festinger: Festinger, session: str = "s1", accept: str = "") -> str:
    """Return the explanation of Theo's session."""
    headers = {"Accept": accept or "application/json"}
    url = f"{festinger.url}/as/theo/festinger/why/{session}"
    async with festinger.http.get(url, headers=headers) as it:
        assert it.status == 200
        return await it.text()


async def test_said_listed_and_forgotten(festinger):
    """
    A sentence is kept once, found by its words, speaker, project and kind, page by page,
    and forgotten by whoever said it alone.
    """
    status, body = await say(festinger, STOCK, who="/as/nan/in/shop")
    again, repeated = await say(festinger, STOCK, who="/as/nan/in/shop")
    await say(festinger, VAULT, who="/as/theo")

    assert (status, again) == (201, 200)
    [kept] = body["kept"]
    assert (kept["by"], kept["project"], kept["kind"]) == ("nan", "shop", "utterance")
    assert kept["status"] == "active"
    assert [it["name"] for it in repeated["kept"]] == [kept["name"]]
    assert await texts(festinger, q="stock file") == [STOCK]
    assert await texts(festinger, by="theo") == [VAULT]
    assert await texts(festinger, project="shop") == [STOCK]
    assert await texts(festinger, kind="statement") == [VAULT]
    assert await texts(festinger, since="2999-01-01") == []
    assert await texts(festinger, who="/as/theo/in/shop") == [STOCK]
    _, page = await call(festinger, "GET", "/facts", limit="1", kind="utterance")
    assert await texts(festinger, limit="1", page=page["next_page"]) == [STOCK]

    path = {"name": kept["name"]}
    status, body = await call(festinger, "DELETE", "/facts", who="/as/theo", **path)
    assert status == 403
    assert "theo" in body["error"]
    _, body = await call(festinger, "DELETE", "/facts", preview="1", **path)
    assert (body["total"], body["preview"]) == (1, True)
    status, body = await call(festinger, "DELETE", "/facts", **path)
    assert (status, [it["quote"] for it in body["forgotten"]]) == (200, [STOCK])
    assert await texts(festinger) == [VAULT]
    status, _ = await call(festinger, "DELETE", "/facts", **path)
    assert status == 404


async def test_a_text_says_how_it_was_understood(festinger):
    """
    Statements are held, sentences kept, questions left out with the reason; a correction
    takes the place of what it corrects.
    """
    status, body = await say(festinger, f"gnommoweb is a repo. {VAULT} How are you?")

    assert status == 201
    assert [(it["result"], it["triple"]["concept"]) for it in body["understood"]] == [
        ("held", "gnommoweb"),
        ("held", "vault_bucket"),
    ]
    assert VAULT in [it["quote"] for it in body["kept"]]
    assert [it["text"] for it in body["not_kept"]] == ["How are you?"]
    name = next(it["name"] for it in body["kept"] if it["quote"] == VAULT)
    newer = "The vault bucket is in Helsinki, and nobody else may read it."
    await say(festinger, newer, more={"corrects": name})
    found = await texts(festinger, q="vault bucket", kind="")
    assert newer in found
    assert VAULT not in found
    status, _ = await say(festinger, newer, more={"corrects": "said-99.0"})
    assert status == 404


async def test_iknowthat_takes_a_sentence(festinger):
    """
    The strict form answers as it did; any other sentence says how it was understood, and
    what cannot be kept is still a mistake in the strict form.
    """

    async def state(fact: str) -> tuple[int, Any]:
        return await call(festinger, "POST", "/iknowthat", body={"fact": fact})

    status, strict = await state("gnommoweb -isa repo in context of glitch_university")
    assert (status, strict["result"]) == (201, "held")
    assert "understood" not in strict
    status, body = await state(STOCK)
    assert (status, body["result"]) == (201, "kept")
    assert [it["quote"] for it in body["kept"]] == [STOCK]
    status, body = await state("dobby is a service")
    assert (status, body["result"]) == (201, "held")
    for wrong in ("gnommoweb -isa", "hello"):
        status, body = await state(wrong)
        assert (status, body["reason"]) == (400, "fact_syntax")


async def test_repeated_call_changes_nothing_twice(festinger):
    """
    Words under an id are stated once; what is forgotten under one is counted again, with
    the statements that ended.
    """
    fact = {"fact": "The billing service runs on podman.", "request_id": "r1"}
    said = [await call(festinger, "POST", "/iknowthat", body=fact) for _ in range(2)]
    shown = await call(
        festinger, "DELETE", "/facts", phrase="podman", by="nan", preview="1"
    )
    gone = [
        await call(
            festinger, "DELETE", "/facts", phrase="podman", by="nan", request_id="r2"
        )
        for _ in range(2)
    ]

    assert said[0][1]["understood"] == said[1][1]["understood"]
    assert [it["parent"] for it in shown[1]["ended"]] == ["podman"]
    assert gone[0][1]["ended"] == shown[1]["ended"]
    assert [body["total"] for _, body in gone] == [1, 1]


async def test_any_prompt_is_explained(festinger):
    """
    The lines for a prompt come with scores, features and threshold, as JSON and as
    text.
    """
    for text in (STOCK, *OTHERS):
        await say(festinger, text)
    status, body = await call(
        festinger, "GET", "/festinger/why", who="/as/theo", prompt=QUESTION
    )

    assert status == 200
    [told] = [it for it in body["told"] if it["quote"] == STOCK]
    assert 0 < told["probability"] <= 1
    assert "own" in told["features"]
    assert body["openness"] >= body["threshold"] > 0
    assert STOCK in body["block"]
    _, body = await call(festinger, "GET", "/festinger/why", prompt="A haiku on rain?")
    assert body["told"] == []
    status, _ = await call(festinger, "GET", "/festinger/why", prompt=" ")
    assert status == 400
    status, _ = await call(festinger, "GET", "/festinger/why", promt="x")
    assert status == 400


def files_with(words: str, directory: Path) -> list[Path]:
    """Return files below a directory in which words stand."""
    return [
        file
        for file in directory.rglob("*")
        if file.is_file() and words.encode() in file.read_bytes()
    ]


@pytest.mark.slow
async def test_nothing_of_a_forgotten_sentence_stays(festinger, database):
    """
    It was told in two sessions: the next prompt of one does not have it, neither account
    shows its words, no file of ours has them, and no row of the database.
    """
    for text in OTHERS:
        await say(festinger, text)
    _, body = await say(festinger, STOCK)
    name = body["kept"][0]["name"]
    for session in ("s1", "s2"):
        given = await prompt(festinger, QUESTION, session=session)
        assert STOCK in "\n".join(BLOCK.findall("\n".join(given)))
        assert STOCK in await why(festinger, session)

    status, _ = await call(festinger, "DELETE", "/facts", name=name)
    given = await prompt(festinger, QUESTION, "I do not know.", "Who does?")

    assert status == 200
    assert not any("05:40" in it for it in given)
    for session in ("s1", "s2"):
        for accept in ("application/json", "text/plain"):
            assert "05:40" not in await why(festinger, session, accept)
    assert files_with("05:40", festinger.settings.data_dir) == []
    connection = await asyncpg.connect(database)
    try:
        for (table,) in await connection.fetch(
            "select table_name from information_schema.tables "
            "where table_schema = 'public' and table_type = 'BASE TABLE'"
        ):
            rows = await connection.fetch(f"select t::text from {table} t")
            assert not any("05:40" in row[0] for row in rows), table
    finally:
        await connection.close()


async def test_an_account_shows_what_was_considered(festinger):
    """
    Each prompt has the lines that were looked at, with why they are not told, and none
    of its own.
    """
    await say(festinger, STOCK)
    await say(festinger, VAULT)
    await prompt(festinger, f"{QUESTION} Our scanner is on fire since noon.")
    text = await why(festinger, accept="text/plain")

    assert "needs this memory: " in text
    assert "on fire" not in text
    assert STOCK in text
