"""`festinger system completion`: commands and options are completed by a shell."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print a script by which SHELL completes commands and options.

    \b
    In ~/.bashrc:  source <(festinger system completion bash)
    In ~/.zshrc:   source <(festinger system completion zsh)
    For fish:      festinger system completion fish > ~/.config/fish/completions/festinger.fish
    """
    completer = get_completion_class(shell)
    assert completer is not None
    root = context.find_root().command
    click.echo(completer(root, {}, "festinger", "_FESTINGER_COMPLETE").source())
