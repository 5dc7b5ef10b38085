"""The command line: everyday commands at the top, the others in rooms."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from festinger.cli import cli
from festinger.cli.commands import COMMANDS, EVERYDAY, MOVED, CommandEntry

EVERY = [
    (room, name, entry)
    for room, commands in COMMANDS.items()
    for name, entry in commands.items()
]


def command(room: str, name: str) -> click.Command:
    """Return a command, as it is found by its words."""
    group: click.Command | None = cli
    for word in [*([room] if room else []), name]:
        assert isinstance(group, click.Group)
        group = group.get_command(click.Context(group), word)
    assert group is not None
    return group


@pytest.mark.parametrize(("room", "name", "entry"), EVERY)
def test_list_tells_the_help_of_each_command(
    room: str, name: str, entry: CommandEntry
) -> None:
    """Though none of them is imported for it."""
    assert entry.help == command(room, name).get_short_help_str(200)


@pytest.mark.parametrize(("room", "name", "entry"), EVERY)
def test_help_has_an_example(room: str, name: str, entry: CommandEntry) -> None:
    """One that begins with the command's own words."""
    words = [*([room] if room else []), name]

    result = CliRunner().invoke(cli, [*words, "--help"])

    assert result.exit_code == 0
    assert "Example: festinger" in result.output
    assert entry.example.split()[: len(words)] == words


def test_few_commands_stand_at_the_top():
    """So that they are read."""
    assert len(COMMANDS[EVERYDAY].keys() - COMMANDS.keys()) <= 12


@pytest.mark.parametrize(("old", "new"), MOVED.items())
def test_command_without_its_room_names_it(old, new):
    """On standard error, with click's exit code for a wrong use."""
    result = CliRunner().invoke(cli, old.split())

    assert result.exit_code == 2
    assert f"`festinger {old}` is `festinger {new}`" in result.stderr
