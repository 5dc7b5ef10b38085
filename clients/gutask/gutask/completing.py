"""The command `completion`: commands and options are completed by a shell."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command()
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Prints a script by which SHELL completes commands and options.

    \b
    In ~/.bashrc:  source <(gutask completion bash)
    In ~/.zshrc:   source <(gutask completion zsh)
    For fish:      gutask completion fish > ~/.config/fish/completions/gutask.fish
    """
    completer = get_completion_class(shell)
    assert completer is not None
    root = context.find_root().command
    # By click, which reads the commands from the group: nothing to keep up to date.
    click.echo(completer(root, {}, "gutask", "_GUTASK_COMPLETE").source())
