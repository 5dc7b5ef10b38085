"""Coordinates of the metrics' plots, which templates draw as SVG without scripts."""

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
"""The width and height of a reliability plot."""


@dataclass(frozen=True, slots=True)
class Bar:
    """Bar of a plot: the questions posted or the answers received in an hour."""

    x: float
    y: float
    width: float
    height: float
    kind: str
    title: str


@dataclass(frozen=True, slots=True)
class PlotMark:
    """Grid line or axis label of a plot: its position and text."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Throughput:
    """Plot of questions and answers by hour.

    Attributes:
        bars: The bars.
        lines: The horizontal grid lines.
        words: The labels of the time axis.
        base: The y coordinate of the time axis.
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
    """Bin of a reliability plot at its confidence (x) and confirmed share (y)."""

    x: float
    y: float
    radius: float
    title: str


@dataclass(frozen=True, slots=True)
class Reliability:
    """Reliability plot: the share of confirmed guesses by confidence.

    Attributes:
        points: The bins that are not empty.
        line: The SVG path through the points.
        ticks: The labels of the axes.
        begin, end: The ends of the diagonal, which is perfect calibration.
    """

    points: Sequence[Point]
    line: str
    ticks: Sequence[PlotMark]
    begin: tuple[float, float]
    end: tuple[float, float]
    side: int = SQUARE


def throughput(hours: Sequence[Any]) -> Throughput | None:
    """Return the plot of questions and answers, or None if there are no hours."""
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
    """Return the reliability plot of some bins."""
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
    """Return the least of 2, 4 or 10 times a power of ten that is >= most and >= 4."""
    size = 1
    while True:
        for digit in (2, 4, 10):
            if digit * size >= max(most, 4):
                return digit * size
        size *= 10
