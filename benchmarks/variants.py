"""Variants of labelled conversations: young memories, short prompts, no projects.

Labelled conversations are long, and their prompts too. Weights that are fitted to them
alone tell nothing in the first days of a memory, and nothing to a short prompt. Hence
each prompt is asked again behind a few of the turns before it, and once more with one of
its sentences, outside of any project.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from random import Random
from typing import Any

from benchmarks.talks import LabelledTalk, stems

TURNS = (5, 10)
"""Least and largest number of turns that people typed in a young memory."""
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")


def variants(talk: LabelledTalk) -> Iterator[LabelledTalk]:
    """The conversation once or twice more for each of its prompts, with that prompt."""
    random = Random(talk.name)
    for kind in ("questions", "quiet"):
        for asked in talk.data[kind]:
            turns = _some_turns(talk, asked, random)
            if not turns:
                continue
            yield _asked(talk, turns, kind, asked)
            if short := _shortened(talk, asked, random):
                plain = [{**turn, "project": None} for turn in turns]
                yield _asked(talk, plain, kind, short)


def _some_turns(
    talk: LabelledTalk, asked: dict[str, Any], random: Random
) -> list[dict[str, Any]]:
    """Some turns before a prompt, with all that it needs and all that changed that."""
    data = talk.data
    labels = {label["id"]: label for label in data["facts"]}
    concerned = {*asked.get("needs", ()), *asked.get("stale", ())}
    kept = {labels[it]["turn"] for it in concerned}
    kept |= {it["turn"] for it in data["changes"] if it["old"] in concerned}
    earlier = []
    for turn in data["turns"]:
        earlier.append(turn)
        if turn["id"] == asked["after"]:
            break
    others = [
        it["id"] for it in earlier if it["role"] == "user" and it["id"] not in kept
    ]
    wanted = max(TURNS[0] - 2, random.randint(*TURNS) - len(kept))
    kept.update(random.sample(others, min(len(others), wanted)))
    return [it for it in earlier if it["id"] in kept]


def _shortened(
    talk: LabelledTalk, asked: dict[str, Any], random: Random
) -> dict[str, Any] | None:
    """A prompt as one of its sentences; None if that shares nothing with its needs."""
    sentences = [
        it for it in _SENTENCE_END.split(asked["prompt"]) if len(it.split()) > 1
    ]
    if not sentences:
        return None
    plain = {**asked, "project": None}
    if "needs" not in asked:
        return {**plain, "prompt": random.choice(sentences)}
    facts = [talk.facts[it] for it in asked["needs"]]
    wanted = [(it.id, it.quote | it.subject) for it in facts]
    best = max(sentences, key=lambda it: max(_shared(it, words) for _, words in wanted))
    needs = [name for name, words in wanted if _shared(best, words)]
    return {**plain, "prompt": best, "needs": needs} if needs else None


def _shared(text: str, words: Set[str]) -> int:
    return len(stems(text) & words)


def _asked(
    talk: LabelledTalk, turns: list[dict[str, Any]], kind: str, asked: dict[str, Any]
) -> LabelledTalk:
    """Return a conversation of some turns, with a prompt at their end."""
    there = {turn["id"] for turn in turns}
    facts = [it for it in talk.data["facts"] if it["turn"] in there]
    known = {it["id"] for it in facts}
    data = {
        **talk.data,
        "turns": turns,
        "facts": facts,
        "changes": [
            it
            for it in talk.data["changes"]
            if it["turn"] in there and {it["old"], it["new"]} <= known | {None}
        ],
        "conflicts": [
            it for it in talk.data["conflicts"] if {it["held"], it["new"]} <= known
        ],
        "questions": [],
        "quiet": [],
        kind: [{**asked, "after": turns[-1]["id"]}],
    }
    return LabelledTalk(data, {it["id"]: talk.facts[it["id"]] for it in facts})
