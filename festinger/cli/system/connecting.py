"""The command that enters the tools into clients' configuration, and these files."""

from __future__ import annotations

import json
import os
import re
import sys
import tomllib
from collections.abc import Callable, Mapping
from itertools import takewhile
from pathlib import Path
from typing import Any, Final, NamedTuple

import click
import yaml

from festinger.errors import ConfigurationError
from festinger.private import replacing

NAME: Final = "festinger"
"""Name of the entry in a client's configuration."""


class ClientFile(NamedTuple):
    """Configuration file of a client; its suffix says in which form it is.

    Attributes:
        path: Path below the home directory, or below the project's folder.
        key: Member that holds the servers.
        more: Members of an entry, beside command and arguments.
        command: How the member with the command is called.
        is_local: Whether it belongs to the project in the present folder.
    """

    path: str
    key: str = "mcpServers"
    more: Mapping[str, Any] = {}
    command: str = "command"
    is_local: bool = False

    @property
    def file(self) -> Path:
        """The file on this machine."""
        return (Path.cwd() if self.is_local else Path.home()) / self.path

    def entry(self, program: str, *arguments: str) -> dict[str, Any]:
        """Return the entry that starts a program."""
        return {**self.more, self.command: program, "args": list(arguments)}

    def servers(self, text: str) -> dict[str, Any]:
        """Return the servers of a configuration. Raises `ConfigurationError`."""
        found = self._read(text).get(self.key)
        if not isinstance(found, dict | None):
            raise ConfigurationError(
                f"{self.key} in {self.file} is no object: correct it"
            )
        return found or {}

    def with_entry(self, text: str, entry: Mapping[str, Any] | None) -> str:
        """Return a configuration in which the entry is the only thing that changed.

        Args:
            text: The configuration.
            entry: The entry; None takes it out.

        Raises:
            ConfigurationError: The text is not of its form, or cannot be changed safely.
        """
        servers = self.servers(text) | {NAME: entry}
        if entry is None:
            del servers[NAME]
        wanted = {**self._read(text), self.key: servers}
        # The text is edited, and not written anew: comments and order are the person's.
        after = _WRITERS[self._form](text, self.key, wanted)
        # Read again: whatever the edit did, nothing but the entry may differ.
        if {**self._read(after), self.key: self.servers(after)} != wanted:
            raise self._left_alone("has a form that this command does not change")
        return after

    @property
    def _form(self) -> str:
        return self.file.suffix

    def _read(self, text: str) -> dict[str, Any]:
        try:
            found = _READERS[self._form](text) if text.strip() else {}
        except (ValueError, yaml.YAMLError) as error:
            raise self._left_alone(
                f"cannot be read as {self._form[1:].upper()} ({error})"
            ) from None
        if not isinstance(found, dict | None):
            raise self._left_alone("is no object")
        return found or {}

    def _left_alone(self, why: str) -> ConfigurationError:
        return ConfigurationError(
            f"{self.file} {why}, and is left alone. Enter the tools by hand: "
            "docs/how-to/mcp.md has the lines"
        )


def _as_json(text: str, key: str, wanted: Mapping[str, Any]) -> str:
    # JSON has no comments that could be lost: it is written anew.
    return json.dumps(wanted, ensure_ascii=False, indent=2) + "\n"


def _as_toml(text: str, key: str, wanted: Mapping[str, Any]) -> str:
    """Return a text with the entry's table at its end, if any; all else stays."""
    header = f"[{key}.{NAME}]"
    # Up to the next table.
    kept = _without(text, header, lambda line: not line.startswith("["))
    if NAME not in wanted[key]:
        return "\n".join([*kept, ""])
    # A string or a list of strings of JSON is one of TOML, too.
    members = [f"{name} = {_json(it)}" for name, it in wanted[key][NAME].items()]
    return "\n".join([*kept, *([""] if kept else []), header, *members, ""])


# By line, since PyYAML would drop the comments.
def _as_yaml(text: str, key: str, wanted: Mapping[str, Any]) -> str:
    """Return a text with the entry first in its mapping, if any; all else stays."""
    kept = _without(text, f"  {NAME}:", lambda line: line.startswith("   "))
    if NAME not in wanted[key]:
        return "\n".join([*kept, ""])
    # `extensions:` or `extensions: {}`.
    top = re.compile(rf"{re.escape(key)}:\s*(\{{\}})?\s*(#.*)?")
    at = next((at for at, it in enumerate(kept) if top.fullmatch(it)), len(kept))
    first = kept[at].replace("{}", "") if at < len(kept) else f"{key}:"
    # JSON is YAML: one line, whatever the indentation of the rest.
    entry = f"  {NAME}: {_json(wanted[key][NAME])}"
    return "\n".join([*kept[:at], first, entry, *kept[at + 1 :], ""])


def _without(text: str, header: str, belongs: Callable[[str], bool]) -> list[str]:
    """Return the lines of a text without an earlier entry of ours."""
    lines = text.rstrip().splitlines()
    for at, line in enumerate(lines):
        if line.startswith(header):
            size = 1 + len([*takewhile(belongs, lines[at + 1 :])])
            # The blank lines around the old entry go with it.
            return "\n".join(lines[:at] + lines[at + size :]).rstrip().splitlines()
    return lines


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


_READERS: Final[Mapping[str, Callable[[str], Any]]] = {
    ".json": json.loads,
    ".toml": tomllib.loads,
    ".yaml": yaml.safe_load,
}
_WRITERS: Final[Mapping[str, Callable[[str, str, Mapping[str, Any]], str]]] = {
    ".json": _as_json,
    ".toml": _as_toml,
    ".yaml": _as_yaml,
}


# Each client's own place, by `sys.platform`; Linux is the default below.
_DESKTOP: Final = {
    "darwin": "Library/Application Support/Claude/claude_desktop_config.json",
    "win32": "AppData/Roaming/Claude/claude_desktop_config.json",
}
_CODE: Final = {
    "darwin": "Library/Application Support/Code/User",
    "win32": "AppData/Roaming/Code/User",
}.get(sys.platform, ".config/Code/User")
CLIENTS: Final[Mapping[str, ClientFile]] = {
    "antigravity": ClientFile(".gemini/config/mcp_config.json"),
    "claude-code": ClientFile(".mcp.json", is_local=True),
    "claude-desktop": ClientFile(
        _DESKTOP.get(sys.platform, ".config/Claude/claude_desktop_config.json")
    ),
    "cline": ClientFile(
        f"{_CODE}/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"
    ),
    "cline-cli": ClientFile(".cline/data/settings/cline_mcp_settings.json"),
    "codex": ClientFile(".codex/config.toml", "mcp_servers"),
    "continue": ClientFile(".continue/mcpServers/festinger.json", is_local=True),
    "cursor": ClientFile(".cursor/mcp.json"),
    "devin": ClientFile(".config/devin/mcp_config.json"),
    "gemini": ClientFile(".gemini/settings.json"),
    "goose": ClientFile(
        ".config/goose/config.yaml",
        "extensions",
        {
            "name": NAME,
            "description": "The team's memory",
            "type": "stdio",
            "enabled": True,
            "envs": {},
            "env_keys": [],
            "timeout": 300,
        },
        "cmd",
    ),
    "lm-studio": ClientFile(".lmstudio/mcp.json"),
    "vscode": ClientFile(
        ".vscode/mcp.json", "servers", {"type": "stdio"}, is_local=True
    ),
    "windsurf": ClientFile(".codeium/windsurf/mcp_config.json"),
    "zed": ClientFile(".config/zed/settings.json", "context_servers"),
}
"""The clients whose configuration is a file."""


@click.command()
@click.argument("client", type=click.Choice(list(CLIENTS)))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.option("--undo", is_flag=True, help="Put the configuration back as it was.")
def connect(client: str, arguments: tuple[str, ...], undo: bool) -> None:
    """Enter the tools of `festinger mcp` into the configuration of CLIENT.

    ARGUMENTS go to `festinger mcp`. What else is configured stays, and the file as it was
    is kept beside it.

    \b
    festinger connect cursor
    festinger connect vscode -- --project shop
    festinger connect cursor --undo
    """
    chosen = CLIENTS[client]
    file = chosen.file.resolve()  # a link stays one
    backup = file.with_name(f"{file.name}.before-festinger")
    if undo:
        click.echo(_undo(chosen, file, backup))
        return
    before = _read(file)
    # The whole path, since clients do not have the shell's PATH.
    program = os.path.abspath(Path(sys.executable).with_name("festinger"))
    entry = chosen.entry(program, "mcp", *arguments)
    if chosen.servers(before).get(NAME) == entry:  # a second run changes nothing
        click.echo(f"{file} has it already.")
        return
    after = chosen.with_entry(before, entry)
    try:
        # The client may never have been started.
        file.parent.mkdir(parents=True, exist_ok=True)
        # A second run must not take the first one's result for what was there before.
        if not backup.exists():
            _write(backup, before)
        _write(file, after)
    except OSError as error:
        raise ConfigurationError(f"cannot write {file}: {error.strerror}") from None
    click.echo(f"{file} starts `festinger mcp` now. Restart {client} to use it.")


def _read(file: Path) -> str:
    """Return a configuration, empty if there is none; or raise `ConfigurationError`."""
    try:
        return file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"{file} cannot be read: {error}") from None


def _undo(chosen: ClientFile, file: Path, backup: Path) -> str:
    """Take the entry out of a configuration, and return what is told of it.

    The file becomes what it was, unless somebody changed it since: then all else stays.

    Raises:
        ConfigurationError: Nothing was changed by this command, or the files are not of
            their form or cannot be written.
    """
    # The backup is what this command leaves behind: without one it changed nothing.
    if not backup.exists():
        raise ConfigurationError(f"{file} was not changed by this command")
    before, now = _read(backup), _read(file)
    former, entry = (chosen.servers(text).get(NAME) for text in (before, now))
    # As we left it, it goes back whole; changed since, only the entry goes.
    is_ours = not now or (entry and chosen.with_entry(before, entry) == now)
    text = before if is_ours else chosen.with_entry(now, former)
    try:
        if text:
            _write(file, text)
        else:  # there was no file before
            file.unlink(missing_ok=True)
        backup.unlink()
    except OSError as error:
        raise ConfigurationError(f"cannot restore {file}: {error.strerror}") from None
    if is_ours:
        return f"{file} is as it was."
    return f"{file} is without `festinger mcp`; what was changed since stays."


def _write(file: Path, text: str) -> None:
    # A client that reads meanwhile sees the old file or the new one.
    with replacing(file) as out:
        out.write(text)
