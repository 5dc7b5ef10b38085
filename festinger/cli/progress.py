"""Progress display of a start and of other work: messages and a bar."""

from __future__ import annotations

from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn
from rich.progress import Progress as Bar


class _Display:
    """Messages, and a bar that is shown within the context."""

    def __init__(self, console: Console, bar: Bar) -> None:
        self._console = console
        self._bar = bar

    def say(self, message: str) -> None:
        """Show a message."""
        self._console.print(f"  {message}", style="dim", soft_wrap=True)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()


class StartReporter(_Display):
    """Progress display of a start; leaving the context removes the bar."""

    def __init__(self, console: Console) -> None:
        bar = Bar(
            TextColumn("  {task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} %"),
            console=console,
            transient=True,  # nothing of it stays in the terminal
        )
        super().__init__(console, bar)
        self._task: TaskID | None = None

    def dictionary(self, share: float) -> None:
        """Show the loaded share of the dictionary, in [0.0, 1.0]."""
        if self._task is None:
            self._task = self._bar.add_task("Loading the dictionary", total=1.0)
        self._bar.update(self._task, completed=share)


class StepProgress(_Display):
    """Progress display of work in steps; the bars need a terminal.

    Used as a context manager, which removes the bars before any other output.

    Args:
        silent: Whether to print nothing at all.
    """

    def __init__(self, *, silent: bool = False) -> None:
        console = Console(stderr=True, quiet=silent)
        bar = Bar(
            TextColumn("  {task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            console=console,
            transient=True,
            # A file would record every state of the bar.
            disable=silent or not console.is_terminal,
        )
        super().__init__(console, bar)
        self._tasks: dict[str, TaskID] = {}

    def step(self, name: str, done: int, total: int) -> None:
        """Show the progress of a step, in items done of a total."""
        if name not in self._tasks:
            self._tasks[name] = self._bar.add_task(name, total=total)
        # A total that was estimated too low grows with what is done.
        self._bar.update(self._tasks[name], completed=done, total=max(done, total))
