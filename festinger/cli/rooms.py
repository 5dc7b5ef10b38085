"""Groups of commands that are imported when they are asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click
from click.shell_completion import CompletionItem

from festinger.cli.commands import COMMANDS, EVERYDAY, MOVED, ROOMS


class CommandGroup(click.Group):
    """The commands of a room: their help is told without importing any of them.

    Args:
        room: Its name in `COMMANDS`.
    """

    def __init__(self, *arguments: Any, room: str = EVERYDAY, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._room = room

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, the everyday ones first."""
        others = [it for it in ROOMS if self._room == EVERYDAY]
        return [*COMMANDS[self._room], *others]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, None if there is none; `UsageError` if it has moved."""
        # Imported now: `festinger --help` imports no command.
        entry = COMMANDS[self._room].get(cmd_name)
        if entry is not None:
            module, name = entry.target.split(":")
            command: click.Command = getattr(
                import_module(f"festinger.cli.{module}"), name
            )
            command.epilog = f"Example: festinger {entry.example}"
            return command
        # `festinger waves` and the like are told where they are, instead of "no such command".
        old = " ".join(filter(None, (self._room, cmd_name)))
        if old in MOVED:
            raise click.UsageError(
                f"`festinger {old}` is `festinger {MOVED[old]}`", ctx
            )
        if self._room == EVERYDAY and cmd_name in ROOMS:
            return CommandGroup(cmd_name, room=cmd_name, help=ROOMS[cmd_name])
        return None

    def shell_complete(
        self, ctx: click.Context, incomplete: str
    ) -> list[CompletionItem]:
        """Return the commands, rooms and options that begin so."""
        # Texts of the table, so that completing imports nothing.
        told = {**self._told(), **(ROOMS if self._room == EVERYDAY else {})}
        return [
            *(
                CompletionItem(name, help=text)
                for name, text in told.items()
                if name.startswith(incomplete)
            ),
            # Not a group's own, which would import every command.
            *click.Command.shell_complete(self, ctx, incomplete),
        ]

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """Write the commands and the rooms with their help."""
        told = self._told()
        # A room that is a command too, such as `memories`, is listed with the rooms.
        rooms = [it for it in told if self._room == EVERYDAY and it in COMMANDS]
        with formatter.section("Commands"):
            formatter.write_dl([it for it in told.items() if it[0] not in rooms])
        if self._room == EVERYDAY:
            with formatter.section("Rooms"):
                formatter.write_dl([*((it, told[it]) for it in rooms), *ROOMS.items()])

    def _told(self) -> dict[str, str]:
        """Return the help of each command by its name."""
        return {name: entry.help for name, entry in COMMANDS[self._room].items()}
