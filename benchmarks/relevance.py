"""Measures what prompts are told of labelled conversations, and fits the weights for it.

    python -m benchmarks.relevance [--cross | --fit | --baseline] [--joined] [--show]
        [--embed URL MODEL] [FILE ...]

Without FILE the conversations are those of `benchmarks/conversations`. They are played in this process, sentence by sentence as the server keeps them,
and every question and quiet prompt is answered where it stands. `--cross` is the figure
for conversations that nobody tuned to: each is measured with weights that were fitted to
all the others. `--fit` fits them to all, and writes the file that is shipped. Lines and
prompts are embedded by their words, or with `--embed` by a model of an Ollama, for which
the weights are fitted then.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Final

from rich.console import Console

from benchmarks.embedding import TextEmbedder, UpstreamEmbedder, WordEmbedder
from benchmarks.fitting import LabelledLesson, as_json, fit, left_out
from benchmarks.general import KEPT_OUT, play_general
from benchmarks.joined import joined
from benchmarks.plain import RankedSentences, compare, took
from benchmarks.playing import Moment, everyday_words, play, play_follow_ups
from benchmarks.processes import ProcessorClock
from benchmarks.reading import SimulatedModel
from benchmarks.report import Part, Row, show
from benchmarks.talks import LabelledTalk
from festinger.core.recollection.weighing import RelevanceWeights, shipped

CONVERSATIONS: Final = Path(__file__).parent / "conversations"
"""Folder of the project's own labelled conversations."""
MEASURES = (
    ("needs", "needed facts told", "needs_told", "needs"),
    ("tasks", "  of tasks", "task_needs_told", "task_needs"),
    ("answered", "questions with all they need", "answered", "questions"),
    ("lines", "told lines that are needed", "lines_needed", "lines"),
    ("words", "words a question", "words", "questions"),
    ("stale", "stale told as true", "stale_told", "stale"),
    ("quiet", "quiet prompts disturbed", "disturbed", "quiet"),
    ("general", "prompts for any model disturbed", "general_disturbed", "general"),
    ("later", "needed facts told, as follow-ups", "later_needs_told", "later_needs"),
    ("follow", "follow-ups disturbed", "follow_ups_disturbed", "follow_ups"),
    (
        "contradictions",
        "contradictions found",
        "contradictions_found",
        "contradictions",
    ),
    ("microseconds", "processor's µs a prompt", "microseconds", "prompts"),
    ("unsayable", "secrets and injections told", "unsayable", ""),
)


def measure(
    talk: LabelledTalk,
    weighing: RelevanceWeights,
    told: list[tuple[Moment, Sequence[str]]],
    model: SimulatedModel = SimulatedModel.NONE,
    embedder: TextEmbedder | None = None,
) -> Counter[str]:
    """Play a conversation and count what came of it.

    Args:
        told: Gets each prompt with the lines that it was told.
        model: What reads the turns that people typed.
        embedder: Embeds lines and prompts; None for those of a server alone.
    """
    count: Counter[str] = Counter()
    for moment in play_general(talk, model, embedder, KEPT_OUT):
        disturbed = bool(moment.recall(weighing).lines)
        count.update(general=1, general_disturbed=disturbed)
    for moment in play_follow_ups(talk, model, embedder):
        count.update(_follow_up(moment, weighing))
    contradicted: Set[str] = frozenset()
    for moment in play(talk, model, embedder):
        with ProcessorClock() as clock:
            lines = [line.text for line in moment.recall(weighing).lines]
        count.update(took(clock.seconds))
        count.update(talk.count(moment.asked, lines))
        told.append((moment, lines))
        contradicted = moment.contradicted
    return count + talk.contradictions({talk.statement(it) for it in contradicted})


def _follow_up(moment: Moment, weighing: RelevanceWeights) -> dict[str, int]:
    """Return the counts of a prompt that goes on with another session."""
    lines = [line.text for line in moment.recall(weighing).lines]
    needed = set(moment.asked.get("needs", ()))
    if not needed:
        return {"follow_ups": 1, "follow_ups_disturbed": bool(lines)}
    told = {it for line in lines for it in moment.talk.needs_met(moment.asked, line)}
    return {"later_needs": len(needed), "later_needs_told": len(needed & told)}


def total(counts: Iterable[Counter[str]]) -> Counter[str]:
    """Return the counts of all conversations."""
    whole: Counter[str] = Counter()
    for count in counts:
        whole.update(count)
    return whole


def part(title: str, key: str, counts: Iterable[Counter[str]]) -> Part:
    """Return the figures of some conversations together."""
    whole = total(counts)
    rows = [
        Row(
            f"relevance.{key}.{name}",
            what,
            whole[some] / (whole[of] or 1) if of else whole[some],
            "",
        )
        for name, what, some, of in MEASURES
    ]
    note = f"{whole['questions']} questions, {whole['quiet']} quiet prompts."
    return Part(title, note, rows)


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, what in (
        ("cross", "measure each with weights fitted to the others"),
        ("fit", "fit the weights to all, and write them"),
        ("baseline", "measure BM25 instead"),
        ("joined", "play all of them into one memory, without projects"),
        ("show", "print what every prompt was told"),
        ("each", "print the figures of each conversation"),
    ):
        parser.add_argument(f"--{name}", action="store_true", help=what)
    parser.add_argument(
        "--model",
        type=SimulatedModel,
        choices=SimulatedModel,
        default=SimulatedModel.NONE,
        help="what reads what people typed",
    )
    parser.add_argument(
        "--embed",
        nargs=2,
        metavar=("URL", "MODEL"),
        help="what embeds lines and prompts",
    )
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    console, model = Console(), options.model
    if missing := [str(it) for it in options.files if not it.is_file()]:
        parser.error(f"no such file: {', '.join(missing)}")
    embedder: TextEmbedder = (
        UpstreamEmbedder(*options.embed) if options.embed else WordEmbedder()
    )
    files = sorted(options.files or CONVERSATIONS.glob("*.json"))
    talks = [LabelledTalk.read(file) for file in files]
    if options.joined:
        talks = [joined(talks)]
    if options.cross and len(talks) < 2:
        parser.error("--cross needs two conversations, and --joined leaves one")
    lessons = [LabelledLesson(talk, embedder=embedder) for talk in talks]
    everyday_words()
    started = time.perf_counter()
    told: list[tuple[Moment, Sequence[str]]] = []
    if options.baseline:
        title, key = "BM25 over sentences", "baseline"
        counts = [asyncio.run(compare(RankedSentences(), it.talk)) for it in lessons]
    elif options.cross:
        title, key = "Each with weights fitted to the others", "cross"
        counts = [
            measure(it.talk, _used(fits, embedder), told, model, embedder)
            for it, fits in left_out(lessons)
        ]
    else:
        weighing = _fitted(lessons, embedder) if options.fit else shipped()
        title, key = "With the same weights for all", "same"
        counts = [measure(it.talk, weighing, told, model, embedder) for it in lessons]
        if options.fit:
            _write(weighing, lessons)
    if options.show:
        _print_told(told)
    if options.each:
        for lesson, count in zip(lessons, counts, strict=True):
            show(console, part(lesson.talk.name, key, [count]))
    show(console, part(title, key, counts))
    console.print(f"{time.perf_counter() - started:.1f} s", highlight=False)


def _used(weighing: RelevanceWeights, embedder: TextEmbedder) -> RelevanceWeights:
    """Return weights that were fitted to embeddings, for prompts that have them."""
    return replace(weighing, embedded={embedder.model: weighing})


def _fitted(
    lessons: Sequence[LabelledLesson], embedder: TextEmbedder
) -> RelevanceWeights:
    """Return the shipped weights with those that are fitted anew."""
    plain = shipped()
    if isinstance(embedder, WordEmbedder):
        # No model is needed for either: prompts without a known word have no embedding.
        plain = fit([LabelledLesson(it.talk) for it in lessons])
    newest = fit(lessons)
    # The gate has features of the prompt besides the lines': that of the newest fit knows
    # most prompts, and serves the lines of other models as well.
    embedded = {
        model: replace(it, gate=newest.gate, open_from=newest.open_from)
        for model, it in shipped().embedded.items()
    }
    return replace(plain, embedded={**embedded, embedder.model: newest})


def _write(weighing: RelevanceWeights, lessons: Sequence[LabelledLesson]) -> None:
    origin = (
        f"Fitted by `python -m benchmarks.relevance --fit` to {len(lessons)} labelled"
        " working conversations: lines that say what a question needs, prompts that need"
        " anything, turns that state nothing, and lines that change what was said;"
        " L2-regularised logistic regressions."
    )
    data = json.dumps(as_json(weighing, origin), indent=2) + "\n"
    file = Path(str(files("festinger.core.recollection"))) / "weights.json"
    file.write_text(data, encoding="utf-8")


def _print_told(told: Sequence[tuple[Moment, Sequence[str]]]) -> None:
    """Print prompts and what they were told; `+` marks what a question needs."""
    for moment, lines in told:
        asked, kind = moment.asked, "?" if "needs" in moment.asked else "quiet"
        print(f"\n[{kind}] {asked['speaker']} ({asked['project']}): {asked['prompt']}")
        for line in lines:
            needed = "+" if moment.talk.needs_met(asked, line) else " "
            print(f"  {needed} {line}")
        met = {it for line in lines for it in moment.talk.needs_met(asked, line)}
        for label in moment.talk.data["facts"]:
            if label["id"] in set(asked.get("needs", ())) - met:
                print(f"  - {label['quote']}")


if __name__ == "__main__":
    main()
