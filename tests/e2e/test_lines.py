from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.e2e.conftest import Festinger

STOCK = "Kassel delivers the stock file at 05:40 every morning."
SECRET = "The staging password is Tr0ub4dor&3Zx."


async def said(festinger: Festinger, *texts: str) -> None:
    """Has Nadia say something in the shop, and waits until all of it is kept."""
    for text in texts:
        await festinger.chat(text, "nadia/in/shop")
    await festinger.until_kept(len(texts))


async def test_plain_words_are_understood(festinger: Festinger) -> None:
    """A sentence that states a fact is one; any other is kept as it was said."""
    fact = await festinger.run("gutask", "iknowthat", "gnommoweb is a repo")
    sentence = await festinger.run("gutask", "--project", "shop", "iknowthat", STOCK)
    nothing = await festinger.run("gutask", "iknowthat", "what", "is", "that?")

    assert fact == (0, "held: gnommoweb [type] repo\n")
    assert sentence == (0, f"kept as said: {STOCK}\n")
    assert nothing[0] == 2
    code, found = await festinger.run("gutask", "whatis", "stock", "file")
    assert code == 0
    assert "05:40" in found


async def test_contradiction_in_plain_words_is_queued(festinger: Festinger) -> None:
    """With the exit code that the strict form has."""
    await festinger.run("gutask", "iknowthat", "gnommoweb is a repo")

    code, output = await festinger.run(
        "gutask", "iknowthat", "gnommoweb is a container"
    )

    assert code == 3
    assert output.startswith("conflict #1")


async def test_lines_are_listed_by_any_word(festinger: Festinger) -> None:
    """With who said them; the data directory knows where its server listens."""
    await said(festinger, STOCK, SECRET)

    code, listed = await festinger.run("festinger", "facts", "stock", "file", server="")
    _, others = await festinger.run("festinger", "facts", "--by", "nobody")

    assert code == 0
    assert listed.startswith("nadia, ")
    assert "05:40" in listed
    assert "said-" in listed
    assert others == "Nothing fits, of 2 lines.\n"


async def test_forgetting_is_shown_and_asked_first(festinger: Festinger) -> None:
    """If nobody can be asked, nothing is forgotten without --yes."""
    await said(festinger, STOCK, "The vault bucket is in Falkenstein.")

    code, output = await festinger.run("festinger", "forget", "--phrase", "stock file")
    assert code == 1
    assert output.startswith("1 line would be forgotten:\n")
    assert "05:40" in output
    assert "--yes" in output

    code, output = await festinger.run(
        "festinger", "forget", "--phrase", "stock file", "--yes"
    )
    assert code == 0
    assert output.endswith("Forgotten: 1 line.\n")
    _, left = await festinger.run("festinger", "facts")
    assert "05:40" not in left
    assert "Falkenstein" in left


async def test_everything_is_exported(festinger: Festinger) -> None:
    """An object a line, without secrets."""
    await said(festinger, STOCK, SECRET)
    await festinger.run("gutask", "iknowthat", "gnommoweb is a repo")

    code, output = await festinger.run("festinger", "export", "--format", "jsonl")

    lines = [json.loads(line) for line in output.splitlines()]
    assert code == 0
    assert {it["kind"] for it in lines} == {"statement", "memory"}
    kept = next(it for it in lines if it["quote"] == STOCK)
    assert (kept["by"], kept["project"], kept["status"]) == ("nadia", "shop", "active")
    held = next(it for it in lines if it["kind"] == "statement")
    assert (held["subject"], held["predicate"], held["value"]) == (
        "gnommoweb",
        "type",
        "repo",
    )
    assert "Tr0ub4dor" not in output


async def test_nothing_selected_is_a_mistake(festinger: Festinger) -> None:
    """Nobody forgets everything by leaving an option out."""
    code, output = await festinger.run("festinger", "forget", "--yes")

    assert code == 2
    assert "--phrase" in output


CHAT = [
    {"role": "user", "content": STOCK, "name": "nan"},
    {"role": "assistant", "content": "Noted."},
    {"role": "user", "content": f"gnommoweb is a repo. {SECRET}", "name": "nan"},
    {"role": "user", "content": "gnommoweb is a container.", "name": "nan"},
]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("list.json", json.dumps(CHAT)),
        ("object.json", json.dumps({"messages": CHAT})),
        ("several.json", json.dumps([{"messages": CHAT[:2]}, {"messages": CHAT[2:]}])),
        ("lists.json", json.dumps([CHAT[:2], CHAT[2:]])),
        ("lines.jsonl", json.dumps(CHAT) + "\n"),
    ],
)
async def test_conversations_are_evaluated(
    festinger: Festinger, tmp_path: Path, name: str, text: str
) -> None:
    """
    Kept sentences, contradictions and a prompt's block are the same for any form of
    file.
    """
    file = tmp_path / name
    file.write_text(text)

    code, output = await festinger.run(
        *("festinger", "evaluate", str(file), "--json"),
        *("--prompt", "When does Kassel deliver the stock file?"),
    )

    assert code == 0, output
    report = json.loads(output)
    assert STOCK in [it["text"] for it in report["kept"]]
    assert report["secrets"] == 1
    assert [it["outcome"] for it in report["statements"]] == ["held", "conflicted"]
    assert report["prompts"][0]["prompt"].startswith("When")
    assert "Tr0ub4dor" not in output


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "[1, 2]", '{"a": 1}', '[{"role": "x", "content": "y"}]', "\xff"],
)
async def test_file_without_conversations_is_named(
    festinger: Festinger, tmp_path: Path, text: str
) -> None:
    """With what is wrong; the other files are read all the same."""
    broken, good = tmp_path / "broken.json", tmp_path / "good.json"
    broken.write_bytes(text.encode("latin-1"))
    good.write_text(json.dumps(CHAT))

    code, output = await festinger.run(
        "festinger", "evaluate", str(broken), str(good), str(tmp_path / "none.json")
    )

    assert code == 1
    assert "broken.json" in output
    assert "none.json: No such file" in output
    assert STOCK in output
    assert "Traceback" not in output
