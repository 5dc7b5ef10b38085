from __future__ import annotations

import os

import pytest
from structlog.testing import capture_logs

from festinger import config
from festinger.errors import ConfigurationError
from festinger.workers.reconfigure import Reconfigurer


@pytest.fixture
def file(tmp_path):
    """A configuration file that sets one thing."""
    file = tmp_path / "festinger.yaml"
    file.write_text("shim: {body_seconds_max: 1}\n")
    return file


@pytest.fixture
def applied():
    """The configurations that were taken over."""
    return []


@pytest.fixture
def reconfigurer(file, applied):
    """The watcher of the file."""
    source = config.ConfigSource(file)
    return Reconfigurer(source, source.read(), applied.append)


async def test_untouched_file_is_not_read_again(reconfigurer, applied):
    """Nothing happens while nothing changes."""
    await reconfigurer.look()

    assert applied == []


async def test_changed_file_is_taken_over(reconfigurer, file, applied):
    """A changed value is in force, and said so once."""
    file.write_text("shim: {body_seconds_max: 25, tenant: other}\n")
    with capture_logs() as logs:
        await reconfigurer.look()
        await reconfigurer.look()

    assert [each.shim.body_seconds_max for each in applied] == [25]
    assert [(log["in_force"], log["after_restart"]) for log in logs] == [
        (["shim.body_seconds_max"], ["shim.tenant"])
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "shim:\n  body_seconds_max: soon\n",
            "festinger.yaml:2: shim.body_seconds_max",
        ),
        ("shim: {\n", "is not YAML"),
        ("shim: 127.0.0.1:7\n", "festinger.yaml:1: shim: must hold keys and values"),
        ("data_dir: 2020-99-99\n", "festinger.yaml:1 is not YAML"),
        ("shim: &a [*a]\n", "is nested too deeply"),
        ("shim: {zork: 1}\n", "festinger.yaml:1: there is no setting"),
    ],
)
async def test_wrong_file_is_refused(reconfigurer, file, applied, text, words):
    """The log says the line and why; what was in force stays so."""
    file.write_text(text)
    with capture_logs() as logs:
        await reconfigurer.look()
        await reconfigurer.look()

    assert applied == []
    assert [log["event"] for log in logs] == ["configuration_refused"]
    assert words in logs[0]["problem"]


async def test_mended_file_is_taken_over(reconfigurer, file, applied):
    """After a bad edit a good one counts."""
    file.write_text("shim: {\n")
    await reconfigurer.look()
    file.write_text("shim: {body_seconds_max: 25}\n")
    await reconfigurer.look()

    assert [each.shim.body_seconds_max for each in applied] == [25]


async def test_replaced_file_is_noticed(reconfigurer, file, applied):
    """Editors write another file and move it there."""
    other = file.with_suffix(".new")
    other.write_text("shim: {body_seconds_max: 2}\n")
    os.utime(other, ns=(file.stat().st_atime_ns, file.stat().st_mtime_ns))
    other.rename(file)

    await reconfigurer.look()

    assert [each.shim.body_seconds_max for each in applied] == [2]


async def test_missing_file_changes_nothing(reconfigurer, file, applied):
    """A file that is gone is refused like a wrong one."""
    file.unlink()
    with capture_logs() as logs:
        await reconfigurer.look()

    assert applied == []
    assert "cannot read" in logs[0]["problem"]


async def test_refusal_by_who_takes_it_over(file):
    """
    A setting that only the running process can know to be wrong is refused in the same
    way, and is looked at again once the file was mended.
    """

    def refuse(settings):
        raise ConfigurationError("the upstream is the shim itself")

    source = config.ConfigSource(file)
    reconfigurer = Reconfigurer(source, source.read(), refuse)
    for seconds in (2, 3):
        file.write_text(f"shim: {{body_seconds_max: {seconds}, tenant: a}}\n")
        with capture_logs() as logs:
            await reconfigurer.look()

        assert [log["event"] for log in logs] == ["configuration_refused"]
        assert "itself" in logs[0]["problem"]
