"""The command that enters the tools into the configuration of a client."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import click

from festinger.cli.system.clientfiles import NAME, ClientFile
from festinger.errors import ConfigurationError
from festinger.private import replacing

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
