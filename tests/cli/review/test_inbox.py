"""`festinger inbox`, in a terminal and without one."""

from __future__ import annotations

import asyncio
import os
import pty
import re
import socket
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from festinger.api.v1 import promotion_service_pb2 as pb
from festinger.api.v1.conflict_pb2 import Conflict
from festinger.api.v1.memory_record_pb2 import MemoryRecord
from festinger.cli import cli
from festinger.credentials import OPERATOR, token_file
from tests.console.house import doubt
from tests.serving import Client

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """A terminal: a person sees its output and presses keys."""

    def __init__(self, descriptor):
        self._descriptor = descriptor
        self._seen = b""

    async def sees(self, text):
        """Wait until something is shown that was not before; all that was until then."""
        async with asyncio.timeout(30):
            while text not in self._text():
                try:
                    self._seen += await asyncio.to_thread(
                        os.read, self._descriptor, 4096
                    )
                except OSError:  # it has ended
                    break
        shown = self._text()
        assert text in shown, shown
        before, _, rest = shown.partition(text)
        self._seen = rest.encode()
        return before + text

    def press(self, keys):
        """Press keys."""
        os.write(self._descriptor, keys.encode())

    def _text(self):
        return ESCAPES.sub("", self._seen.decode(errors="replace"))


@asynccontextmanager
async def deciding(operator, *words, **environment):
    """A terminal in which somebody decides."""
    ours, theirs = pty.openpty()
    kept = {k: v for k, v in os.environ.items() if k not in {"EDITOR", "VISUAL"}}
    process = await asyncio.create_subprocess_exec(
        Path(sys.executable).with_name("festinger"),
        "inbox",
        *words,
        env=kept
        | {
            "FESTINGER_SERVER": operator.address,
            "FESTINGER_DATA_DIR": str(operator.data_dir),
            "PYTHONWARNINGS": "error",
            "TERM": "dumb",
        }
        | environment,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    try:
        yield Terminal(ours)
        async with asyncio.timeout(30):
            assert await process.wait() == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        os.close(ours)


async def contradict(client, *names):
    """Make a conflict about each name."""
    for name in names:
        await client.states(f"{name} -isa repo")
        await client.states(f"{name} -isa container")


async def placings(client, token):
    """Return a concept's parents by their dimensions."""
    return {it.dimension: it.parent for it in (await client.concept(token)).edges}


async def statuses(operator):
    """Return the state of each record, by its content."""
    answer = await operator.client.promotion.ListRecords(
        pb.ListRecordsRequest(), metadata=Client.as_("operator")
    )
    names = MemoryRecord.Status.Name
    return {
        it.content: names(it.status).removeprefix("STATUS_").lower()
        for it in answer.records
    }


async def test_all_that_waits_is_listed(operator, extracted):
    """
    Conflicts with both sides, statements with their sentence, and memories, the costliest
    mistakes first.
    """
    await contradict(operator.client, "wiki")
    await doubt(operator.client, "ant is a pet")
    await extracted("use Postgres", project="dome", place="docs/storage.md")

    lines = (await operator.prints("inbox")).splitlines()

    heads = [line for line in lines if not line.startswith(" ")]
    assert heads[0].startswith(
        "conflict-1  conflict  wiki -isa container in context of type  "
        "(told 1 time, doubt 1.00, cost 4.00"
    )
    assert {head.split()[0] for head in heads} == {
        "conflict-1",
        "candidate-1",
        "record-1",
    }
    assert any(line.startswith("    held: repo  confirmed") for line in lines)
    assert any("against it: wiki: [type] container  local" in line for line in lines)
    assert any("“ant is a pet”" in line for line in lines)
    assert "    docs/storage.md: “Before it. use Postgres. Behind it.”" in lines


async def test_filter_leaves_what_it_names(operator, extracted):
    """Kind, project and source narrow the list down."""
    await contradict(operator.client, "wiki")
    await extracted("use Postgres", project="dome")

    conflicts = await operator.prints("inbox", "--kind", "conflict")
    dome = await operator.prints("inbox", "--project", "dome")
    nothing = await operator.prints("inbox", "--source", "walrus")

    assert conflicts.startswith("conflict-1")
    assert dome.startswith("record-1")
    assert nothing == "Nothing in the inbox is like this.\n"
    assert await operator.prints("inbox", "--deferred") == "Nothing was put aside.\n"


async def test_list_is_whole(operator):
    """Items that do not fit on a page are listed too, each once."""
    names = [f"name{number:02}x" for number in range(51)]
    await contradict(operator.client, *names)

    listed = await operator.prints("inbox")

    heads = [line for line in listed.splitlines() if not line.startswith(" ")]
    assert [line.split()[2] for line in heads] == names


async def test_nothing_said_moves_the_cursor(operator, extracted):
    """Words of agents and documents are only text in a terminal."""
    await operator.client.states("gnommoweb -isa repo")
    await doubt(operator.client, "gnommoweb is a pet of \x1b]0;mine\x07 ours")
    await extracted("use Postgres", quote="\x1b[2Juse Postgres\x07\u202e")

    printed = await operator.prints("inbox")

    assert "\N{REPLACEMENT CHARACTER}]0;" in printed
    assert not {"\x1b", "\x07", "\u202e"} & set(printed)


async def test_a_files_name_is_one_line(operator, extracted):
    """A line break in it begins no other item."""
    await extracted("use Postgres", place="a\nrecord-2  memory  b.md")

    printed = await operator.prints("inbox")

    assert len(printed.splitlines()) == 2
    assert "a\\nrecord-2" in printed


DECISIONS = [
    pytest.param(("accept", "conflict-1"), {"type": "container"}, "accept"),
    pytest.param(("reject", "conflict-1"), {"type": "repo"}, "reject"),
    pytest.param(
        ("accept", "conflict-1", "--existing", "Code Host", "--incoming", "deployment"),
        {"code_host": "repo", "deployment": "container"},
        "accept",
        id="decompose",
    ),
    pytest.param(
        ("accept", "conflict-1", "--incoming", "deployment"),
        {"type": "repo", "deployment": "container"},
        "accept",
        id="reclassify",
    ),
]


@pytest.mark.parametrize(("words", "held", "said"), DECISIONS)
async def test_conflict_is_decided(operator, words, held, said):
    """Each decision changes the memory as it says, with its reason, and can be undone."""
    await contradict(operator.client, "gnommoweb")

    printed = await operator.prints("inbox", *words, "--because", "carol says so")
    after = await placings(operator.client, "gnommoweb")
    conflict = await operator.client.conflict(1)
    undone = await operator.prints("inbox", "undo")

    assert f"  {said} conflict-1  by operator" in printed
    assert after == held
    assert conflict.resolution.reasoning == "carol says so"
    assert undone.startswith("undone: ")
    assert await placings(operator.client, "gnommoweb") == {"type": "repo"}


async def test_filter_is_decided_at_once(operator, extracted):
    """--all decides about all that the filter leaves, and nothing else."""
    await contradict(operator.client, "wiki")
    await extracted("use Postgres", "use SQLite")

    await operator.prints("inbox", "--kind", "memory", "reject", "--all")
    left = await operator.prints("inbox")
    log = await operator.prints("inbox", "decisions")

    assert left.startswith("conflict-1")
    assert "record" not in left
    assert "reject record-1: use Postgres and 1 more  by operator" in log


async def test_put_aside_and_taken_up(operator, extracted):
    """Items that were put aside have a list of their own, and can be taken up again."""
    await extracted("use Postgres")

    await operator.prints("inbox", "defer", "record-1")
    waiting = await operator.prints("inbox")
    aside = await operator.prints("inbox", "--deferred")
    await operator.prints("inbox", "resume", "record-1")

    assert waiting == "Nothing waits for you.\n"
    assert "put aside" in aside
    assert (await operator.prints("inbox")).startswith("record-1")


async def test_item_says_why_and_what_changes(operator):
    """`show` says why a person is asked, and what prompts are told before and after."""
    await contradict(operator.client, "gnommoweb")

    shown = await operator.prints("inbox", "show", "conflict-1")

    assert "why: It was stated once, but it is held that gnommoweb -isa repo" in shown
    assert "accepted: gnommoweb: [type] container" in shown
    assert "rejected: gnommoweb: [type] repo" in shown


async def test_refusal_is_a_sentence(operator):
    """A refusal is told in the server's words, with exit code 1: who decided, and when."""
    await contradict(operator.client, "gnommoweb")
    await operator.prints("inbox", "reject", "conflict-1")

    refused = await operator.runs("inbox", "accept", "conflict-1")

    assert refused == (
        1,
        "",
        "festinger: conflict #1 was dismissed by operator on 2027-01-15 08:00 UTC\n",
    )


@pytest.mark.parametrize("words", [("accept",), ("accept", "conflict-1", "--all")])
async def test_decision_names_items_or_all(operator, words):
    """A decision about nothing, or about two things, is a usage error."""
    code, _, complained = await operator.runs("inbox", *words)

    assert code == 2
    assert "name items, or all of the filter with --all" in complained


@pytest.mark.parametrize(
    "words",
    [
        ("system", "models", "test"),
        ("graph", "resolve"),
        ("review", "ingestions", "extract"),
        ("memories", "interactions", "forget"),
    ],
    ids=" ".join,
)
def test_number_that_is_too_large_is_refused(words):
    """Nothing is called so: a usage error, and nobody is asked."""
    done = CliRunner().invoke(cli, [*words, str(2**63)])

    assert done.exit_code == 2
    assert f"{2**63} is not in the range" in done.output


async def test_deciding_needs_the_operators_token(operator):
    """Without the token the command says where it would be, and nothing is decided."""
    await contradict(operator.client, "gnommoweb")
    file = token_file(operator.data_dir, OPERATOR)
    file.unlink()

    code, _, complained = await operator.runs("inbox", "accept", "conflict-1")

    assert code == 1
    assert complained.startswith(f"festinger: this needs the operator's token, {file}")
    assert (await operator.client.conflict(1)).state == Conflict.STATE_PENDING


async def test_another_memory_is_named_before_the_decision(operator):
    """The options of the connection hold for the commands behind them."""
    code, _, complained = await operator.runs(
        "inbox", "--tenant", "nowhere", "reject", "conflict-1"
    )

    assert code == 1
    assert "nowhere" in complained


async def test_no_server_says_how_to_start_one(operator):
    """Without a server the command says where it looked, and how to start one."""
    with socket.socket() as reserved:  # bound, but it does not listen
        reserved.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{reserved.getsockname()[1]}"
        code, _, complained = await operator.runs("inbox", "--server", address)

    assert code == 1
    assert complained.startswith(f"festinger: no memory server at {address}.")


async def test_server_that_goes_away_is_none(operator):
    """One that dies in the middle of a call is spoken of as one that was never there."""

    async def die(reader, writer):
        writer.write(b"\0\0\0\4\0\0\0\0\0")  # the settings that HTTP/2 begins with
        while b"ListInbox" not in await reader.read(4096):
            pass
        writer.transport.abort()

    async with await asyncio.start_server(die, "127.0.0.1", 0) as server:
        address = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        code, _, complained = await operator.runs("inbox", "--server", address)

    assert code == 1
    assert complained.startswith(f"festinger: no memory server at {address}.")


async def test_answers_by_key(operator, extracted):
    """a accepts, r rejects, d puts aside, u undoes the last of them, q ends."""
    await extracted("use Postgres", "use SQLite", "use files")

    async with deciding(operator) as terminal:
        await terminal.sees("1/3  record-1  memory")
        await terminal.sees("“Before it. use Postgres. Behind it.”")
        await terminal.sees("why: The rule heading found it")
        await terminal.sees("a accept")
        terminal.press("a")
        await terminal.sees("accept record-1")
        terminal.press("r")
        await terminal.sees("reject record-2")
        terminal.press("u")
        await terminal.sees("undone: record-2")
        await terminal.sees("1/2  record-2")
        terminal.press("d")
        await terminal.sees("defer record-2")
        terminal.press("q")
        await terminal.sees("2 items decided.")

    assert await statuses(operator) == {
        "use Postgres": "active",
        "use files": "candidate",
    }


async def test_conflict_is_moved_by_key(operator):
    """m asks where a statement and its fact belong, and both are held there."""
    await contradict(operator.client, "gnommoweb")

    async with deciding(operator) as terminal:
        await terminal.sees("a accept")
        terminal.press("m")
        await terminal.sees("its statement belongs in the dimension")
        terminal.press("deployment\n")
        await terminal.sees("and the fact")
        terminal.press("\n")
        await terminal.sees("accept conflict-1")
        await terminal.sees("Nothing waits for you.")

    held = await placings(operator.client, "gnommoweb")
    assert held == {"type": "repo", "deployment": "container"}


async def test_same_statement_is_decided_along(operator, extracted):
    """An answer holds for every item that says the same; o has it hold for one only."""
    for project in ("dome", "mast"):
        await extracted("use Postgres", project=project)

    async with deciding(operator) as terminal:
        await terminal.sees("decided along: record-2")
        terminal.press("o")
        await terminal.sees("[only this one]")
        terminal.press("r")
        await terminal.sees("reject record-1\r\n")
        terminal.press("u")
        await terminal.sees("undone: record-1")
        await terminal.sees("a accept")
        terminal.press("r")
        await terminal.sees("reject record-1 and 1 more")
        await terminal.sees("Nothing waits for you.")


@pytest.mark.parametrize("editor", [True, False], ids=["editor", "line"])
async def test_editing(operator, extracted, tmp_path, editor):
    """e opens $EDITOR, or the line itself."""
    await extracted("use Postgres")
    script = tmp_path / "editor"
    script.write_text('#!/bin/sh\nprintf "use Postgres 16" > "$1"\n', encoding="ascii")
    script.chmod(0o755)

    async with deciding(operator, **({"EDITOR": str(script)} if editor else {})) as it:
        await it.sees("a accept")
        it.press("e")
        if not editor:
            await it.sees("> ")
            it.press(" 16\n")
        await it.sees("use Postgres 16\r\n")
        await it.sees("a accept")
        it.press("a")
        await it.sees("accept record-1")

    assert await statuses(operator) == {"use Postgres 16": "active"}


async def test_what_another_decided_is_said(operator, extracted):
    """Two who decide at once: the second is told by whom it was decided, and goes on."""
    await extracted("use Postgres", "use SQLite")

    async with deciding(operator) as mine, deciding(operator) as other:
        await mine.sees("a accept")
        await other.sees("a accept")
        other.press("r")
        await other.sees("reject record-1")
        mine.press("a")
        await mine.sees("as operator decided")
        await mine.sees("record-2")
        mine.press("a")
        await mine.sees("accept record-2")
        await mine.sees("Nothing waits for you.")
        other.press("q")

    assert await statuses(operator) == {
        "use Postgres": "invalid",
        "use SQLite": "active",
    }


async def test_other_keys_help(operator, extracted):
    """? explains the keys, and one that is none does nothing."""
    await extracted("use Postgres")

    async with deciding(operator) as terminal:
        await terminal.sees("a accept")
        terminal.press("x")
        await terminal.sees("undo your last decision")
        terminal.press("?")
        await terminal.sees("put it aside")
        terminal.press("\x1b[B\x04")
