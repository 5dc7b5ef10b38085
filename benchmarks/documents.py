"""Measures what reading documents brings: what people are shown, and agents are told.

    python -m benchmarks.documents FOLDER LABELS [--sample N] [--show] [--quiet FILE ...]

LABELS is a JSON file of judgements about the documents of FOLDER, which are not part of
the project:

    {"project": "shop",
     "judged": {"a candidate's content": "useful" | "trivial" | "wrong", …},
     "prompts": [{"prompt": "…", "tells": "words of the content"}, …]}

`--sample N` adds N candidates that are not judged yet, drawn at random, with an empty
judgement. A prompt counts if a candidate has its words, and is met if a line that it is
told has them; all candidates that are not judged wrong are promoted. The rules read
alone, without a model. The quiet prompts of labelled conversations, asked within the
project, count as disturbed if they are told anything.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from benchmarks.playing import everyday_words
from benchmarks.report import Part, Row, show
from festinger.core.lines.index import LineIndex
from festinger.core.lines.line import IndexedLine, LineKind
from festinger.core.lines.notes import LABELS
from festinger.core.recollection.recall import RecallRequest, recall
from festinger.core.review.extractors import builtin
from festinger.core.review.findings import (
    DocumentPlace,
    divide,
    sweep,
    whole_of,
)
from festinger.core.review.offers import offers
from festinger.core.review.queue import KnownTexts
from festinger.core.review.records import ProposedRecord

SEED = 5
NOW = 1_800_000_000.0
TOKENS = 200
JUDGEMENTS = ("useful", "trivial", "wrong")


class _Words:
    """Lexicon of the everyday words, without known concepts."""

    def is_everyday(self, token: str) -> bool:
        """Return True for a word of the dictionary."""
        return token in everyday_words()

    def is_known(self, token: str) -> bool:
        """Return False: the memory is empty."""
        return False


def candidates(folder: Path, project: str) -> list[ProposedRecord]:
    """Return what people would be shown of a folder, the best first, each once."""
    extractors, known = builtin(_Words()), KnownTexts()
    found: dict[Any, ProposedRecord] = {}
    files = sorted(it for it in folder.rglob("*") if it.is_file())
    for number, file in enumerate(files):
        path = file.relative_to(folder).as_posix()
        if any(it.wants(path) for it in extractors):
            place = DocumentPlace(project, "", path)
            parts = divide(place, file.read_bytes(), extractors).chunks
            whole = whole_of(place, parts, id=number)
            offered, _ = offers(whole, sweep(whole, extractors).found, known, now=NOW)
            for offer in offered:
                found.setdefault(offer.key, offer)
    return sorted(found.values(), key=lambda it: it.rank, reverse=True)


def index_of(promoted: Sequence[ProposedRecord]) -> LineIndex:
    """Return an index of candidates that people have accepted."""
    index = LineIndex()
    for number, offer in enumerate(promoted):
        line = IndexedLine(
            number=0,
            kind=LineKind.ENTITY,
            key=number,
            text=offer.content,
            heading=LABELS[offer.type],
            project=offer.project,
            said=NOW,
        )
        index.sources.put(LineKind.ENTITY, number, [line])
    return index


def told(index: LineIndex, prompt: str, project: str) -> list[str]:
    """Return the lines that a prompt of a project is told."""
    asked = RecallRequest(prompt, asker="ann", project=project)
    words: Collection[str] = everyday_words()
    found = recall(index, asked, dictionary=words, tokens=TOKENS, now=NOW)
    return [line.text for line in found.lines]


def quiet_prompts(files: Sequence[Path]) -> Iterator[str]:
    """Yield the quiet prompts of labelled conversations."""
    for file in files:
        for asked in json.loads(file.read_text("utf-8"))["quiet"]:
            yield asked["prompt"]


def measure(
    found: Sequence[ProposedRecord],
    labels: dict[str, Any],
    quiet: Sequence[str],
    *,
    shown: bool,
) -> Part:
    """Return the figures of a corpus.

    Args:
        shown: Whether the prompts that are not met are printed.
    """
    project, judged = labels["project"], labels.get("judged", {})
    marks = Counter(
        judged[it.content] for it in found if judged.get(it.content) in JUDGEMENTS
    )
    index = index_of([it for it in found if judged.get(it.content) != "wrong"])
    asked = met = lines = 0
    for each in labels.get("prompts", ()):
        words = each["tells"].casefold()
        if not any(words in it.content.casefold() for it in found):
            continue
        texts = told(index, each["prompt"], project)
        is_met = any(words in it.casefold() for it in texts)
        asked, met, lines = asked + 1, met + is_met, lines + len(texts)
        if shown and not is_met:
            print(f"- {each['prompt']}\n    not told: {each['tells']}")
    disturbed = sum(bool(told(index, it, project)) for it in quiet)
    sure = sum(marks.values()) or 1
    rows = [
        Row(f"documents.{project}.candidates", "candidates", len(found), ""),
        Row(f"documents.{project}.judged", "  judged", sum(marks.values()), ""),
        *(
            Row(f"documents.{project}.{it}", f"  {it}", marks[it] / sure, "")
            for it in JUDGEMENTS
        ),
        Row(f"documents.{project}.told", "told when relevant", met / (asked or 1), ""),
        Row(f"documents.{project}.lines", "lines a prompt", lines / (asked or 1), ""),
        Row(
            f"documents.{project}.quiet",
            "quiet prompts disturbed",
            disturbed / (len(quiet) or 1),
            "",
        ),
    ]
    return Part(f"Documents: {project}", f"{asked} prompts, {len(quiet)} quiet.", rows)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the figures, or add candidates to judge."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("labels", type=Path)
    parser.add_argument("--sample", type=int, default=0, metavar="N")
    parser.add_argument("--show", action="store_true", help="print what is not told")
    parser.add_argument("--quiet", nargs="*", type=Path, default=[], metavar="FILE")
    options = parser.parse_args(arguments)
    labels = {"project": options.folder.name}
    if options.labels.is_file():
        labels |= json.loads(options.labels.read_text("utf-8"))
    found = candidates(options.folder, labels["project"])
    if options.sample:
        judged: Any = labels.setdefault("judged", {})
        fresh = [it.content for it in found if it.content not in judged]
        source = random.Random(SEED)
        judged |= dict.fromkeys(
            source.sample(fresh, min(options.sample, len(fresh))), ""
        )
        text = json.dumps(labels, indent=1, ensure_ascii=False)
        options.labels.write_text(text + "\n", encoding="utf-8")
    quiet = list(quiet_prompts(options.quiet))
    show(Console(), measure(found, labels, quiet, shown=options.show))


if __name__ == "__main__":
    main()
