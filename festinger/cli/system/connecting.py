"""The command that enters the tools into the configuration of a client."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from festinger.errors import ConfigurationError
from festinger.private import replacing

NAME: Final = "festinger"
"""Name of the entry in a client's configuration."""


class ClientFile(NamedTuple):
    """Configuration file of a client.

    Attributes:
        path: Path below the home directory, or below the project's folder.
        key: Member that holds the servers.
        entry: Members of an entry, beside command and arguments.
        is_local: Whether it belongs to the project in the present folder.
    """

    path: str
    key: str = "mcpServers"
    entry: Mapping[str, str] = {}
    is_local: bool = False

    @property
    def file(self) -> Path:
        """The file on this machine."""
        return (Path.cwd() if self.is_local else Path.home()) / self.path


_DESKTOP: Final = {
    "darwin": "Library/Application Support/Claude/claude_desktop_config.json",
    "win32": "AppData/Roaming/Claude/claude_desktop_config.json",
}
CLIENTS: Final[Mapping[str, ClientFile]] = {
    "claude-code": ClientFile(".mcp.json", is_local=True),
    "claude-desktop": ClientFile(
        _DESKTOP.get(sys.platform, ".config/Claude/claude_desktop_config.json")
    ),
    "cursor": ClientFile(".cursor/mcp.json"),
    "gemini": ClientFile(".gemini/settings.json"),
    "vscode": ClientFile(".vscode/mcp.json", "servers", {"type": "stdio"}, True),
    "windsurf": ClientFile(".codeium/windsurf/mcp_config.json"),
}
"""The clients whose configuration is JSON; the documentation has lines for others."""


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
    backup = _backup(file)
    if undo:
        _undo(file, backup)
        click.echo(f"{file} is as it was.")
        return
    before = _read(file)
    servers = before.get(chosen.key, {})
    if not isinstance(servers, dict):
        raise ConfigurationError(f"{chosen.key} in {file} is no object: correct it")
    entry = {**chosen.entry, "command": _program(), "args": ["mcp", *arguments]}
    if servers.get(NAME) == entry:
        click.echo(f"{file} has it already.")
        return
    after = {**before, chosen.key: {**servers, NAME: entry}}
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        # A second run must not take the first one's result for what was there before.
        if not backup.exists():
            _write(backup, file.read_text(encoding="utf-8") if file.exists() else "")
        _write(file, json.dumps(after, ensure_ascii=False, indent=2) + "\n")
    except OSError as error:
        raise ConfigurationError(f"cannot write {file}: {error.strerror}") from None
    click.echo(f"{file} starts `festinger mcp` now. Restart {client} to use it.")


def _read(file: Path) -> dict[str, Any]:
    """Return a configuration; empty if there is none.

    Raises:
        ConfigurationError: It is not a JSON object, so that it cannot be changed safely.
    """
    try:
        text = file.read_text(encoding="utf-8")
        found = json.loads(text) if text.strip() else {}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise ConfigurationError(
            f"{file} cannot be read as JSON, and is left alone: {error}. Enter the tools "
            "by hand: docs/how-to/mcp.md has the lines"
        ) from None
    if not isinstance(found, dict):
        raise ConfigurationError(f"{file} is no JSON object, and is left alone")
    return found


def _undo(file: Path, backup: Path) -> None:
    """Restore a configuration, or remove it if there was none.

    Raises:
        ConfigurationError: Nothing was changed, or the files cannot be written.
    """
    try:
        text = backup.read_text(encoding="utf-8")
        if text:
            _write(file, text)
        else:
            file.unlink(missing_ok=True)
        backup.unlink()
    except FileNotFoundError:
        raise ConfigurationError(f"{file} was not changed by this command") from None
    except OSError as error:
        raise ConfigurationError(f"cannot restore {file}: {error.strerror}") from None


def _write(file: Path, text: str) -> None:
    with replacing(file) as out:
        out.write(text)


def _backup(file: Path) -> Path:
    return file.with_name(f"{file.name}.before-festinger")


def _program() -> str:
    """Return the path of this command, which clients may not find by its name."""
    return os.path.abspath(Path(sys.executable).with_name("festinger"))
