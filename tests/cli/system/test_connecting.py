from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from festinger.cli.system.connecting import CLIENTS, connect
from festinger.errors import ConfigurationError


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """A home directory and a project's folder of the test's own."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words):
    """Return the output of the command."""
    result = CliRunner().invoke(connect, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.parametrize("client", CLIENTS)
def test_tools_are_entered_and_taken_out_again(client):
    """A configuration that was missing before is missing afterwards."""
    chosen = CLIENTS[client]

    run(client, "--", "--project", "shop")
    entry = chosen.servers(chosen.file.read_text())["festinger"]
    run(client, "--undo")

    assert entry["args"] == ["mcp", "--project", "shop"]
    assert Path(entry[chosen.command]).is_absolute()
    assert [*chosen.file.parent.glob("*festinger*")] == []
    assert not chosen.file.exists()


def test_what_else_is_configured_stays():
    """And comes back byte for byte, however often the command was run."""
    file = CLIENTS["cursor"].file
    file.parent.mkdir()
    before = '{ "theme":"dü",\n "mcpServers": {"other": {"command": "x"}} }'
    file.write_text(before, encoding="utf-8")

    run("cursor")
    run("cursor", "--", "--reference")
    after = json.loads(file.read_text(encoding="utf-8"))
    run("cursor", "--undo")

    assert after["theme"] == "dü"
    assert list(after["mcpServers"]) == ["other", "festinger"]
    assert file.read_text(encoding="utf-8") == before


CODEX = """# my models
model = "gpt"  # the small one

[mcp_servers.other]
command = "x"

[profiles.fast]
model = "mini"
"""
GOOSE = """# my models
active_provider: ollama
extensions:  # all of them
  # the first
  developer:
    type: builtin
    enabled: true
GOOSE_MODE: auto
"""


@pytest.mark.parametrize(("client", "before"), [("codex", CODEX), ("goose", GOOSE)])
def test_comments_and_order_stay(client, before):
    """However often the command was run, one entry is all that was added."""
    file = CLIENTS[client].file
    file.parent.mkdir(parents=True)
    file.write_text(before)

    run(client)
    once = file.read_text()
    run(client, "--", "--reference")
    run(client)
    again = file.read_text()
    run(client, "--undo")

    assert again == once
    kept = once.partition("\n[mcp_servers.festinger]")[0].splitlines()
    assert [it for it in kept if "festinger" not in it] == before.splitlines()
    assert set(CLIENTS[client].servers(once)) > {"festinger"}
    assert file.read_text() == before


@pytest.mark.parametrize(
    ("client", "before", "more"),
    [
        ("codex", CODEX, '\n[projects."/shop"]\ntrust_level = "trusted"\n'),
        ("goose", GOOSE, "GOOSE_MODEL: small\n"),
    ],
)
def test_what_was_changed_since_stays(client, before, more):
    """Undoing takes out the entry alone then; clients write into their files, too."""
    file = CLIENTS[client].file
    file.parent.mkdir(parents=True)
    file.write_text(before)

    run(client)
    file.write_text(file.read_text() + more)
    told = run(client, "--undo")

    assert "what was changed since stays" in told
    assert "festinger" not in file.read_text()
    kept = [it for it in file.read_text().splitlines() if it]
    assert kept == [it for it in (before + more).splitlines() if it]
    with pytest.raises(ConfigurationError, match="was not changed by this command"):
        run(client, "--undo")


def test_entry_that_was_there_before_comes_back():
    """Beside a server that was added since."""
    file = CLIENTS["cursor"].file
    file.parent.mkdir()
    mine = {"festinger": {"command": "mine"}}
    file.write_text(json.dumps({"mcpServers": mine}))

    run("cursor")
    now = json.loads(file.read_text())
    now["mcpServers"]["other"] = {"command": "x"}
    file.write_text(json.dumps(now))
    run("cursor", "--undo")

    servers = json.loads(file.read_text())["mcpServers"]
    assert servers == mine | {"other": {"command": "x"}}


@pytest.mark.parametrize(
    ("client", "before"),
    [
        ("codex", 'mcp_servers = {other = {command = "x"}}\n'),
        ("codex", '[mcp_servers.festinger]\n[mcp_servers.festinger.env]\nA = "1"\n'),
        ("codex", "model = \n"),
        ("goose", "extensions: {developer: {enabled: true}}\n"),
        ("goose", "extensions:\n      developer: {enabled: true}\n"),
        ("goose", "a: [\n"),
        ("zed", '{ // mine\n "theme": "dark" }\n'),
    ],
)
def test_form_that_cannot_be_changed_safely_is_left_alone(client, before):
    """The page with the lines to enter by hand is named."""
    file = CLIENTS[client].file
    file.parent.mkdir(parents=True)
    file.write_text(before)

    with pytest.raises(ConfigurationError, match=r"docs/how-to/mcp\.md"):
        run(client)

    assert file.read_text() == before


@pytest.mark.parametrize("client", CLIENTS)
def test_second_run_changes_nothing(client):
    """And says so."""
    run(client)

    assert "has it already" in run(client)


@pytest.mark.parametrize(
    "text", ["{ // a comment\n}", "[]", '{"mcpServers": []}', "\xff"]
)
def test_what_cannot_be_read_is_left_alone(text):
    """With the reason; no backup is left either."""
    file = CLIENTS["cursor"].file
    file.parent.mkdir()
    file.write_bytes(text.encode("latin-1"))

    with pytest.raises(ConfigurationError):
        run("cursor")

    assert file.read_bytes() == text.encode("latin-1")
    assert len([*file.parent.iterdir()]) == 1


def test_link_to_a_file_stays_one(home):
    """As of people who keep their configuration elsewhere."""
    file = CLIENTS["cursor"].file
    file.parent.mkdir()
    (home / "kept.json").write_text("{}")
    file.symlink_to(home / "kept.json")

    run("cursor")

    assert file.is_symlink()
    assert "festinger" in (home / "kept.json").read_text()


def test_nothing_is_undone_that_was_not_done():
    """The file is somebody else's."""
    with pytest.raises(ConfigurationError, match="was not changed"):
        run("cursor", "--undo")
