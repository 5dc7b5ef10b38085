"""Prompts that any model answers alone, as people send most of them.

Labelled conversations have few of them, and near to what was said in them. Fitted to
these alone, the gate opens to a third of all general knowledge.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Final

from benchmarks.embedding import TextEmbedder
from benchmarks.playing import Moment, play
from benchmarks.reading import SimulatedModel
from benchmarks.talks import LabelledTalk

_FOLDER: Final = Path(__file__).parent / "prompts"
FITTED: Final = _FOLDER / "general.txt"
KEPT_OUT: Final = _FOLDER / "general-kept-out.txt"
"""Prompts by an author of their own, to which nothing is fitted."""


@cache
def general_prompts(file: Path = FITTED) -> tuple[str, ...]:
    """Return the prompts of a file, one a line."""
    return tuple(filter(None, file.read_text("utf-8").splitlines()))


def play_general(
    talk: LabelledTalk,
    model: SimulatedModel = SimulatedModel.NONE,
    embedder: TextEmbedder | None = None,
    file: Path = FITTED,
) -> Iterator[Moment]:
    """Yield a prompt of a file at each moment at which a conversation has a prompt."""
    # The same for each model and at each run.
    random = Random(talk.name)
    for moment in play(talk, model, embedder):
        asked = {**moment.asked, "prompt": random.choice(general_prompts(file))}
        asked.pop("needs", None)
        yield replace(moment, asked=asked)
