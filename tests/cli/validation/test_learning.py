"""`festinger validation raters`, `learn` and `labels`, as processes against a server."""

from __future__ import annotations

import asyncio
import json
import os

import pytest

from tests.memories import DAY, NOW


@pytest.fixture
async def answered(ballots):
    """Candidates that people decided, the first of them long ago."""
    for at in range(40):
        true = at % 2 == 0
        said = "yes" if true else "no"
        await ballots.decided(
            true,
            *(f"{name} {said}" for name in ("ann", "bob", "cem")),
            "yes yes",
            at=NOW - (30 * DAY if at < 10 else 100),
            confidence=0.9 if at % 4 else 0.3,
            extractor_version="microllm:v0.1",
        )


async def test_nothing_was_learnt(operator):
    """It says so, everywhere."""
    assert "Nobody has answered" in await operator.prints("validation", "raters")
    assert "Nothing was decided" in await operator.prints(
        "validation", "raters", "calibration"
    )
    assert "0 votes of 0 people" in await operator.prints("validation", "learn")


async def test_learning_and_looking_at_it(operator, answered):
    """The raters' skills, the worth of confidence, and the time of learning."""
    learnt = await operator.prints("validation", "learn")
    raters = await operator.prints("validation", "raters")
    plot = await operator.prints("validation", "raters", "calibration")

    assert learnt.splitlines()[0] == "learnt from 160 votes of 4 people"
    assert "microllm:v0.1: 40 labels, platt (squared error" in learnt
    assert "nothing that rules held was said again" in learnt
    [ann] = [it for it in raters.splitlines() if it.startswith("ann  ")]
    assert "40 judged, karma 40.0" in ann
    assert raters.splitlines()[-1] == "learnt at 2027-01-15 08:00 UTC"
    assert [it.split()[:2] for it in plot.splitlines()[1:]] == [
        ["said", "0.30"],
        ["said", "0.90"],
    ]
    assert "confirmed 0.33 of 30" in plot


async def test_export(operator, answered, tmp_path):
    """A JSON object a line, into a file that nobody else can read."""
    file = tmp_path / "labels.jsonl"
    file.write_text("something else\n")

    printed = await operator.prints("validation", "labels", "export", str(file))
    lines = [json.loads(it) for it in file.read_text().splitlines()]
    late = await operator.prints(
        "validation", "labels", "export", "-", "--since", "2027-01-01"
    )

    assert printed == f"40 examples in {file}\n"
    assert len(lines) == 40
    assert {it["label"] for it in lines} == {"confirmed", "rejected"}
    assert file.stat().st_mode & 0o777 == 0o600
    assert [json.loads(it) for it in late.splitlines()] == lines[10:]
    assert [it.name for it in tmp_path.glob("*labels*")] == ["labels.jsonl"]


async def test_failed_export_leaves_the_file_as_it_was(operator, answered, tmp_path):
    """Half an export takes nothing's place."""
    file = tmp_path / "labels.jsonl"
    file.write_text("the last one\n")

    code, _, complaint = await operator.runs(
        "validation", "labels", "export", str(file), "--tenant", "nowhere"
    )

    assert code == 1
    assert "nowhere" in complaint
    assert file.read_text() == "the last one\n"
    assert [it.name for it in tmp_path.glob("*labels*")] == ["labels.jsonl"]


async def test_export_through_a_link(operator, answered, tmp_path):
    """The link stays, and what it leads to is written anew."""
    file, link = tmp_path / "labels.jsonl", tmp_path / "link"
    file.write_text("old")
    link.symlink_to(file.name)

    await operator.prints("validation", "labels", "export", str(link))

    assert link.is_symlink()
    assert file.read_text() == await operator.prints(
        "validation", "labels", "export", "-"
    )
    assert file.stat().st_mode & 0o777 == 0o600


async def test_export_into_a_pipe(operator, answered, tmp_path):
    """Whoever reads it gets what is exported, and it stays a pipe."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    read, _ = await asyncio.gather(
        asyncio.to_thread(pipe.read_text),
        operator.prints("validation", "labels", "export", str(pipe)),
    )

    assert read == await operator.prints("validation", "labels", "export", "-")
    assert pipe.is_fifo()


async def test_place_that_cannot_be_written(operator, answered, tmp_path):
    """A sentence and exit code 1, no traceback."""
    code, printed, complaint = await operator.runs(
        "validation", "labels", "export", str(tmp_path / "none" / "labels.jsonl")
    )

    assert (code, printed) == (1, "")
    assert "cannot write" in complaint
    assert "Traceback" not in complaint
