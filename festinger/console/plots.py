"""Where the bars and points of the metrics' plots are drawn: no script is needed for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC
from typing import Any, Final

WIDTH: Final = 640
HEIGHT: Final = 190
_LEFT: Final = 34
_BOTTOM: Final = 24
_TOP: Final = 10
_RIGHT: Final = 8
SQUARE: Final = 240
"""The side of a reliability plot."""


@dataclass(frozen=True, slots=True)
class Bar:
    """How many in an hour; what was posted stands beside what was answered."""

    x: float
    y: float
    width: float
    height: float
    kind: str
    title: str


@dataclass(frozen=True, slots=True)
class PlotMark:
    """A line across a plot, or a word below it, and what it says."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Throughput:
    """Questions and answers, hour by hour.

    Attributes:
        base: Where the bars stand.
    """

    bars: Sequence[Bar]
    lines: Sequence[PlotMark]
    words: Sequence[PlotMark]
    base: float
    width: int = WIDTH
    height: int = HEIGHT
    left: int = _LEFT
    right: int = WIDTH - _RIGHT


@dataclass(frozen=True, slots=True)
class Point:
    """A bin of a reliability plot; `y` is where it would stand if it were right."""

    x: float
    y: float
    radius: float
    title: str


@dataclass(frozen=True, slots=True)
class Reliability:
    """How often a machine was right, against how sure it was.

    Attributes:
        line: The path through the points, as SVG writes it.
        begin, end: Of the diagonal, where whoever is right as often as they think stands.
    """

    points: Sequence[Point]
    line: str
    ticks: Sequence[PlotMark]
    begin: tuple[float, float]
    end: tuple[float, float]
    side: int = SQUARE


def throughput(hours: Sequence[Any]) -> Throughput | None:
    """Draws questions posted and answers received; None if there is nothing to draw."""
    if not hours:
        return None
    most = max(max(it.posted_count, it.answered_count) for it in hours)
    top = _round_up(most)
    base, tall = HEIGHT - _BOTTOM, HEIGHT - _BOTTOM - _TOP
    step = (WIDTH - _LEFT - _RIGHT) / len(hours)
    width = max(step * 0.36, 1.0)
    bars: list[Bar] = []
    words: list[PlotMark] = []
    every = -(-len(hours) // 8)
    for at, it in enumerate(hours):
        x = _LEFT + at * step
        when = it.start_time.ToDatetime(UTC)
        for kind, count, shift in (
            ("posted", it.posted_count, 0.1),
            ("answered", it.answered_count, 0.5),
        ):
            height = tall * count / top
            title = f"{when:%H:%M}: {count} {kind}"
            bars.append(
                Bar(
                    round(x + shift * step, 2), round(base - height, 2),
                    round(width, 2), round(height, 2), kind, title,
                )
            )  # fmt: skip
        if at % every == 0:
            word = f"{when:%H:%M}" if len(hours) <= 48 else f"{when:%d %b}"
            words.append(PlotMark(round(x + step / 2, 2), word))
    lines = [
        PlotMark(round(base - tall * share, 2), f"{top * share:g}")
        for share in (0, 0.5, 1)
        if top * share == int(top * share)
    ]
    return Throughput(bars, lines, words, base)


def reliability(bins: Sequence[Any]) -> Reliability:
    """Draws how often what was guessed was confirmed, by confidence."""
    side, margin = SQUARE, 30
    span = side - margin - 10

    def place(x: float, y: float) -> tuple[float, float]:
        return round(margin + span * x, 2), round(10 + span * (1 - y), 2)

    most = max((it.count for it in bins), default=1) or 1
    points = [
        Point(
            *place(it.confidence, it.confirmed),
            round(3 + 5 * (it.count / most) ** 0.5, 2),
            f"{it.confidence:.2f} sure, {it.confirmed:.2f} confirmed, of {it.count}",
        )
        for it in bins
        if it.count
    ]
    line = "L".join(f"{it.x:g} {it.y:g}" for it in points)
    ticks = [PlotMark(share, f"{share:g}") for share in (0, 0.5, 1)]
    return Reliability(
        points, f"M{line}" if line else "", ticks, place(0, 0), place(1, 1)
    )


def _round_up(most: int) -> int:
    """A round number that is at least so much, and at least 4."""
    size = 1
    while True:
        for digit in (2, 4, 10):
            if digit * size >= max(most, 4):
                return digit * size
        size *= 10
