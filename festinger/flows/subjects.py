"""Who wants to know of whom other things are remembered than before."""

from __future__ import annotations

from collections.abc import Callable, Collection

Told = Callable[[Collection[str] | None], None]
"""Gets the subjects; None for everybody."""


class Subjects:
    """Tells the subjects whose memories changed, once that is committed.

    What this server wrote is told after its commit, and what others wrote when it is
    followed; whoever listens runs between two steps of the event loop and must not take
    long. A memory that is loaded anew may differ in everybody.
    """

    def __init__(self) -> None:
        self._listeners: list[Told] = []

    def subscribe(self, told: Told) -> None:
        """Tells somebody from now on."""
        self._listeners.append(told)

    def tell(self, subjects: Collection[str] | None) -> None:
        """Tells everybody who listens; nothing if nobody changed.

        Args:
            subjects: None for all of them.
        """
        if subjects is None or subjects:
            for told in self._listeners:
                told(subjects)
