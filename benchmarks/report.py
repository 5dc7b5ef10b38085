"""Results, as a table for people and as numbers for machines."""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text


@dataclass(frozen=True, slots=True)
class Samples:
    """Durations of one thing, in seconds."""

    values: Sequence[float]

    def quantile(self, share: float) -> float:
        """Return the value below which a share of all lies."""
        ordered = sorted(self.values)
        return ordered[min(int(share * len(ordered)), len(ordered) - 1)]

    @property
    def p50(self) -> float:
        """The median."""
        return self.quantile(0.5)

    def ratio(self, peer: Samples) -> float:
        """Return this median as a multiple of the peer's."""
        return self.p50 / peer.p50


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table.

    Attributes:
        key: Names it among the numbers: `recollect.32k.10000`.
        what: Names it for people.
        value: The figure: the median, if it is a duration in seconds.
        unit: `s` for a duration; anything else is shown behind the value.
        low: The tenth percentile.
        high: The ninetieth.
        ratio: To the peer of the same run.
        peer: What the ratio is to.
    """

    key: str
    what: str
    value: float
    unit: str = "s"
    low: float | None = None
    high: float | None = None
    ratio: float | None = None
    peer: str = ""


def timed(
    key: str,
    what: str,
    samples: Samples,
    peer: tuple[str, Samples] | None = None,
) -> Row:
    """Return the line of a duration."""
    return Row(
        key,
        what,
        samples.p50,
        low=samples.quantile(0.1),
        high=samples.quantile(0.9),
        ratio=samples.ratio(peer[1]) if peer else None,
        peer=peer[0] if peer else "",
    )


@dataclass(frozen=True, slots=True)
class Part:
    """Results of one module.

    Attributes:
        title: Of its table.
        note: How it was measured, in a sentence or two.
        chart: Lines of text below the table.
    """

    title: str
    note: str
    rows: Sequence[Row]
    chart: str = ""


def numbers(parts: Iterable[Part]) -> dict[str, float]:
    """Everything that was measured, flat: medians of durations in microseconds."""
    flat: dict[str, float] = {}
    for row in (row for part in parts for row in part.rows):
        key = f"{row.key}.p50_us" if row.unit == "s" else row.key
        flat[key] = _round(row.value * 1e6 if row.unit == "s" else row.value)
    return flat


def load(file: Path) -> dict[str, float]:
    """Return the numbers of the runs before; none, if there was none."""
    if not file.exists():
        return {}
    flat: dict[str, float] = json.loads(file.read_text(encoding="utf-8"))
    return flat


def save(file: Path, flat: Mapping[str, float]) -> None:
    """Write the numbers, one a line, in order."""
    text = json.dumps(dict(sorted(flat.items())), indent=2)
    file.write_text(text + "\n", encoding="utf-8")


def show(console: Console, part: Part) -> None:
    """Print a part."""
    console.print()
    if not part.rows:
        console.print(Text(f"{part.title}\n{part.note}", style="bold yellow"))
        return
    spread = any(row.low is not None for row in part.rows)
    ratios = any(row.ratio is not None for row in part.rows)
    table = Table(title=part.title, title_justify="left", caption_justify="left")
    table.add_column("")
    table.add_column("p50" if spread else "figure", justify="right", no_wrap=True)
    if spread:
        table.add_column("p10 to p90", justify="right", no_wrap=True)
    if ratios:
        table.add_column("ratio", justify="right", no_wrap=True)
        table.add_column("to", no_wrap=True)
    for row in part.rows:
        table.add_row(*_cells(row, spread, ratios))
    console.print(table)
    if part.note:
        console.print(Text(part.note, style="dim"))
    if part.chart:
        console.print(Text(part.chart))


def run(name: str, measure: Callable[..., Part], **numbers: float) -> None:
    """Run a measurement as a command of its own, and show it.

    Args:
        name: Name of its module.
        measure: Function that measures, with an argument for each number.
        numbers: Its numbers and their defaults, which become options.
    """
    parser = argparse.ArgumentParser(prog=f"python -m benchmarks.{name}")
    for each, default in numbers.items():
        parser.add_argument(f"--{each}", type=type(default), default=default)
    console = Console(width=120)
    console.print(machine(), highlight=False)
    show(console, measure(**vars(parser.parse_args())))


def machine() -> str:
    """Return a description of the machine."""
    load = " ".join(f"{each:.1f}" for each in os.getloadavg())
    return (
        f"{_processor()}, {len(os.sched_getaffinity(0))} cores, "
        f"{platform.system()}, Python {platform.python_version()}, "
        f"load average {load}"
    )


def duration(seconds: float) -> str:
    """Return a duration with three digits: `72.1 µs`, `1.25 ms`."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= scale:
            return f"{_digits(seconds / scale)} {unit}"
    return f"{_digits(seconds * 1e6)} µs"


def _cells(row: Row, spread: bool, ratios: bool) -> list[str]:
    timed = row.unit == "s"
    cells = [row.what]
    cells.append(
        duration(row.value) if timed else f"{_digits(row.value)} {row.unit}".rstrip()
    )
    if spread:
        known = row.low is not None and row.high is not None
        cells.append(
            f"{duration(row.low or 0)} to {duration(row.high or 0)}" if known else ""
        )
    if ratios:
        cells.append("" if row.ratio is None else _ratio(row.ratio))
        cells.append(row.peer)
    return cells


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    models = (line.partition(":")[2] for line in lines if line.startswith("model name"))
    return next(models, platform.machine()).strip()


def _ratio(ratio: float) -> str:
    return f"{ratio:.2f}x" if ratio >= 0.1 else f"{ratio:.3f}x"


def _digits(value: float) -> str:
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


def _round(value: float) -> float:
    return float(f"{value:.5g}")
