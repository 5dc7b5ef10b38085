"""Groups of commands that are imported when they are asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from festinger.cli.commands import COMMANDS, EVERYDAY, MOVED, ROOMS


class Room(click.Group):
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
        """Return a command; None if there is none of that name.

        Raises:
            click.UsageError: It is elsewhere by now.
        """
        entry = COMMANDS[self._room].get(cmd_name)
        if entry is not None:
            module, name = entry.target.split(":")
            command: click.Command = getattr(
                import_module(f"festinger.cli.{module}"), name
            )
            command.epilog = f"Example: festinger {entry.example}"
            return command
        old = " ".join(filter(None, (self._room, cmd_name)))
        if old in MOVED:
            raise click.UsageError(
                f"`festinger {old}` is `festinger {MOVED[old]}`", ctx
            )
        if self._room == EVERYDAY and cmd_name in ROOMS:
            return Room(cmd_name, room=cmd_name, help=ROOMS[cmd_name])
        return None

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """Write the commands and the rooms with their help.

        A room that is a command too, such as `review`, is listed with the rooms.
        """
        told = {name: entry.help for name, entry in COMMANDS[self._room].items()}
        rooms = [it for it in told if self._room == EVERYDAY and it in COMMANDS]
        with formatter.section("Commands"):
            formatter.write_dl([it for it in told.items() if it[0] not in rooms])
        if self._room == EVERYDAY:
            with formatter.section("Rooms"):
                formatter.write_dl([*((it, told[it]) for it in rooms), *ROOMS.items()])
