"""Measures how much of everything a text holds: the made-up prompts and real ones.

What a prompt costs depends on how much it states, so the record that the made-up prompts
are like real ones must be one that can be tried again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import mean

from benchmarks import texts
from benchmarks.report import Part, Row
from benchmarks.worlds import (
    MANY,
    STATEMENTS,
    Prompts,
    renewed,
    world_of,
    world_of_words,
)
from festinger import _fast
from festinger.core.language.cues import CueVerdict, find_cues
from festinger.core.world.world import World

CHARACTERS = 32 * 1024
FIGURES = {
    "tokens": "tokens",
    "concepts": "distinct concepts",
    "names": "  of them no everyday words",
    "considered": "  of them met often enough",
    "cues": "cue words",
    "may_match": "  behind which a pattern may match",
    "statements": "statements found",
    "held": "  of them held",
}
# fmt: off
_BEHIND = {
    "is": ("a", "an", "part", "kind", "type", "instance", "member"),
    "isn't": ("a", "an", "part"), "runs": ("on",), "run": ("on",),
    "belongs": ("to",), "belong": ("to",), "hosted": ("by",), "owned": ("by",),
    "deployed": ("on",), "contained": ("in",), "part": ("of",), "kind": ("of",),
    "type": ("of",), "instance": ("of",), "member": ("of",),
}
# fmt: on
"""Words behind a cue word with which a statement may begin; adverbs are left out."""


def measure(
    quick: bool = False, *, concepts: int = 100_000, prompts: int | None = None
) -> list[Part]:
    """Count in made-up and in real texts of 32 KB."""
    count = prompts or (8 if quick else 20)
    made = world_of(concepts)
    rows: list[Row] = []
    for key, what, statements in (
        ("made_up", "made up", STATEMENTS),
        ("made_up_many", f"made up, {MANY:g} statements", MANY),
    ):
        source = Prompts(concepts, statements=statements)
        found = [renewed(source.text(CHARACTERS), n) for n in range(count)]
        rows += _rows(key, what, found, made)
    for kind in texts.sources():
        found = texts.pieces(CHARACTERS, count, [kind])
        rows += _rows(kind, f"real {kind}", found, read_by(found))
    return [
        Part(
            "Rates: what 32 KB hold, on average",
            f"Of {count} texts each. The made-up ones are read by a memory of "
            f"{concepts:,} concepts, the real ones by one that has read just these.",
            rows,
        )
    ]


def read_by(read: Sequence[str]) -> World:
    """Return a memory that knows the words of some texts.

    A name that stands in too few of them is not in it, and stays new however often
    the texts are read.
    """
    words = texts.words_of(read)
    return world_of_words(texts.everyday_words(), words.names)


def _rows(key: str, what: str, found: Sequence[str], world: World) -> Iterator[Row]:
    counts = [_count(text, world) for text in found]
    for figure, label in FIGURES.items():
        value = mean(count[figure] for count in counts)
        title = f"{what}: {label}" if figure == "tokens" else f"  {label}"
        yield Row(f"rates.{key}.{figure}", title, value, "")


def _count(text: str, world: World) -> Counter[str]:
    scan = _fast.scan(text)
    concepts = texts.concepts(scan)
    reading = world.vocabulary.read(scan, now=1.0, threshold=0.5, count=False)
    cues = scan.cues()
    found = find_cues(scan, world)
    return Counter(
        tokens=len(scan),
        concepts=len(concepts),
        names=len(concepts - texts.everyday_words()),
        considered=len(reading.salient),
        cues=len(cues),
        may_match=sum(_may_match(scan, at) for at in cues),
        statements=len(found),
        held=sum(cue.verdict is CueVerdict.HELD for cue in found),
    )


def _may_match(scan: _fast.Scan, at: int) -> bool:
    return at + 1 < len(scan) and scan[at + 1] in _BEHIND.get(scan[at], ())
