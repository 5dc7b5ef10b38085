"""LoCoMo: two people talk for months; questions name the turns that answer them.

    python -m benchmarks.locomo --data locomo10.json [--embed URL MODEL]
        [--model URL MODEL --answers FILE]

The file is a list of samples with `conversation` (`session_1`, `session_1_date_time` …)
and `qa`. Both speakers are people, and either may ask.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.histories import History, HistoryQuestion, HistoryTurn, run

KINDS = {
    1: "multi-hop",
    2: "temporal",
    3: "open-domain",
    4: "single-hop",
    5: "adversarial",
}
_SESSION = re.compile(r"session_(\d+)")
_TURN = re.compile(r"D\d+:\d+")


def read(path: Path) -> Iterator[History]:
    """Yield the conversations of a file."""
    for number, sample in enumerate(json.loads(path.read_text(encoding="utf-8"))):
        talk = sample["conversation"]
        name = sample.get("sample_id", number)
        questions = [
            _question(f"{name}-{at}", it, talk["speaker_a"])
            for at, it in enumerate(sample["qa"])
        ]
        yield History(list(_turns(talk)), questions)


def _turns(talk: dict[str, Any]) -> Iterator[HistoryTurn]:
    sessions = (int(it[1]) for key in talk if (it := _SESSION.fullmatch(key)))
    for number in sorted(sessions):
        session = f"session_{number}"
        said = _time(talk[f"{session}_date_time"])
        for at, turn in enumerate(talk[session]):
            text, shown = turn["text"], turn.get("blip_caption")
            yield HistoryTurn(
                turn["dia_id"],
                turn["speaker"],
                f"{text} I share a picture of {shown}." if shown else text,
                session=session,
                said=said + at,
            )


def _question(name: str, found: dict[str, Any], asker: str) -> HistoryQuestion:
    # Some name several turns in one string.
    evidence = frozenset(_TURN.findall(" ".join(found.get("evidence", ()))))
    # What an adversarial question would have one say is none.
    answers = [str(found["answer"])] if "answer" in found else []
    kind = KINDS[found["category"]]
    return HistoryQuestion(
        name, found["question"], kind, answers, evidence, asker=asker
    )


def _time(text: str) -> float:
    """Return the time of a session. Example: `1:56 pm on 8 May, 2023`."""
    return (
        datetime.strptime(text.upper(), "%I:%M %p ON %d %B, %Y")
        .replace(tzinfo=UTC)
        .timestamp()
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    run(read, __doc__, arguments)


if __name__ == "__main__":
    main()
