"""Coordinates of plots, which templates draw as SVG without scripts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

# All sizes are in pixels of the SVG's own coordinates.
WIDTH: Final = 640
HEIGHT: Final = 190
_LEFT: Final = 34
_BOTTOM: Final = 24
_TOP: Final = 10
_RIGHT: Final = 8
WEEK: Final = 7
"""The fewest days of a plot, if there are as many."""
SQUARE: Final = 240
"""The width and height of a reliability plot."""


@dataclass(frozen=True, slots=True)
class PlotBar:
    """Bar of a plot: how much there was of a series in an hour or on a day.

    Attributes:
        series: Number of the series, from 1.
    """

    x: float
    y: float
    width: float
    height: float
    series: int
    title: str


@dataclass(frozen=True, slots=True)
class PlotMark:
    """Grid line or axis label of a plot: its position and text."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class BarPlot:
    """Plot of one or two series over time.

    Attributes:
        name: Its id in the page.
        title: What it shows, in words.
        series: The names of the series.
        lines: The horizontal grid lines.
        words: The labels of the time axis.
        base: The y coordinate of the time axis.
    """

    name: str
    title: str
    series: Sequence[str]
    bars: Sequence[PlotBar]
    lines: Sequence[PlotMark]
    words: Sequence[PlotMark]
    base: float
    width: int = WIDTH
    height: int = HEIGHT
    left: int = _LEFT
    right: int = WIDTH - _RIGHT


@dataclass(frozen=True, slots=True)
class PlotPoint:
    """Bin of a reliability plot at its confidence (x) and confirmed share (y)."""

    x: float
    y: float
    radius: float
    title: str


@dataclass(frozen=True, slots=True)
class ReliabilityPlot:
    """Reliability plot: the share of confirmed guesses by confidence.

    Attributes:
        points: The bins that are not empty.
        line: The SVG path through the points.
        ticks: The labels of the axes.
        begin, end: The ends of the diagonal, which is perfect calibration.
    """

    points: Sequence[PlotPoint]
    line: str
    ticks: Sequence[PlotMark]
    begin: tuple[float, float]
    end: tuple[float, float]
    side: int = SQUARE


def bar_plot(
    name: str,
    title: str,
    series: Sequence[str],
    rows: Sequence[tuple[datetime, Sequence[int]]],
) -> BarPlot | None:
    """Return the plot of some series; None if there is nothing in any of them.

    Args:
        series: The names of the series, one or two.
        rows: Hours or days, oldest first, with the count of each series.
    """
    most = max((count for _, counts in rows for count in counts), default=0)
    if not most:
        return None
    top = _round_up(most)
    base, tall = HEIGHT - _BOTTOM, HEIGHT - _BOTTOM - _TOP
    step = (WIDTH - _LEFT - _RIGHT) / len(rows)
    # The rest of a step is the space between groups; very many hours still give a line.
    width = max(step * 0.72 / len(series), 1.0)
    by_day = len(rows) > 1 and (rows[1][0] - rows[0][0]).days >= 1
    bars: list[PlotBar] = []
    words: list[PlotMark] = []
    # At most eight labels fit beside each other.
    every = -(-len(rows) // 8)
    for at, (when, counts) in enumerate(rows):
        x = _LEFT + at * step
        called = f"{when:%d %b}" if by_day else f"{when:%H:%M}"
        for number, count in enumerate(counts):
            height = tall * count / top
            left = x + step * 0.1 + number * (width + step * 0.04)
            bars.append(
                PlotBar(
                    round(left, 2), round(base - height, 2), round(width, 2),
                    round(height, 2), number + 1, f"{called}: {count} {series[number]}"
                )
            )  # fmt: skip
        if at % every == 0:
            # Over more than two days, times of day would repeat.
            word = called if len(rows) <= 48 else f"{when:%d %b}"
            words.append(PlotMark(round(x + step / 2, 2), word))
    lines = [
        PlotMark(round(base - tall * share, 2), _short(top * share))
        for share in (0, 0.5, 1)
        # Counts are whole: half of an odd maximum is no label.
        if top * share == int(top * share)
    ]
    return BarPlot(name, title, series, bars, lines, words, base)


def throughput(hours: Sequence[Any]) -> BarPlot | None:
    """Return the plot of questions and answers by hour."""
    return bar_plot(
        "throughput",
        "Questions posted and answers received, hour by hour",
        ("questions posted", "answers received"),
        [
            (it.start_time.ToDatetime(UTC), (it.posted_count, it.answered_count))
            for it in hours
        ],
    )


def trends(days: Sequence[Any]) -> list[BarPlot]:
    """Return the plots of what happened day by day, without empty ones."""
    kinds: Sequence[tuple[str, str, Sequence[str], Sequence[str]]] = (
        ("learning", "What was learnt and contradicted, day by day",
         ("learnt", "contradicted"), ("learnt_count", "contradicted_count")),
        ("size", "What the memory held at the end of each day",
         ("facts", "sentences"), ("fact_count", "sentence_count")),
        ("ratings", "What people said of told lines, day by day",
         ("helped", "wrong"), ("helped_count", "wrong_count")),
        ("agreement", "Answers that agree with what was decided, day by day",
         ("agree", "differ"), ("agreed_count", "differed_count")),
    )  # fmt: skip
    found = []
    for name, title, series, fields in kinds:
        rows = [
            (it.start_time.ToDatetime(UTC), [getattr(it, each) for each in fields])
            for it in days
        ]
        # A young memory has no weeks of empty days in front, but a week at least.
        first = next((at for at, (_, counts) in enumerate(rows) if any(counts)), 0)
        found.append(
            bar_plot(name, title, series, rows[max(min(first, len(rows) - WEEK), 0) :])
        )
    return [plot for plot in found if plot]


def told(hours: Sequence[tuple[float, int, int]]) -> BarPlot | None:
    """Return the plot of prompts that were told something, and of the others."""
    return bar_plot(
        "told",
        "Prompts that were told something new, and those that were not, hour by hour",
        ("told", "skipped"),
        [
            (datetime.fromtimestamp(began, UTC), (told, skipped))
            for began, told, skipped in hours
        ],
    )


def reliability(bins: Sequence[Any]) -> ReliabilityPlot:
    """Return the reliability plot of some bins."""
    # The margins hold the labels, left of the plot and below it.
    side, margin = SQUARE, 30
    span = side - margin - 10

    def place(x: float, y: float) -> tuple[float, float]:
        """Return the coordinates of a point, in pixels."""
        return round(margin + span * x, 2), round(10 + span * (1 - y), 2)

    most = max((it.count for it in bins), default=1) or 1
    points = [
        PlotPoint(
            *place(it.confidence, it.confirmed),
            # The area, not the radius, stands for the number of guesses.
            round(3 + 5 * (it.count / most) ** 0.5, 2),
            f"{it.confidence:.2f} sure, {it.confirmed:.2f} confirmed, of {it.count}",
        )
        for it in bins
        if it.count
    ]
    line = "L".join(f"{it.x:g} {it.y:g}" for it in points)
    ticks = [PlotMark(share, f"{share:g}") for share in (0, 0.5, 1)]
    return ReliabilityPlot(
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


def _short(number: float) -> str:
    """Return a number of an axis. Example: `40k`."""
    for size, letter in ((1e6, "M"), (1e3, "k")):
        # Numbers below 10,000 are short enough: `4000`, but `40k`.
        if number >= 10 * size:
            return f"{number / size:g}{letter}"
    return f"{number:g}"
