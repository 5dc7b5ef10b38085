"""Several labelled conversations as one: people have one memory for everything.

Each labelled conversation is about one thing, and its memory holds nothing else. Whoever
talks to one agent about work, home and a hobby asks all of them of the same memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from benchmarks.talks import LabelledFact, LabelledTalk

APART: Final = timedelta(minutes=37)
"""Time from the beginning of one conversation to that of the next."""
_REFERENCES: Final = ("id", "turn", "session", "after", "old", "new", "held")
"""Keys whose values name something of the same conversation."""
_LISTS: Final = (
    "turns",
    "facts",
    "changes",
    "conflicts",
    "decoys",
    "questions",
    "quiet",
)


def joined(talks: Sequence[LabelledTalk]) -> LabelledTalk:
    """Return conversations as one, in the order of their times and outside of any project.

    They begin one after the other, so that their sessions alternate.
    """
    data: dict[str, Any] = {"name": "joined", **{key: [] for key in _LISTS}}
    for at, talk in enumerate(talks):
        first = datetime.fromisoformat(talk.data["turns"][0]["time"])
        start = datetime.fromisoformat(talks[0].data["turns"][0]["time"]) + at * APART
        for key in _LISTS:
            data[key] += [_moved(it, f"{at}-", start - first) for it in talk.data[key]]
    data["turns"].sort(key=lambda it: it["time"])
    speakers = {turn["id"]: turn["speaker"] for turn in data["turns"]}
    facts = {it["id"]: LabelledFact(it, speakers[it["turn"]]) for it in data["facts"]}
    return LabelledTalk(data, facts)


def _moved(item: dict[str, Any], prefix: str, later: timedelta) -> dict[str, Any]:
    """Return a turn or label with a prefix of its references, at another time."""
    moved = {key: prefix + item[key] for key in _REFERENCES if item.get(key)}
    for key in ("needs", "stale"):
        if key in item:
            moved[key] = [prefix + it for it in item[key]]
    if "time" in item:
        moved["time"] = (datetime.fromisoformat(item["time"]) + later).isoformat()
    if "project" in item:
        moved["project"] = None
    return {**item, **moved}
