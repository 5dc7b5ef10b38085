"""Long conversations with questions, and how much of what answers them is told.

The public data sets are not shipped. For each there is a module that reads its files:

    python -m benchmarks.locomo --data locomo10.json
    python -m benchmarks.longmemeval --data longmemeval_s_cleaned.json
    python -m benchmarks.beam --data chats/100K
    python -m benchmarks.memoryagentbench --data Conflict_Resolution.jsonl

What people type is kept as a server keeps it, without a model that reads. Each question is
asked once all is said. *Evidence told* is the share of the turns that a question needs of
which a sentence is told; *answers told* that of the short answers whose words are told in
a row: neither needs a judge. `--embed URL MODEL` finds by embeddings, too. `--model URL
MODEL` has a model of an Ollama answer from what is told and writes that to `--answers`, a
line of JSON a question, which the data set's own judge reads.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import TextIO
from urllib.request import Request, urlopen

from rich.console import Console
from rich.table import Table

from benchmarks.embedding import UpstreamEmbedder
from benchmarks.playing import TRUST, everyday_words
from festinger.core.language.turns import Role, Turn
from festinger.core.lines.index import LineIndex
from festinger.core.lines.line import LineKind
from festinger.core.lines.turns import lines_of
from festinger.core.recollection.choosing import tokens_of
from festinger.core.recollection.reading import Reader
from festinger.core.recollection.recall import RecallRequest, RecallResult, recall
from festinger.core.system.preferences import Preferences
from festinger.core.system.secrets import redact
from festinger.services.language.keeping import spoken_turns

SECONDS_MAX = 300.0
"""The time that a model may take to answer."""
SHORT_WORDS_MAX = 5
"""Longer answers are seldom told word by word."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class HistoryTurn:
    """Turn of a history.

    Attributes:
        id: By which questions name it.
        role: `user` for a person.
        said: In seconds since the epoch; 0 if unknown.
    """

    id: str
    speaker: str
    text: str
    role: str = "user"
    session: str = ""
    said: float = 0.0


@dataclass(frozen=True, slots=True)
class HistoryQuestion:
    """A question about a history.

    Attributes:
        kind: As the data set calls it.
        answers: Each of which is right.
        evidence: Turns that it needs; none where the data set does not say.
        asked: In seconds since the epoch; 0 for the end of the history.
    """

    id: str
    text: str
    kind: str
    answers: Sequence[str] = ()
    evidence: frozenset[str] = frozenset()
    asker: str = "user"
    asked: float = 0.0


@dataclass(frozen=True, slots=True)
class History:
    """A conversation over any number of sessions, and the questions about it."""

    turns: Sequence[HistoryTurn]
    questions: Sequence[HistoryQuestion]


@dataclass(slots=True)
class Answering:
    """Results of all questions.

    Attributes:
        counts: By the kind of question.
        seconds: Of each question.
    """

    counts: dict[str, Counter[str]] = field(
        default_factory=lambda: defaultdict(Counter)
    )
    seconds: list[float] = field(default_factory=list)


def keep(turns: Iterable[HistoryTurn]) -> tuple[LineIndex, dict[int, str]]:
    """Return an index of what people typed, and the turn of each of its sources."""
    index = LineIndex()
    ids: dict[int, str] = {}
    before: dict[str, Turn] = {}
    for turn in turns:
        newest = Turn(Role(turn.role), redact(turn.text))
        earlier = before.get(turn.session)
        history = [earlier, newest] if earlier else [newest]
        before[turn.session] = newest._replace(seen=True)
        if newest.role is not Role.USER:
            continue
        reader = Reader(TRUST, turn.speaker, turn.speaker)
        for spoken in spoken_turns(
            history, reader, project="", session=turn.session, now=turn.said
        ):
            number = len(ids) + 1
            ids[number] = turn.id
            index.sources.put(
                LineKind.UTTERANCE, number, lines_of(replace(spoken, id=number))
            )
    return index, ids


def measure(
    histories: Iterable[History],
    embedder: UpstreamEmbedder | None = None,
    answer: Callable[[HistoryQuestion, str], None] | None = None,
) -> Answering:
    """Ask all questions, and count what is told.

    Args:
        embedder: Embeds lines and questions; None for no embeddings.
        answer: Is given each question with what is told of it.
    """
    found = Answering()
    for history in histories:
        index, ids = keep(history.turns)
        if embedder:
            embedder.fill(index)
        last = max((turn.said for turn in history.turns), default=0.0)
        for question in history.questions:
            told, seconds = _ask(index, question, question.asked or last, embedder)
            found.seconds.append(seconds)
            text = "\n".join(line.text for line in told.lines)
            turns = {
                ids[int(str(line.key))] for it in told.choices for line in it.lines
            }
            found.counts[question.kind].update(_count(question, turns, text))
            if answer:
                answer(question, text)
    return found


def _ask(
    index: LineIndex,
    question: HistoryQuestion,
    now: float,
    embedder: UpstreamEmbedder | None,
) -> tuple[RecallResult, float]:
    embedding = embedder.embed(question.text) if embedder else None
    started = perf_counter()
    told = recall(
        index,
        RecallRequest(question.text, asker=question.asker, embedding=embedding),
        dictionary=everyday_words(),
        tokens=Preferences().recollection_tokens,
        now=now,
    )
    return told, perf_counter() - started


def _count(question: HistoryQuestion, turns: set[str], text: str) -> Counter[str]:
    short = [it for it in map(_plain, question.answers) if it]
    short = [it for it in short if len(it.split()) <= SHORT_WORDS_MAX]
    there = f" {_plain(text)} "
    return Counter(
        questions=1,
        evidence=len(question.evidence),
        evidence_told=len(question.evidence & turns),
        short=bool(short),
        short_told=any(f" {it} " in there for it in short),
        tokens=tokens_of(text),
    )


def _plain(text: str) -> str:
    return " ".join(_WORD.findall(text.lower()))


class AnsweringModel:
    """A model of an Ollama, which answers from what is told.

    Args:
        file: Gets a line a question.
    """

    def __init__(self, url: str, model: str, file: TextIO) -> None:
        self._url, self._model, self._file = url, model, file

    def __call__(self, question: HistoryQuestion, told: str) -> None:
        """Have a question answered."""
        messages = [
            {"role": "system", "content": f"What was said earlier:\n{told}"},
            {"role": "user", "content": question.text},
        ]
        body = {"model": self._model, "messages": messages, "stream": False}
        request = Request(
            f"{self._url}/api/chat",
            json.dumps(body).encode(),
            {"Content-Type": "application/json"},
        )
        with urlopen(request, timeout=SECONDS_MAX) as response:
            said = json.load(response)["message"]["content"]
        line = {"question_id": question.id, "hypothesis": said}
        print(json.dumps(line), file=self._file, flush=True)


def table(found: Answering) -> Table:
    """Return the figures, by the kind of question and of all."""
    shown = Table("kind", "questions", "evidence told", "answers told", "tokens")
    whole: Counter[str] = Counter()
    for count in found.counts.values():
        whole.update(count)
    for kind, count in [*sorted(found.counts.items()), ("all", whole)]:
        shown.add_row(
            kind,
            f"{count['questions']:,}",
            _share(count["evidence_told"], count["evidence"]),
            _share(count["short_told"], count["short"]),
            f"{count['tokens'] / (count['questions'] or 1):.0f}",
        )
    return shown


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.2f} of {whole:,}" if whole else "-"


def run(
    read: Callable[[Path], Iterator[History]],
    description: str | None,
    arguments: Sequence[str] | None = None,
) -> None:
    """The command of a data set.

    Args:
        read: Yields the histories of a file or folder.
        description: What the data set is.
        arguments: Those of the command; None for the process's.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--data", type=Path, help="where its files are")
    parser.add_argument(
        "--embed",
        help="what embeds lines and questions",
        nargs=2,
        metavar=("URL", "MODEL"),
    )
    parser.add_argument(
        "--model",
        help="what answers from what is told",
        nargs=2,
        metavar=("URL", "MODEL"),
    )
    parser.add_argument("--answers", type=Path, help="file for the answers (JSONL)")
    options = parser.parse_args(arguments)
    if bool(options.model) != bool(options.answers):
        parser.error("--model and --answers belong together: give both, or neither")
    if options.data is None or not options.data.exists():
        print(
            f"SKIPPED: no data at {options.data}. It is not shipped.", file=sys.stderr
        )
        return
    everyday_words()
    embedder = UpstreamEmbedder(*options.embed) if options.embed else None
    with ExitStack() as stack:
        model = None
        if options.model:
            file = stack.enter_context(options.answers.open("w", encoding="utf-8"))
            url, name = options.model
            model = AnsweringModel(url, name, file)
        found = measure(read(options.data), embedder, model)
    console = Console(width=100)
    console.print(table(found))
    if len(found.seconds) > 1:
        *_, p90 = cuts = quantiles(found.seconds, n=10)
        console.print(
            f"{1000 * cuts[4]:.1f} ms a question (p50), {1000 * p90:.1f} (p90)"
        )
