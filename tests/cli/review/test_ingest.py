from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from festinger.api.v1 import ingestion_service_pb2 as pb
from festinger.cli import cli
from festinger.cli.review import files
from festinger.core.review.queue import CYCLE_MAX
from festinger.errors import InvalidArgument
from tests.waiting import until

MANY = 2000
DECISION = "# Status\n\n## Decision: Use Postgres for everything that lasts\n"


@pytest.fixture
def folder(tmp_path):
    """A folder with two documents, and much that is none."""
    folder = tmp_path / "docs"
    for name, text in {
        "a.md": DECISION,
        "sub/b.txt": "Hello there",
        "compose.yaml": "services: {web: {image: nginx}}",
        ".hidden/c.md": "c",
        ".github/CODEOWNERS": "* @alice",
        "node_modules/d.md": "d",
        "e.py": "e = 1",
    }.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return folder


async def types(operator, *words):
    """Return the output of `festinger`, run in this process, since there are many calls."""
    environment = {
        "FESTINGER_SERVER": operator.address,
        "FESTINGER_DATA_DIR": str(operator.data_dir),
    }
    done = await asyncio.to_thread(
        CliRunner().invoke, cli, words, env=environment, catch_exceptions=False
    )
    assert done.exit_code == 0
    return done.stdout


def names(path):
    """Return the files that would be read."""
    return list(files.listing(path).names)


def make_odd_files(folder):
    """Files that cannot be read, and one whose name has two lines."""
    os.mkfifo(folder / "pipe.md")
    with (folder / "huge.md").open("wb") as file:
        file.truncate(100 * 2**20)
    (folder / "we\nird.md").write_text("hello")
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff.md")).write_text("hello")


async def git(folder, *words, env=None):
    """Run git there, as nobody in particular."""
    process = await asyncio.create_subprocess_exec(
        "git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@b", *words,
        stdout=asyncio.subprocess.DEVNULL,
        env=os.environ | (env or {}),
    )  # fmt: skip
    assert await process.wait() == 0


async def test_folder_is_read_once(operator, folder):
    """
    The first time what is found is counted, the second time nothing has changed; nothing
    is told of counts that are 0.
    """
    first = await operator.prints("ingest", str(folder))
    second = await types(operator, "ingest", str(folder))

    assert "4 files: 4 read, 0 unchanged" in first
    assert "candidates" in first
    assert "4 files: 0 read, 4 unchanged" in second
    assert " 0 candidates" not in first + second
    assert " found in " not in second
    assert second.endswith("Nothing has changed.\n")


@pytest.mark.parametrize("path", ["", "  "])
def test_empty_path_is_no_folder(path):
    """A variable that was never set does not have the current folder read."""
    done = CliRunner().invoke(cli, ["ingest", "--dry-run", path])

    assert done.exit_code == 2
    assert "it is empty. Write . for the current folder" in done.stderr
    assert done.stdout == ""


async def test_what_does_not_fit_says_when_it_comes_up(operator, tmp_path):
    """A review has its size; who sees that nothing waits of what was found is told why."""
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(CYCLE_MAX + 1):
        (folder / f"{number}.md").write_text(f"service{number} is a container.\n")

    told = await types(operator, "ingest", str(folder))

    assert f"{CYCLE_MAX} candidates, 1 for later reviews" in told
    assert told.endswith("comes up as what waits is decided: festinger inbox\n")


async def test_waves_are_listed(operator, folder):
    """With what came of them, newest first; before the first one it says what to do."""
    nothing = await types(operator, "review", "ingestions")
    await types(operator, "ingest", str(folder), "--project", "acme", "--no-extract")
    await types(operator, "ingest", str(folder / "a.md"))

    listed = await types(operator, "review", "ingestions")

    assert "festinger ingest PATH" in nothing
    first, second = (line for line in listed.splitlines() if line.startswith("wave"))
    assert first.startswith("wave 2 done")
    assert first.endswith(f"{folder}/a.md")
    assert second.endswith(f"{folder}  project acme")


async def test_wave_is_extracted_from_again(operator, folder):
    """By hand, after a wave without extraction."""
    await types(operator, "ingest", str(folder), "--no-extract")

    told = await types(operator, "review", "ingestions", "extract", "1")

    assert "found in 5 parts" in told


async def test_answer_for_programs(operator, folder):
    """The wave as JSON, and what could not be read."""
    (folder / "bad.md").write_bytes(b"a\0b")

    answer = json.loads(await types(operator, "ingest", str(folder), "--json"))

    assert answer["wave"]["state"] == "STATE_DONE"
    assert answer["wave"]["removed_count"] == "0"
    assert answer["read_count"] == 4
    (problem,) = answer["problems"]
    assert problem["path"] == "bad.md"
    assert "binary" in problem["problem"]


async def test_odd_files_are_told_and_the_others_read(operator, folder):
    """A pipe, a huge file and a name that is no text: each is named in one line."""
    make_odd_files(folder)

    told = await types(operator, "ingest", str(folder))

    assert "7 files: 5 read, 0 unchanged, 2 refused" in told
    lines = [line for line in told.splitlines() if line.startswith("not read: ")]
    assert [line.split(": ")[1] for line in sorted(lines)] == [
        "\\xff.md",
        "huge.md",
        "pipe.md",
    ]


async def test_dry_run_reads_nothing(operator, folder):
    """It lists what would be read."""
    told = await types(operator, "ingest", str(folder), "--dry-run")

    assert told.splitlines() == [
        ".github/CODEOWNERS",
        "a.md",
        "compose.yaml",
        "sub/b.txt",
    ]
    assert "No documents were read" in await types(operator, "review", "ingestions")


async def test_nothing_there_is_said(operator, tmp_path):
    """A path that does not exist is one sentence, and exit code 1."""
    code, _, complained = await operator.runs("ingest", str(tmp_path / "nowhere"))

    assert code == 1
    assert complained == f"festinger: there is no {tmp_path}/nowhere\n"


async def test_interrupted_wave_goes_on(operator, tmp_path):
    """
    After Ctrl-C the same command goes on with the wave, and ends as if it had never been
    stopped.
    """
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(MANY):
        (folder / f"{number}.md").write_text(f"# Number {number}\n")
    process = await asyncio.create_subprocess_exec(
        Path(sys.executable).with_name("festinger"), "ingest", folder, "--no-extract",
        env={
            **os.environ,
            "FESTINGER_SERVER": operator.address,
            "FESTINGER_DATA_DIR": str(operator.data_dir),
        },
        stderr=asyncio.subprocess.PIPE,
        # Whoever runs the tests in the background has Ctrl-C ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    waves = operator.client.ingestion.ListWaves

    # The command has heard of its wave once a document of it has arrived.
    async def arrived():
        begun = (await waves(pb.ListWavesRequest())).waves
        return any(wave.new_chunk_count for wave in begun)

    await until(arrived)
    process.send_signal(signal.SIGINT)
    _, complained = await process.communicate()

    told = await types(operator, "ingest", str(folder), "--no-extract")

    assert process.returncode == 130
    assert "the same command goes on with it" in complained.decode()
    assert told.startswith("wave 1 done")
    assert f"{MANY} files: {MANY} read, 0 unchanged" in told


def test_links_are_not_followed(folder):
    """Neither out of the folder nor round in a circle."""
    before = names(folder)
    (folder / "passwd.md").symlink_to("/etc/passwd")
    (folder / "sub" / "loop").symlink_to(folder)
    (folder / "self.md").symlink_to("self.md")

    assert names(folder) == before


def test_link_that_takes_a_files_place_is_refused(folder):
    """Between the listing and the reading a file may become a link."""
    (folder / "a.md").unlink()
    (folder / "a.md").symlink_to("/etc/passwd")

    with pytest.raises(OSError, match="symbolic link"):
        files.read(folder, "a.md", 2**20)


async def test_deleted_file_is_taken_out(operator, folder):
    """A file that is gone at the next wave is removed by it."""
    await types(operator, "ingest", str(folder))
    (folder / "a.md").unlink()

    told = await types(operator, "ingest", str(folder))

    assert "3 files: 0 read, 3 unchanged, 0 refused; 1 removed" in told


async def test_folder_that_cannot_be_entered_is_not_gone(operator, folder, monkeypatch):
    """Results of the rest stay; results of files that are gone are taken out."""
    await types(operator, "ingest", str(folder))
    (folder / "a.md").unlink()
    scandir = os.scandir

    def refuse(place):
        if Path(place) == folder / "sub":
            raise PermissionError(13, "Permission denied", place)
        return scandir(place)

    monkeypatch.setattr(os, "scandir", refuse)

    told = await types(operator, "ingest", str(folder))

    assert "3 files: 0 read, 2 unchanged, 1 refused; 1 removed" in told
    assert "not read: sub: " in told


async def test_vanished_file_is_no_error(operator, folder, monkeypatch):
    """A file that is gone between the listing and its turn is counted; the rest is read."""
    listing = files.listing

    def list_and_lose(path):
        found = listing(path)
        (path / "a.md").unlink()
        return found

    monkeypatch.setattr(files, "listing", list_and_lose)

    told = await types(operator, "ingest", str(folder))

    assert "3 files: 3 read" in told
    assert "1 files were gone when it was their turn" in told


@pytest.mark.skipif(not shutil.which("git"), reason="there is no git")
async def test_checkout_is_what_is_tracked(folder):
    """Of a checkout only what is tracked; its root is the checkout's, wherever one asks."""
    await git(folder, "init", "-q")
    await git(folder, "add", "a.md", "sub/b.txt", "node_modules/d.md")

    whole, part = files.listing(folder), files.listing(folder / "sub")
    single = files.listing(folder / "a.md")

    assert (whole.root, whole.scope, whole.names) == (folder, "", ["a.md", "sub/b.txt"])
    assert (part.root, part.scope, part.names) == (folder, "sub", ["sub/b.txt"])
    assert (single.root, single.scope, single.names) == (folder, "a.md", ["a.md"])


@pytest.mark.skipif(not shutil.which("git"), reason="there is no git")
async def test_clone_is_as_old_as_its_commits(folder, tmp_path):
    """A clone writes every file anew; only what was changed since is as new as its file."""
    await git(folder, "init", "-q")
    await git(folder, "add", "a.md")
    old = ("--date", "2020-01-01T00:00:00", "-q", "-m", "old")
    await git(folder, "commit", *old, env={"GIT_COMMITTER_DATE": "2020-01-01T00:00:00"})
    await git(folder, "add", "sub/b.txt")
    await git(folder, "commit", "-q", "-m", "new")
    clone = tmp_path / "clone"
    await git(tmp_path, "clone", "-q", str(folder), str(clone))

    found = files.listing(clone)
    _, status = files.read(clone, "a.md", 1000)
    ages = [found.changed_at(name, status) for name in ("a.md", "sub/b.txt")]
    (clone / "a.md").write_text("another text")
    edited = files.listing(clone).changed_at("a.md", status)

    assert ages[0] is None
    assert abs((ages[1] or 0.0) - status.st_mtime) < 3600
    assert edited == status.st_mtime


@pytest.mark.skipif(not shutil.which("git"), reason="there is no git")
async def test_untracked_folder_of_a_checkout_is_walked(folder):
    """Without version control, all files are read."""
    await git(folder, "init", "-q")

    assert files.listing(folder / "sub").names == ["b.txt"]


def test_named_file_is_read_whatever_it_is_called(folder):
    """A file that is named is read."""
    assert names(folder / "e.py") == ["e.py"]


def test_there_must_be_something(tmp_path):
    """A path without anything is refused."""
    with pytest.raises(InvalidArgument):
        files.listing(tmp_path / "nothing")
