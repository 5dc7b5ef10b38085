"""`festinger system models` and `festinger config`, as processes against a server."""

from __future__ import annotations

import re

import pytest

from tests.providers import KEY, Fail, Say


@pytest.fixture
def at(provider):
    """The option that has a model asked at the stand-in."""
    return ("--base-url", provider.url)


async def test_models_are_listed(operator):
    """A new memory has one, which nobody asks yet."""
    assert (
        await operator.prints("system", "models") == "#1 ollama llama3.2  not chosen\n"
    )


async def test_key_is_read_from_a_file(operator, at, tmp_path, provider):
    """Its line break does not belong to it."""
    file = tmp_path / "key.txt"
    file.write_text(f"{KEY}\n")

    added = await operator.prints(
        "system", "models", "add", "claude", "opus", *at, "--key-file", str(file)
    )

    assert added == f"#2 claude opus  at {provider.url}  key …wxyz  not chosen\n"


@pytest.mark.parametrize(
    ("words", "given", "environment"),
    [
        (["--key-file", "-"], f"{KEY}\n", {}),
        ([], "", {"FESTINGER_MODEL_KEY": KEY}),
    ],
)
async def test_key_is_read_from_elsewhere(operator, at, words, given, environment):
    """From standard input or from the environment; never from the command line."""
    code, printed, complained = await operator.runs(
        "system",
        "models",
        "add",
        "claude",
        "opus",
        *at,
        *words,
        given=given,
        **environment,
    )

    assert (code, complained) == (0, "")
    assert "key …wxyz" in printed
    assert KEY not in printed


async def test_missing_key_is_said(operator):
    """A missing key is told, with the ways to give it, if nobody can be asked for it."""
    code, _, complained = await operator.runs(
        "system", "models", "add", "claude", "opus"
    )

    assert code == 1
    assert "FESTINGER_MODEL_KEY" in complained
    assert "--key-file" in complained


async def test_no_option_takes_a_key(operator):
    """It would stand in the list of processes and in the shell's history."""
    code, _, complained = await operator.runs(
        "system", "models", "add", "claude", "opus", "--key", KEY
    )

    assert code == 2
    assert "No such option" in complained


async def test_model_that_answers_is_said(operator, at, provider):
    """With how long it took; the list then shows what it cost."""
    provider.will(Say({"word": "pong"}))
    await operator.prints("system", "models", "add", "ollama", "small", *at)

    printed = await operator.prints("system", "models", "test", "2")

    assert re.fullmatch(r"model 2 answered in \d+\.\d s\n", printed)
    assert (
        "    test today: 1 answers, 0 failures, 20 tokens in, 5 out\n"
        in await operator.prints("system", "models")
    )


async def test_model_that_fails_is_said(operator, at, provider):
    """With exit code 1 and why; the list remembers it."""
    provider.will(Fail(404))
    await operator.prints("system", "models", "add", "ollama", "small", *at)

    code, printed, complained = await operator.runs("system", "models", "test", "2")

    assert (code, complained) == (1, "")
    assert "ollama pull small" in printed
    assert f"    last failed: {printed}" in await operator.prints("system", "models")


async def test_removed_model_is_not_listed(operator):
    """Then the list says how to add one."""
    assert (
        await operator.prints("system", "models", "remove", "1") == "removed model 1\n"
    )
    assert "festinger system models add ollama NAME" in await operator.prints(
        "system", "models"
    )


async def test_rotation_says_how_many(operator, at):
    """Of which memory, since each has its own."""
    await operator.runs(
        "system", "models", "add", "claude", "opus", *at, FESTINGER_MODEL_KEY=KEY
    )

    printed = await operator.prints("system", "models", "rotate")

    assert printed == "encrypted 1 keys of default anew\n"


async def test_settings_are_listed(operator):
    """Each with what it is for."""
    printed = await operator.prints("config")

    assert "# The model that settles conflicts; 0 for none.\nresolve_model_id: 0\n" in (
        printed
    )


async def test_setting_is_set_and_reset(operator):
    """Both say what is in force now."""
    chosen = await operator.prints("config", "set", "resolve_model_id", "1")
    models = await operator.prints("system", "models")
    reset = await operator.prints("config", "reset", "resolve_model_id")

    assert chosen == "resolve_model_id: 1  (default 0)\n"
    assert models == "#1 ollama llama3.2  resolve\n"
    assert reset == "resolve_model_id: 0\n"


async def test_wrong_setting_is_said(operator):
    """With exit code 1 and the server's words."""
    code, _, complained = await operator.runs(
        "config", "set", "resolution_schedule", "nightly"
    )

    assert code == 1
    assert "Write five fields" in complained


@pytest.mark.parametrize(
    "command",
    [["system", "models", "-h"], ["system", "models", "add", "-h"], ["config", "-h"]],
)
async def test_help_says_what_comes_next(operator, command):
    """The choice of a model, the source of its key, and settings in other places."""
    printed = await operator.prints(*command)

    assert re.search(r"resolve_model_id|FESTINGER_MODEL_KEY|festinger check", printed)
