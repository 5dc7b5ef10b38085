"""BEAM: one user's work with an assistant, of up to ten million tokens.

    python -m benchmarks.beam --data chats/100K [--embed URL MODEL]
        [--model URL MODEL --answers FILE]

The folder holds one for each conversation, with `chat.json` (batches of turns) and
`probing_questions/probing_questions.json`, whose `source_chat_ids` name the turns that
answer. Those of the assistant are not kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.histories import History, HistoryQuestion, HistoryTurn, run

ANSWERS = ("answer", "ideal_answer", "ideal_response", "ideal_summary")
_MARK = re.compile(r"\s*->->.*\Z", re.DOTALL)
"""What the data set's makers left behind a message."""


def read(path: Path) -> Iterator[History]:
    """Yield the conversations below a folder."""
    for file in sorted(path.rglob("chat.json")):
        batches = json.loads(file.read_text(encoding="utf-8"))
        asked = file.parent / "probing_questions" / "probing_questions.json"
        by_kind = json.loads(asked.read_text(encoding="utf-8"))
        questions = [
            HistoryQuestion(
                f"{file.parent.name}-{kind}-{at}",
                it["question"],
                kind,
                [str(it[key]) for key in ANSWERS if key in it],
                frozenset(_ids(it.get("source_chat_ids", ()))),
            )
            for kind, found in by_kind.items()
            for at, it in enumerate(found)
        ]
        yield History(list(_turns(batches)), questions)


def _turns(batches: Sequence[dict[str, Any]]) -> Iterator[HistoryTurn]:
    said = 0.0
    for batch in batches:
        if "turns" not in batch:  # the longest have plans, with batches of their own
            for plan in filter(None, batch.values()):
                yield from _turns(plan)
            continue
        for turn in (it for group in batch["turns"] for it in group):
            if anchor := turn.get("time_anchor"):
                said = max(said, _time(anchor))
            said += 1
            yield HistoryTurn(
                str(turn["id"]),
                turn["role"],
                _MARK.sub("", turn["content"]),
                role=turn["role"],
                session=str(batch["batch_number"]),
                said=said,
            )


def _ids(found: Any) -> Iterator[str]:
    """Yield the turns of a list, or of lists by what they say."""
    if isinstance(found, dict):
        found = list(found.values())
    if isinstance(found, list):
        for each in found:
            yield from _ids(each)
    elif found != ():
        yield str(found)


def _time(text: str) -> float:
    """Return the time of an anchor; 0 for none that is a date. Example: `March-15-2024`."""
    try:
        found = datetime.strptime(text, "%B-%d-%Y")
    except ValueError:
        return 0.0
    return found.replace(tzinfo=UTC).timestamp()


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    run(read, __doc__, arguments)


if __name__ == "__main__":
    main()
