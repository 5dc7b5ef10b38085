"""Runs the measurements, prints them, and writes their numbers to `latest.json`.

python -m benchmarks [--quick] [NAME ...]
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console

from benchmarks import (
    core,
    extraction,
    followers,
    growth,
    recollect,
    shim,
    sticky,
    writing,
)
from benchmarks.report import Part, Row, machine, numbers, save, show

LATEST = Path(__file__).with_name("latest.json")
_WIDTH_MIN = 120


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="Measures Festinger."
    )
    parser.add_argument("--quick", action="store_true", help="a minute, and rougher")
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"some of {', '.join(MODULES)}"
    )
    options = parser.parse_args(arguments)
    if unknown := set(options.names) - set(MODULES):
        parser.error(f"there is no {unknown.pop()}; there is {', '.join(MODULES)}")
    console = Console()
    if console.width < _WIDTH_MIN:
        console = Console(width=_WIDTH_MIN)
    console.print(machine(), highlight=False)
    measured: list[Part] = []
    for name, measure in MODULES.items():
        if not options.names or name in options.names:
            parts = measure(options.quick)
            for part in parts:
                show(console, part)
            measured += parts
    flat = numbers(measured)
    save(LATEST, flat | {"machine.cores": len(os.sched_getaffinity(0))})
    console.print(f"\n{machine()}")
    console.print(f"{len(flat)} numbers are in {LATEST.name}", highlight=False)


def _extraction(quick: bool) -> list[Part]:
    """Precision and recall of the cue scanner, where there are texts to measure."""
    title = "Extraction: statements found in a glossary"
    if not extraction.GLOSSARY.exists():
        where = extraction.GLOSSARY.resolve()
        return [Part(title, f"SKIPPED: {where} is not here. It is not shipped.", ())]
    pages = sorted(extraction.GLOSSARY.glob("*.md"))
    dictionary, gold = extraction.Dictionary(), extraction.Gold.read()
    seen, unseen = extraction.halves(pages)
    rows: list[Row] = []
    for name, half in (("seen", seen), ("unseen", unseen)):
        found = extraction.count(half, gold, dictionary)
        key = f"extraction.{name}"
        rows += [
            Row(f"{key}.{what}", f"{label}, {name} half", part / max(whole, 1), "")
            for what, label, part, whole in (
                ("precision", "precision", found.correct, found.emitted),
                ("precision_held", "  of the held", found.held_correct, found.held),
                ("recall", "  recall of terms", found.met, found.pages),
            )
        ]
    note = (
        "The rules were written with the seen half; the labels are ours. A candidate "
        f"counts as found.\nTime: {extraction.timing(pages, dictionary)}"
    )
    return [Part(title, note, rows)]


MODULES: dict[str, Callable[[bool], list[Part]]] = {
    "core": core.measure,
    "growth": growth.measure,
    "recollect": recollect.measure,
    "shim": shim.measure,
    "sticky": sticky.measure,
    "followers": followers.measure,
    "writing": writing.measure,
    "extraction": _extraction,
}
"""In the order in which they run."""


if __name__ == "__main__":
    main()
