"""MemoryAgentBench: one long text, told piece by piece, and many questions about it.

    python -m benchmarks.memoryagentbench --data Conflict_Resolution.jsonl
        [--embed URL MODEL] [--model URL MODEL --answers FILE]

The file has a row a line (JSON), as `datasets` exports it: `context`, `questions`,
`answers` (a list of right ones for each question) and `metadata` with `source` and
`qa_pair_ids`. No turn is marked as the one that answers, so that only answers are counted.
Each line of the text is a message that a person types.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.histories import History, HistoryQuestion, HistoryTurn, run
from benchmarks.plain import SENTENCE_END


def read(path: Path) -> Iterator[History]:
    """Yield the rows of a file."""
    with path.open(encoding="utf-8") as rows:
        for number, row in enumerate(rows):
            yield _history(number, json.loads(row))


def _history(number: int, row: dict[str, Any]) -> History:
    pieces = filter(None, map(str.strip, SENTENCE_END.split(row["context"])))
    turns = [
        HistoryTurn(str(at), "user", text, said=float(at))
        for at, text in enumerate(pieces)
    ]
    metadata = row["metadata"]
    names = metadata.get("qa_pair_ids") or range(len(row["questions"]))
    questions = [
        HistoryQuestion(
            f"{number}-{name}",
            text,
            metadata["source"],
            [answers] if isinstance(answers, str) else [str(it) for it in answers],
        )
        for name, text, answers in zip(
            names, row["questions"], row["answers"], strict=True
        )
    ]
    return History(turns, questions)


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    run(read, __doc__, arguments)


if __name__ == "__main__":
    main()
