"""`festinger review`, in a terminal and without one, and the lists beside it."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import re
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from festinger.api.v1 import promotion_service_pb2 as pb
from festinger.api.v1.memory_record_pb2 import MemoryRecord
from festinger.core.review.ranking import CYCLE_MAX
from tests.serving import Client

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """
    What a person sees of a command, and the keys they press.
    """

    def __init__(self, descriptor):
        self._descriptor = descriptor
        self._seen = b""

    async def sees(self, text):
        """
        Waits until something is shown that was not before; all that was until then.
        """
        async with asyncio.timeout(15):
            while text not in self._text():
                try:
                    self._seen += await asyncio.to_thread(
                        os.read, self._descriptor, 4096
                    )
                except OSError:  # it has ended
                    break
        shown = self._text()
        assert text in shown, shown
        before, _, self._rest = shown.partition(text)
        self._seen = self._rest.encode()
        return before + text

    def press(self, keys):
        """
        Presses keys.
        """
        os.write(self._descriptor, keys.encode())

    def _text(self):
        return ESCAPES.sub("", self._seen.decode(errors="replace"))


@asynccontextmanager
async def reviewing(operator, *words, **environment):
    """
    A terminal in which somebody reviews.
    """
    ours, theirs = pty.openpty()
    kept = {k: v for k, v in os.environ.items() if k not in {"EDITOR", "VISUAL"}}
    process = await asyncio.create_subprocess_exec(
        Path(sys.executable).with_name("festinger"),
        "review",
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
        async with asyncio.timeout(15):
            assert await process.wait() == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        os.close(ours)


async def statuses(operator):
    """
    Where each record stands, by what it says.
    """
    answer = await operator.client.promotion.ListRecords(
        pb.ListRecordsRequest(), metadata=Client.as_("operator")
    )
    names = MemoryRecord.Status.Name
    return {
        it.content: names(it.status).removeprefix("STATUS_").lower()
        for it in answer.records
    }


async def test_answers_by_key(operator, extracted):
    """
    y promotes, n rejects, d puts aside, u takes the last of them back, q ends.
    """
    await extracted("use Postgres", "use SQLite", "use files")

    async with reviewing(operator) as terminal:
        await terminal.sees("1/3  #1 candidate  decision")
        await terminal.sees("“Before it. use Postgres. Behind it.”")
        await terminal.sees("a alike")
        terminal.press("y")
        await terminal.sees("promoted #1")
        await terminal.sees("2/3  #2")
        terminal.press("n")
        await terminal.sees("rejected #2")
        terminal.press("d")
        await terminal.sees("put aside #3")
        terminal.press("u")
        await terminal.sees("#3 is candidate again")
        terminal.press("u")
        await terminal.sees("#2 is candidate again")
        terminal.press("q")
        await terminal.sees("1 decided, 2 wait.")

    assert await statuses(operator) == {
        "use Postgres": "active",
        "use SQLite": "candidate",
        "use files": "candidate",
    }


async def test_end_tells_what_waits_behind(operator, extracted):
    """
    Those that did not fit into the review, and those that another filter would show.
    """
    await extracted.at_once([f"use Postgres {it}" for it in range(CYCLE_MAX + 3)])
    await extracted("it rains", project="mast")

    async with reviewing(operator) as terminal:
        await terminal.sees(f"1/{CYCLE_MAX}")
        terminal.press("n")
        await terminal.sees("rejected #1")
        terminal.press("q")
        await terminal.sees(
            f"1 decided, {CYCLE_MAX - 1} wait. 4 more wait in the queue."
        )


async def test_all_of_the_same_text(operator, extracted):
    """
    a has the answer hold for every candidate that says the same; u takes it all back.
    """
    for project in ("dome", "mast"):
        await extracted("use Postgres", project=project)
    await extracted("use SQLite")

    async with reviewing(operator) as terminal:
        await terminal.sees("1/3")
        terminal.press("a")
        await terminal.sees("[for all of the same text]")
        terminal.press("n")
        await terminal.sees("rejected #1 and 1 more")
        between = (
            await operator.prints("memories", "--status", "invalid")
        ).splitlines()
        terminal.press("u")
        await terminal.sees("#1 is candidate again")
        terminal.press("q")
        await terminal.sees("0 decided, 3 wait.")

    assert len([line for line in between if line.startswith("#")]) == 2
    assert (
        await operator.prints("memories", "--status", "invalid") == "There is none.\n"
    )


@pytest.mark.parametrize("editor", [True, False], ids=["editor", "line"])
async def test_editing(operator, extracted, tmp_path, editor):
    """
    e opens $EDITOR, or the line itself; what was there before is shown beside it.
    """
    await extracted("use Postgres")
    script = tmp_path / "editor"
    script.write_text('#!/bin/sh\nprintf "use Postgres 16" > "$1"\n', encoding="ascii")
    script.chmod(0o755)

    async with reviewing(operator, **({"EDITOR": str(script)} if editor else {})) as it:
        await it.sees("a alike")
        it.press("e")
        if not editor:
            await it.sees("> ")
            it.press(" 16\n")
        await it.sees("it was: use Postgres")
        it.press("y")
        await it.sees("promoted #1")
        it.press("q")
        await it.sees("1 decided, 0 wait.")

    assert await statuses(operator) == {"use Postgres 16": "active"}


async def test_what_another_decided_is_said(operator, extracted):
    """
    Two who review at once: the second is told, sees how it stands, and goes on.
    """
    await extracted("use Postgres", "use SQLite")

    async with reviewing(operator) as mine, reviewing(operator) as other:
        await mine.sees("a alike")
        await other.sees("a alike")
        other.press("n")
        await other.sees("rejected #1")
        mine.press("y")
        await mine.sees("#1 invalid")
        mine.press("jy")
        await mine.sees("promoted #2")
        mine.press("q")
        other.press("q")

    assert await statuses(operator) == {
        "use Postgres": "invalid",
        "use SQLite": "active",
    }


async def test_other_keys_help(operator, extracted):
    """
    ? explains the keys, and one that is none does nothing.
    """
    await extracted("use Postgres")

    async with reviewing(operator) as terminal:
        await terminal.sees("a alike")
        terminal.press("x")
        await terminal.sees("y promote")
        terminal.press("?")
        await terminal.sees("put it aside, or take it up again")
        terminal.press("\x1b[B\x04")
        await terminal.sees("0 decided, 1 wait.")


async def test_without_a_terminal_it_lists(operator, extracted):
    """
    With its number, what it says, what is to be known of it, and its sentence.
    """
    await extracted("use Postgres", project="dome", place="docs/storage.md")
    await extracted("use Postgres", project="dome")
    await extracted("use SQLite", type="constraint")

    listed, nothing = await asyncio.gather(
        operator.prints("review"),
        operator.prints("review", "--type", "decision", "--project", "mast"),
    )

    assert listed.startswith(
        "#1 candidate  decision: use Postgres  (project dome, confidence 0.70, "
        "heading of structure 0.1.0, seen 2 times)\n"
        "    docs/storage.md: “Before it. use Postgres. Behind it.”\n"
        "#2 candidate  constraint: use SQLite"
    )
    assert nothing == "Nothing waits for review.\n"


async def test_nothing_said_moves_the_cursor(operator, extracted):
    """
    What a document says is text in a terminal, too.
    """
    await extracted("use Postgres", quote="\x1b[2Juse Postgres\x07\u202e")

    printed = await operator.prints("review")

    assert "\x1b" not in printed
    assert "\x07" not in printed
    assert "\u202e" not in printed


async def test_a_files_name_is_one_line(operator, extracted):
    """
    A line break in it begins no other candidate.
    """
    await extracted("use Postgres", place="a\n#2 candidate  decision: b.md")

    printed = await operator.prints("review")

    assert len(printed.splitlines()) == 2
    assert "a\\n#2 candidate" in printed


async def test_entities_and_memories_are_told_apart(operator, extracted):
    """
    Each list has its own, with the relation that an entity states, and as JSON.
    """
    await extracted("use Postgres")
    await extracted(
        "the mast is part of the telescope",
        kind="entity",
        type="component",
        fact="mast -ispart telescope",
    )

    memory, entity, line = await asyncio.gather(
        operator.prints("memories", "--json"),
        operator.prints("review", "entities", "--json"),
        operator.prints("review", "entities", "--contains", "MAST"),
    )
    memory, entity = json.loads(memory), json.loads(entity)

    assert (memory["kind"], memory["type"]) == ("memory", "decision")
    assert (entity["kind"], entity["id"]) == ("entity", 2)
    assert entity["origin"]["quote"].startswith("Before it.")
    assert "component (entity)" in line
    assert "states mast -ispart telescope" in line


async def test_state_is_written_and_read(operator):
    """
    One item at a time; an empty value removes it, and its history is told on demand.
    """
    for value in ("0.8", "0.9"):
        await operator.client.promotion.SetState(
            pb.SetStateRequest(project="dome", key="release", value=value),
            metadata=Client.as_("operator"),
        )

    written = await operator.prints("review", "state", "dome", "release", "1.0")
    listed = await operator.prints("review", "state", "dome", "--history")
    await operator.prints("review", "state", "dome", "release", "")
    gone = await operator.prints("review", "state", "dome", "release")
    past = await operator.prints("review", "state", "dome", "--history")

    assert written.startswith("release: 1.0  (by operator, ")
    assert listed == f"{written}    was: 0.8\n    was: 0.9\n"
    assert gone == "Nothing is known of release yet.\n"
    assert past.startswith("release: (removed)  (by operator, ")
    assert past.endswith("    was: 0.8\n    was: 0.9\n    was: 1.0\n")


async def test_active_memory_is_taken_back(operator, extracted):
    """
    It waits again, and is active no more; what was never decided stays as it is.
    """
    await extracted("use Postgres")
    await operator.client.promotion.PromoteRecord(
        pb.PromoteRecordRequest(record_id=1), metadata=Client.as_("operator")
    )

    printed = await operator.prints("memories", "revert", "1")
    active = await operator.prints("memories", "--status", "active")

    assert printed.startswith("#1 candidate")
    assert active == "There is none.\n"
