"""How a start is shown: sentences, and a bar for the dictionary."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, TaskID, TextColumn
from rich.progress import Progress as Bar


class Progress:
    """Tells a person how a start goes.

    Used as a context manager, so that the bar is gone before anything else is said.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._bar = Bar(
            TextColumn("  {task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} %"),
            console=console,
            transient=True,
        )
        self._task: TaskID | None = None

    def say(self, message: str) -> None:
        """Shows a sentence."""
        self._console.print(f"  {message}", style="dim", soft_wrap=True)

    def dictionary(self, share: float) -> None:
        """Shows how much of the dictionary is loaded, in [0.0, 1.0]."""
        if self._task is None:
            self._task = self._bar.add_task("Loading the dictionary", total=1.0)
        self._bar.update(self._task, completed=share)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._bar.stop()
