"""Runs the measurements, prints them, and writes their numbers to `latest.json`.

python -m benchmarks [--quick] [NAME ...]

A run of all of them writes the file anew. A run of some replaces their numbers and
leaves the others, so that nothing is lost; `run.NAME.quick` tells of which kind of run
each part's numbers are.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from rich.console import Console

from benchmarks import (
    contradictions,
    core,
    extraction,
    followers,
    full,
    growth,
    ingestion,
    lines,
    overload,
    rates,
    recollect,
    rules,
    shim,
    sticky,
    storage,
    sybils,
    votes,
    writing,
)
from benchmarks.report import Part, Row, load, machine, numbers, save, show

LATEST = Path(__file__).with_name("latest.json")
PROMISED = (
    "core_vs_re_32k",
    "core_vs_re_1k",
    "core_vs_flashtext2",
    "core_vs_countvectorizer",
    "core_vs_ahocorasick",
    "core_vs_wordlevel",
    "full_vs_lookup",
    "growth_10m_vs_1m",
    "bytes_per_concept",
    "load_vs_fetch",
    "recollect_vs_empty_p50",
    "stream_vs_unary_p50",
)
"""What every run of all has to tell, however quick."""
QUICK = (
    "QUICK: memories of a hundredth to a tenth of the size and few rounds. "
    "growth_10m_vs_1m compares 10^5 with 10^4 concepts."
)
_UNITS = {"bytes_per_concept": "B"}
_WIDTH_MIN = 120


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="Measures Festinger."
    )
    parser.add_argument(
        "--quick", action="store_true", help="a minute, rougher, and not all"
    )
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
    if options.quick:
        console.print(QUICK)
    before = load(LATEST)
    flat = dict(before) if options.names else {}
    names = options.names or [
        it for it in MODULES if not (options.quick and it in SLOW)
    ]
    for name, measure in MODULES.items():
        if name in names:
            started = time.perf_counter()
            parts = measure(options.quick)
            for part in parts:
                show(console, part)
            flat |= numbers(parts)
            flat[f"run.{name}.quick"] = int(options.quick)
            flat[f"run.{name}.seconds"] = round(time.perf_counter() - started, 1)
            # Who stops it in the middle keeps what there is.
            save(LATEST, before | flat)
    flat["machine.cores"] = len(os.sched_getaffinity(0))
    save(LATEST, flat)
    _conclude(console, flat, partial=bool(options.names))


def _conclude(console: Console, flat: Mapping[str, float], *, partial: bool) -> None:
    """Print the promised figures last, where they are seen."""
    rows = [
        Row(key, key, flat[key], _UNITS.get(key, "x"))
        for key in PROMISED
        if key in flat
    ]
    missing = [key for key in PROMISED if key not in flat]
    note = "What was not measured now is of runs before. " if partial else ""
    if missing:
        note += f"NOT MEASURED YET: {', '.join(missing)}."
    show(console, Part("In short", note, rows))
    console.print(f"\n{machine()}", highlight=False)
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
    "full": full.measure,
    "growth": growth.measure,
    "recollect": recollect.measure,
    "shim": shim.measure,
    "overload": overload.measure,
    "lines": lines.measure,
    "storage": storage.measure,
    "sticky": sticky.measure,
    "followers": followers.measure,
    "writing": writing.measure,
    "contradictions": contradictions.measure,
    "ingestion": ingestion.measure,
    "extraction": _extraction,
    "rates": rates.measure,
    "votes": votes.measure,
    "sybils": sybils.measure,
    "rules": rules.measure,
}
"""In the order in which they run."""
SLOW = frozenset(
    (
        "overload",
        "lines",
        "storage",
        "followers",
        "writing",
        "contradictions",
        "ingestion",
        "extraction",
        "rates",
        "votes",
        "sybils",
        "rules",
    )
)
"""What a quick run leaves out unless it is named: no promised figure is among them."""


if __name__ == "__main__":
    main()
