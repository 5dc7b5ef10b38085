"""Measures the cue scanner: precision and recall on a glossary, and its speed.

    python benchmarks/extraction.py [--list]

The glossary's texts are not part of the project; without them the figures are skipped,
loudly. The labels beside this file are ours. A statement is correct if its concept and
its parent are both on one line of them. Recall counts pages: those of whose term a
correct statement came out. The halves are drawn once, by a seed: the rules were written
with one of them, the other was first looked at when they stood.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import wordfreq

from festinger import _fast
from festinger.core.language.cues import Cue, CueVerdict, find_cues

GLOSSARY = Path(__file__).parents[1] / "../shared/data/cncf_glossary"
GOLD = Path(__file__).parent / "gold" / "cncf.tsv"
ZIPF_MIN = 3.3
TIMED_CHARACTERS = 32 * 1024


class Dictionary:
    """English with nothing known yet: what a new memory is asked."""

    def __init__(self) -> None:
        least = 10 ** (ZIPF_MIN - 9)
        frequencies = wordfreq.get_frequency_dict("en")
        self._words = {word for word, often in frequencies.items() if often >= least}

    def is_everyday(self, token: str) -> bool:
        """Return whether a token is a word of the dictionary."""
        return token in self._words

    def is_known(self, token: str) -> bool:
        """Nothing is: the memory is empty."""
        return False


@dataclass
class Gold:
    """The labels.

    Attributes:
        terms: For each page, the pairs of concept and parent that define its term.
        correct: All pairs that are true.
    """

    terms: dict[str, set[tuple[str, str]]] = field(default_factory=dict)
    correct: set[tuple[str, str]] = field(default_factory=set)

    @classmethod
    def read(cls) -> Gold:
        """Read the labels from their file."""
        gold = cls()
        for line in GOLD.read_text().splitlines():
            if line.startswith("#"):
                continue
            kind, page, concepts, parents = line.split("\t")
            pairs = {(c, p) for c in concepts.split(",") for p in parents.split(",")}
            gold.correct |= pairs
            if kind == "term":
                gold.terms[page] = pairs
        return gold


@dataclass
class Count:
    """Counts of statements and of correct ones, and the terms that were met."""

    pages: int = 0
    emitted: int = 0
    correct: int = 0
    held: int = 0
    held_correct: int = 0
    met: int = 0

    def __str__(self) -> str:
        """Show precision and recall."""
        return (
            f"{self.pages} terms, {self.emitted} statements: "
            f"precision {_share(self.correct, self.emitted)}, "
            f"of the held {_share(self.held_correct, self.held)}; "
            f"recall of terms {_share(self.met, self.pages)}"
        )


def main() -> None:
    """Print the figures."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--list", action="store_true", help="show each statement")
    options = arguments.parse_args()
    if not GLOSSARY.exists():
        sys.exit(f"SKIPPED: {GLOSSARY} is not here, so there is nothing to measure.")
    pages = sorted(GLOSSARY.glob("*.md"))
    dictionary, gold = Dictionary(), Gold.read()
    seen, unseen = halves(pages)
    for name, half in (("seen", seen), ("unseen", unseen), ("all", pages)):
        print(f"{name:7}", count(half, gold, dictionary))
    if options.list:
        for page, cue in emitted(pages, dictionary):
            mark = " " if _pair(cue) in gold.correct else "✗"
            print(mark, f"{page.stem:30} {cue.verdict:9} {cue.rule:10} {cue.triple}")
    print(timing(pages, dictionary))


def halves(pages: list[Path]) -> tuple[list[Path], list[Path]]:
    """Split the pages at random, always in the same way."""
    shuffled = list(pages)
    random.Random(20260101).shuffle(shuffled)
    middle = len(shuffled) // 2
    return shuffled[:middle], shuffled[middle:]


def emitted(
    pages: Iterable[Path], dictionary: Dictionary
) -> Iterator[tuple[Path, Cue]]:
    """Yield what is held or proposed of each page."""
    for page in pages:
        for cue in find_cues(_fast.scan(page.read_text()), dictionary):
            if cue.verdict is not CueVerdict.DROPPED:
                yield page, cue


def count(pages: list[Path], gold: Gold, dictionary: Dictionary) -> Count:
    """Count what came out of some pages against the labels."""
    result = Count(pages=len(pages))
    met = set()
    for page, cue in emitted(pages, dictionary):
        correct = _pair(cue) in gold.correct
        held = cue.verdict is CueVerdict.HELD
        result.emitted += 1
        result.correct += correct
        result.held += held
        result.held_correct += held and correct
        if _pair(cue) in gold.terms[page.stem]:
            met.add(page)
    result.met = len(met)
    return result


def timing(pages: list[Path], dictionary: Dictionary) -> str:
    """Time the scanner alone on as much of the glossary as a long prompt has."""
    text = "\n\n".join(page.read_text() for page in pages)[:TIMED_CHARACTERS]
    scan = _fast.scan(text)
    spent = []
    for _ in range(21):
        started = time.perf_counter()
        found = find_cues(scan, dictionary)
        spent.append(time.perf_counter() - started)
    median = sorted(spent)[len(spent) // 2]
    return (
        f"{len(text)} characters, {len(scan)} tokens, {len(scan.cues())} cue words, "
        f"{len(found)} statements: {median * 1e6:.0f} µs"
    )


def _pair(cue: Cue) -> tuple[str, str]:
    return cue.triple.concept, cue.triple.parent


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.2f} ({part}/{whole})" if whole else "none"


if __name__ == "__main__":
    main()
