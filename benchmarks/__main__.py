"""Runs the measurements, prints them, and writes their numbers to `latest.json`.

python -m benchmarks [--quick] [NAME ...]
"""

from __future__ import annotations

import argparse
import importlib
import os
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from benchmarks import extraction
from benchmarks.report import Part, Row, from_numbers, machine, numbers, save, show

NAMES = ("core", "growth", "recollect", "shim", "extraction")
LATEST = Path(__file__).with_name("latest.json")
_WIDTH_MIN = 120


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="Measures Festinger."
    )
    parser.add_argument("--quick", action="store_true", help="a minute, and rougher")
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"some of {', '.join(NAMES)}"
    )
    options = parser.parse_args(arguments)
    if unknown := set(options.names) - set(NAMES):
        parser.error(f"there is no {unknown.pop()}; there is {', '.join(NAMES)}")
    console = Console()
    if console.width < _WIDTH_MIN:
        console = Console(width=_WIDTH_MIN)
    console.print(machine(), highlight=False)
    measured: list[Part] = []
    for name in NAMES:
        if not options.names or name in options.names:
            parts = run(name, options.quick)
            for part in parts:
                show(console, part)
            measured += parts
    flat = numbers(measured)
    save(LATEST, flat | {"machine.cores": len(os.sched_getaffinity(0))})
    console.print(f"\n{machine()}")
    console.print(f"{len(flat)} numbers are in {LATEST.name}", highlight=False)


def run(name: str, quick: bool) -> list[Part]:
    """Runs one module."""
    if name == "extraction":
        return [_extraction()]
    module = importlib.import_module(f"benchmarks.{name}")
    result = module.measure(quick)
    if isinstance(result, dict):
        title = (module.__doc__ or name).strip().splitlines()[0]
        return [from_numbers(name, title, result)]
    return list(result)


def _extraction() -> Part:
    """Precision and recall of the cue scanner, where there are texts to measure."""
    title = "Extraction: statements found in a glossary"
    if not extraction.GLOSSARY.exists():
        where = extraction.GLOSSARY.resolve()
        return Part(title, f"SKIPPED: {where} is not here. It is not shipped.", ())
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
    return Part(
        title,
        "The rules were written with the seen half; the labels are ours. A candidate "
        f"counts as found.\nTime: {extraction.timing(pages, dictionary)}",
        rows,
    )


if __name__ == "__main__":
    main()
