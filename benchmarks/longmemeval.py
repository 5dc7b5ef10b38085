"""LongMemEval: one user's sessions with an assistant, a history for each question.

    python -m benchmarks.longmemeval --data longmemeval_s_cleaned.json
        [--embed URL MODEL] [--model URL MODEL --answers FILE]

The file is a list of instances with `haystack_sessions`, whose turns that hold the answer
have `has_answer`. What the assistant said is not kept, so that questions about it
(`single-session-assistant`) find nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.histories import History, HistoryQuestion, HistoryTurn, run


def read(path: Path) -> Iterator[History]:
    """Yield the instances of a file."""
    for instance in json.loads(path.read_text(encoding="utf-8")):
        turns = list(_turns(instance))
        marked = {
            turn.id: is_needed
            for turn, is_needed in zip(turns, _marks(instance), strict=True)
        }
        name, kind = instance["question_id"], instance["question_type"]
        question = HistoryQuestion(
            name,
            instance["question"],
            "abstention" if name.endswith("_abs") else kind,
            [str(instance["answer"])],
            frozenset(it for it, is_needed in marked.items() if is_needed),
            asked=_time(instance["question_date"]),
        )
        yield History(turns, [question])


def _turns(instance: dict[str, Any]) -> Iterator[HistoryTurn]:
    sessions = zip(
        instance["haystack_session_ids"],
        instance["haystack_dates"],
        instance["haystack_sessions"],
        strict=True,
    )
    for name, date, session in sessions:
        said = _time(date)
        for at, turn in enumerate(session):
            yield HistoryTurn(
                f"{name}:{at}",
                turn["role"],
                turn["content"],
                role=turn["role"],
                session=name,
                said=said + at,
            )


def _marks(instance: dict[str, Any]) -> Iterator[bool]:
    for session in instance["haystack_sessions"]:
        for turn in session:
            yield bool(turn.get("has_answer"))


def _time(text: str) -> float:
    """Return the time of a session. Example: `2023/05/20 (Sat) 02:21`."""
    day, _, clock = text.split()
    found = datetime.strptime(f"{day} {clock}", "%Y/%m/%d %H:%M")
    return found.replace(tzinfo=UTC).timestamp()


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    run(read, __doc__, arguments)


if __name__ == "__main__":
    main()
