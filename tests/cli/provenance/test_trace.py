"""`festinger provenance trace` and `festinger provenance verify`, as processes with and without a server."""

from __future__ import annotations

import asyncio
import json
from functools import partial

import pytest
from click.testing import CliRunner

from festinger.cli import cli
from festinger.core.provenance.chain import Chain, of_json, to_json
from festinger.core.provenance.verifying import verify
from festinger.core.system.cid import cid_of
from tests.memories import NOW
from tests.trails import guessed, put_down, told


@pytest.fixture
async def keep(operator, store, pool):
    """Write a trail, and the rows that it tells of."""
    await operator.client.states("gnommoweb -isa repo")
    return partial(put_down, store, pool)


@pytest.fixture
def runs(operator):
    """
    Run a command against the server as an operator, or as somebody without a token, in
    this process: to start one takes longer than all that is tested.
    """

    async def run(*words, token=True):
        data_dir = operator.data_dir if token else operator.data_dir / "other"
        place = ["--server", operator.address, "--data-dir", str(data_dir)]
        invoke = partial(CliRunner().invoke, cli, [*words, *place])
        result = await asyncio.to_thread(invoke)
        return result.exit_code, result.output, result.exception

    return run


@pytest.fixture
def offline(tmp_path):
    """Run `festinger provenance verify` on a file, where there is no server."""

    def run(text, *words):
        file = tmp_path / "chain.json"
        file.write_text(text, encoding="utf-8")
        arguments = ["provenance", "verify", "--file", str(file), *words]
        return CliRunner().invoke(cli, arguments)

    return run


async def test_where_a_fact_comes_from(operator, keep):
    """
    The fact, its candidate, the message, the answer and the question, each below what it
    made, with who said what.
    """
    found = told([("author alice", "y")])
    await keep(found)
    [event] = found.events

    assert (
        await operator.prints("provenance", "trace", "alice", "joined")
    ).splitlines() == [
        f"triple {found.triple}  ◀",
        "  alice -ispart chess_club in context of joined  (held, 2027-01-15 08:01 UTC)",
        "  confirmed by alice: rule author, confidence 0.95, posterior 0.5",
        f"    candidate {found.candidate.cid}",
        "      #1  alice -ispart chess_club in context of joined  "
        "(microllm:v0.1/5f0c, confidence 0.36, 2027-01-15 08:00 UTC)",
        "      We read “I joined”.",
        f"        message {found.candidate.message_cid}",
        "          alice: “I joined the Chess Club last week.”  m:0x998",
        f"        event {event.cid}",
        "          alice (author) confirmed  (2027-01-15 08:00 UTC, through "
        "matrix:barkeep)",
        f"            question {found.question}",
        "              barkeep asked alice: “Hey @Alice, did you join the Chess Club? "
        "I joined the Chess Club last week.”  (2027-01-15 08:00 UTC)",
    ]


async def test_the_same_fact_by_any_of_its_names(runs, keep):
    """The way from an answer shows the whole, marked where it began; a file holds it."""
    found = told()
    await keep(found)
    cid = found.events[0].cid

    _, printed, _ = await runs("provenance", "trace", cid)
    _, file, _ = await runs("provenance", "trace", found.triple, "--json")

    assert [line for line in printed.splitlines() if "◀" in line] == [
        f"        event {cid}  ◀"
    ]
    assert of_json(file) == found.chain


async def test_what_was_answered_later_is_told(runs, keep):
    """A fact says how many answers there were since, which may say otherwise."""
    first = told()
    answers = [("bob", "y"), ("carol", "y"), ("dave", "n"), ("erin", "-")]
    later = told(answers, trail=first.trail)
    await keep(later)
    _, printed, _ = await runs("provenance", "trace", first.triple)
    lines = [line for line in printed.splitlines() if "came later" in line]
    assert lines == ["  answers that came later: 2"]
    assert (await runs("provenance", "verify", "alice"))[0] == 0


async def test_a_fact_that_is_proven(runs, keep):
    """Every step is told, and the exit code is 0; by any name, and as JSON."""
    found = told()
    await keep(found)
    for words in (
        ["alice", "joined"],
        ["Alice"],
        [found.triple],
        [found.candidate.cid],
    ):
        code, printed, _ = await runs("provenance", "verify", *words)
        *steps, last = printed.splitlines()
        assert (code, last) == (0, f"proven: {len(steps)} steps")
        assert {step[:8] for step in steps} == {"ok      "}
    _, printed, _ = await runs("provenance", "verify", "alice", "--json")
    said = [json.loads(line) for line in printed.splitlines()]
    assert {"step": "nothing more was left out", "ok": True, "problem": ""} in said


async def test_a_fact_that_somebody_tampered_with(runs, operator, keep, pool):
    """A link that does not hold is FAILED, and the exit code is 1."""
    found = told()
    await keep(found)
    await pool.execute(
        "update objects set data = $2 where cid = $1",
        found.events[0].cid,
        found.chain.objects[found.events[1].cid].data,
    )
    code, printed, complained = await operator.runs("provenance", "verify", "alice")
    assert (code, complained) == (1, "")
    assert f"FAILED  event {found.events[0].cid}: its name is the hash" in printed
    assert "NOT proven: " in printed.splitlines()[-1]
    assert '"ok": false' in (await runs("provenance", "verify", "alice", "--json"))[1]
    await pool.execute("update objects set data = 'x', kind = 'triple'")
    code, printed, _ = await runs("provenance", "trace", found.triple)
    assert (code, printed.count("not shown: somebody changed it")) == (0, 6)
    assert (await runs("provenance", "verify", found.triple))[0] == 1
    code, _, error = await runs("provenance", "trace", found.triple, "--json")
    assert (code, "somebody changed what is kept" in str(error)) == (1, True)


async def test_what_cannot_be_traced_is_told_in_a_sentence(runs, operator, keep):
    """An unknown name, a fact that nobody confirmed, and none at all."""
    await keep(told())
    code, _, said = await operator.runs("provenance", "trace", cid_of(b""))
    assert (code, said) == (1, f"festinger: there is no object {cid_of(b'')}\n")
    for command in ("trace", "verify"):
        code, _, error = await runs("provenance", command, "gnommoweb", "type")
        assert code == 1
        assert "people were not asked about gnommoweb [type]" in str(error)
        assert (await runs("provenance", command, "of the"))[0] == 1
    assert (await runs("provenance", "verify"))[0] == 2
    assert (await runs("provenance", "trace"))[0] == 2


async def test_what_is_withheld_is_told_and_proves_nothing(runs, keep):
    """Without the operator's token what is private is not shown, and not proven."""
    await keep(told(), sensitive=True)
    code, printed, _ = await runs("provenance", "trace", "alice", token=False)
    assert code == 0
    assert "not shown: it holds what is private, and is for operators" in printed
    assert "Chess" not in printed
    code, printed, _ = await runs("provenance", "verify", "alice", token=False)
    assert code == 1
    assert "it is not shown (private)" in printed


async def test_what_is_still_open_is_told_of(runs, keep):
    """Whoever can still answer is told that there is more."""
    found = told()
    await keep(found, pending=True, expires=NOW + 60)
    _, printed, _ = await runs("provenance", "trace", found.candidate.cid, token=False)
    assert printed.splitlines()[-1] == "There is more than is told."
    assert "bob" not in printed


def test_a_third_party_needs_no_server(offline):
    """A file is all that is needed; its beginning can be compared with a name that one knows."""
    found = told()
    text = to_json(found.chain)
    assert offline(text).exit_code == 0
    assert offline(text, found.triple).output.splitlines()[-1].startswith("proven: ")
    assert offline(text, "alice", "joined").exit_code == 0


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ([told(candidate=guessed(id=2)).triple], "it begins with"),
        (["bob"], "is no fact about bob"),
        (["alice", "left"], "is a fact of joined"),
    ],
)
def test_a_file_about_something_else_proves_nothing(offline, words, problem):
    """A sound chain of another fact than the one in question is not its proof."""
    result = offline(to_json(told().chain), *words)
    assert result.exit_code == 1
    [line, *_] = [it for it in result.output.splitlines() if it.startswith("FAILED")]
    assert line.startswith("FAILED  it is what was asked for: ")
    assert problem in line


def test_a_file_that_was_changed_proves_nothing(offline):
    """A word of a sentence that is another one is found."""
    text = to_json(told().chain)
    result = offline(text.replace("last week", "last year", 1))
    assert result.exit_code == 1
    assert "FAILED  message" in result.output


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"objects": 0.5}', "\x00"])
def test_a_file_that_is_no_chain(offline, text):
    """Whatever else a file holds is told in a sentence."""
    result = offline(text)
    assert result.exit_code == 1
    assert "holds no chain" in str(result.exception)


def test_text_from_elsewhere_moves_no_cursor(offline):
    """Names that somebody made up cannot write over what the terminal shows."""
    text = to_json(Chain(("\x1b[2J\u202eevil\nok      forged",)))
    result = offline(text)
    assert result.exit_code == 1
    assert "\x1b" not in result.output
    assert "\u202e" not in result.output
    assert len(result.output.splitlines()) == len(verify(of_json(text))) + 1
