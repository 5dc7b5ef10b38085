from __future__ import annotations

import pytest
import yaml
from click.testing import CliRunner

from festinger import config
from festinger.cli import main
from festinger.cli.system.check import check


def printed(*words):
    """Return the output of the command if nothing is wrong."""
    result = CliRunner().invoke(check, words, catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def test_what_is_in_force_is_a_configuration(tmp_path, monkeypatch):
    """The printed configuration can be used as a file, and says the same."""
    monkeypatch.setenv("FESTINGER_SHIM__CLOUD_MODELS", "yes")
    file = tmp_path / "festinger.yaml"
    file.write_text(
        "server: {tenant_limits: {acme: {lines_max: 7}}}\n"
        "shim: {upstreams: [{url: 'http://gpu:11434', priority: 2}]}\n"
        "trust: {tool: nothing}\n"
    )
    again = tmp_path / "again.yaml"

    again.write_text(printed("--config", str(file)))

    assert config.load(again) == config.load(file)


def test_people_who_are_asked_are_shown(tmp_path):
    """The people who may be asked are printed as written, and can be used again."""
    file = tmp_path / "festinger.yaml"
    file.write_text(
        "validation:\n  people:\n    zoë: {matrix: '@zoe:x.org', moderator: true}\n"
    )
    again = tmp_path / "again.yaml"

    again.write_text(printed("--config", str(file)))

    assert config.load(again) == config.load(file)
    assert config.load(again).validation.people["zoë"].moderator


def test_every_setting_is_explained():
    """Each has a sentence, its default, and whether a change needs a restart."""
    output = printed("--explain")

    settings = list(config.values(config.load()))
    assert output.count("# ") >= len(settings)
    assert " ".join(output.replace("#", "").split()).count("Default:") == len(settings)
    assert yaml.safe_load(output)["trust"]["user"] == "asserts"


def test_values_show_where_they_were_written(tmp_path):
    """A value that is no default names its line, its variable or the command line."""
    file = tmp_path / "festinger.yaml"
    file.write_text("trust:\n  tool: nothing\n")

    lines = printed("--config", str(file), "--shim", "127.0.0.1:1").splitlines()

    assert f"  tool: nothing  # {file}:2" in lines
    assert "  address: 127.0.0.1:1  # the command line" in lines
    assert "  user: asserts" in lines


def test_passwords_are_not_printed():
    """Neither that of a database nor that of a proxy before Ollama."""
    output = printed(
        "--dsn", "postgresql://u:hunter2@h/d", "--upstream", "http://u:secret@h:1"
    )

    assert "hunter2" not in output
    assert "upstream: http://…@h:1" in output


def test_keys_are_not_printed(monkeypatch):
    """Their presence is told, with the place."""
    monkeypatch.setenv("FESTINGER_KEYS", "hunter2")

    output = printed()

    assert "  keys: (set, not shown)  # FESTINGER_KEYS" in output
    assert "hunter2" not in output


def test_wrong_file_is_told_in_a_sentence(tmp_path, monkeypatch, capsys):
    """The line, the key and the reason, with exit code 1."""
    file = tmp_path / "festinger.yaml"
    file.write_text("server: {}\nshim: {sessions_max: 0}\n")
    monkeypatch.setattr("sys.argv", ["festinger", "check", "--config", str(file)])

    with pytest.raises(SystemExit) as left:
        main()

    complained = capsys.readouterr().err
    assert left.value.code == 1
    assert complained.startswith(f"festinger: {file}:2: shim.sessions_max: ")
