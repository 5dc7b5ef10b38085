"""Draws how a memory grows: time for a prompt and bytes, against what else there is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log10
from pathlib import Path
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator

from benchmarks.report import duration

_INK, _PALE, _GRID = "#24292f", "#6e7781", "#e4e8ec"
_OURS = "#c2410c"
_THEIRS = ("#1d4ed8", "#0f766e", "#7c3aed", "#64748b", "#a16207")
_SIZE = (11.0, 4.6)
_TOP = 1.05
"""Of the axis of shares."""
_APART = 0.052
"""Between two labels, at least, in heights of the picture's frame."""


@dataclass(frozen=True, slots=True)
class Curve:
    """Cost of one way, by the number of concepts.

    Attributes:
        seconds: For a prompt.
        bytes_each: Of a concept: its word and its counters.
    """

    name: str
    seconds: Mapping[int, float]
    bytes_each: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class Told:
    """The lines that a memory tells, on average.

    Attributes:
        stale: The share of outdated facts that are told as true.
        needed: The share of needed facts that are told.
        words: Words a question.
    """

    name: str
    stale: float
    needed: float
    words: float


def draw_told(memories: Sequence[Told], file: Path) -> None:
    """Draw what memories tell, right and wrong, into a PNG."""
    figure = Figure(
        figsize=(8.0, 5.0), dpi=160, facecolor="white", layout="constrained"
    )
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    # A label is moved where it would stand over another.
    ordered = sorted(memories, key=lambda it: it.needed)
    heights = _apart([it.needed / _TOP for it in ordered])
    for it, height in zip(ordered, heights, strict=True):
        colour = _OURS if it.name.startswith("Festinger") else _THEIRS[0]
        axes.scatter(
            it.stale, it.needed, s=2 * min(it.words, 400), color=colour, alpha=0.5
        )
        label = f"{it.name} ({it.words:.0f} words)"
        is_right = it.stale > 0.6
        axes.annotate(
            label,
            (it.stale, it.needed),
            xytext=(-18 if is_right else 12, height * _TOP),
            textcoords=("offset points", "data"),
            ha="right" if is_right else "left",
            va="center",
            fontsize=8,
            color=_INK,
        )
    axes.set_xlim(0, 1)
    axes.set_ylim(0, _TOP)
    axes.set_xlabel("outdated facts told as true", color=_PALE, loc="left")
    axes.set_ylabel("needed facts told", color=_PALE)
    _plain(axes)
    figure.savefig(file, metadata={"Software": None})


def draw(ours: Curve, theirs: Sequence[Curve], file: Path) -> None:
    """Draw both panels into a PNG."""
    figure = Figure(figsize=_SIZE, dpi=160, facecolor="white", layout="constrained")
    FigureCanvasAgg(figure)
    times, sizes = figure.subplots(1, 2)
    colours = (_OURS, *_THEIRS)
    curves = [ours, *theirs]
    _panel(
        times,
        "Time to tokenise, look up and count 32 KB",
        [(c.name, c.seconds, duration) for c in curves],
        colours,
    )
    _panel(
        sizes,
        "Memory per concept: its word and its counters",
        [(c.name, c.bytes_each, _bytes) for c in curves],
        colours,
    )
    figure.savefig(file, metadata={"Software": None})


def _panel(
    axes: Any,
    title: str,
    lines: Sequence[tuple[str, Mapping[int, float], Any]],
    colours: Sequence[str],
) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    for (_, points, _), colour in zip(lines, colours, strict=False):
        ours = colour == _OURS
        axes.plot(
            list(points),
            list(points.values()),
            color=colour,
            linewidth=2.8 if ours else 1.6,
            marker="o",
            markersize=6 if ours else 4,
            zorder=3 if ours else 2,
        )
    _frame(axes, title, lines[0][2])
    _label(axes, lines, colours)


def _frame(axes: Any, title: str, shown: Any) -> None:
    low, high = axes.get_ylim()
    axes.set_ylim(low / 1.3, high * 1.3)
    left, right = axes.get_xlim()
    # Room for the names, behind the last point.
    axes.set_xlim(left, right * (right / left) ** 0.55)
    most = max(x for line in axes.lines for x in line.get_xdata())
    axes.set_xticks([10**n for n in range(3, 9) if left <= 10**n <= most])
    axes.set_xlabel("concepts in the memory", color=_PALE, loc="left")
    axes.set_title(title, loc="left", fontsize=12, color=_INK, pad=12)
    if high < low * 10**2:
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter(lambda value, _: shown(value))
    axes.minorticks_off()
    _plain(axes)
    axes.spines["bottom"].set_color(_GRID)


def _plain(axes: Any) -> None:
    """Leave a pale grid, and no frame but the axis at the bottom."""
    axes.grid(True, color=_GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(colors=_PALE, length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)


def _label(
    axes: Any,
    lines: Sequence[tuple[str, Mapping[int, float], Any]],
    colours: Sequence[str],
) -> None:
    """Names each line behind its end, none over another."""
    low, high = map(log10, axes.get_ylim())
    ends = [(max(points), points[max(points)]) for _, points, _ in lines]
    heights = [(log10(y) - low) / (high - low) for _, y in ends]
    order = sorted(range(len(lines)), key=heights.__getitem__)
    placed = dict(zip(order, _apart([heights[i] for i in order]), strict=True))
    right = max(x for x, _ in ends)
    for i, (name, _, shown) in enumerate(lines):
        x, y = ends[i]
        axes.annotate(
            f"{name}  {shown(y)}",
            (x, y),
            xytext=(right * 1.35, 10 ** (low + placed[i] * (high - low))),
            color=colours[i],
            va="center",
            fontsize=9.5,
            fontweight="bold" if i == 0 else "normal",
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
            arrowprops={
                "arrowstyle": "-",
                "color": colours[i],
                "alpha": 0.35,
                "linewidth": 0.8,
                "shrinkB": 5,
            },
        )


def _apart(heights: Sequence[float]) -> list[float]:
    """Ascending heights, moved as little as keeps them apart."""
    up: list[float] = []
    for height in heights:
        up.append(max(height, up[-1] + _APART) if up else height)
    down: list[float] = []
    for height in reversed(heights):
        down.append(min(height, down[-1] - _APART) if down else height)
    # What keeps its distance both ways keeps it in the middle.
    return [(high + low) / 2 for high, low in zip(up, reversed(down), strict=True)]


def _bytes(size: float) -> str:
    return f"{size:.0f} B"
