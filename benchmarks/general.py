"""Prompts that any model answers alone, as people send most of them.

Labelled conversations have few of them, and near to what was said in them. Fitted to
these alone, the gate opens to a third of all general knowledge. They teach besides which
turns state nothing to keep.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Final

import numpy as np

from benchmarks.embedding import TextEmbedder
from benchmarks.playing import Moment, play
from benchmarks.ranking import FOLDS, Cases, held_out
from benchmarks.reading import SimulatedModel
from benchmarks.talks import LabelledTalk
from festinger.core.language.utterances import read_turn
from festinger.core.recollection.generalprompts import (
    states_by_form,
    values_of_turn,
)
from festinger.core.recollection.weighing import Logistic
from festinger.core.system.secrets import redact

_FOLDER: Final = Path(__file__).parent / "prompts"
FITTED: Final = _FOLDER / "general.txt"
KEPT_OUT: Final = _FOLDER / "general-kept-out.txt"
"""Prompts by an author of their own, to which nothing is fitted."""
NOTES: Final = _FOLDER / "notes.txt"
"""Short notes that state a fact without a verb."""
NOTES_KEPT_OUT: Final = _FOLDER / "notes-kept-out.txt"
"""Notes by an author of their own, to which nothing is fitted."""
_PENALTY: Final = 100.0
"""L2 of the weights of standardised features of a turn."""
_TURNS_LOST: Final = 0.04
"""Of turns that state a fact, though not by their form: so many may be dropped."""


@cache
def prompts_in(file: Path = FITTED) -> tuple[str, ...]:
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
        asked = {**moment.asked, "prompt": random.choice(prompts_in(file))}
        asked.pop("needs", None)
        yield replace(moment, asked=asked)


def fit_general(talks: Sequence[LabelledTalk]) -> tuple[Logistic, float]:
    """Return the function that tells general prompts from statements, and its threshold."""
    general = Cases()
    for prompt in prompts_in():
        _add(general, prompt, is_general=True)
    parts = [*map(_turns, talks), *_notes()]
    stating = held_out(parts, parts, _PENALTY, [general])
    threshold = float(np.quantile(stating, 1 - _TURNS_LOST)) if stating else 1.0
    return Cases.joined([general, *parts]).fit(_PENALTY), threshold


def _notes() -> Iterator[Cases]:
    """Yield the notes in as many parts as there are folds."""
    notes = prompts_in(NOTES)
    for fold in range(FOLDS):
        cases = Cases()
        for note in notes[fold::FOLDS]:
            _add(cases, note, is_general=False)
        yield cases


def _turns(talk: LabelledTalk) -> Cases:
    """Return the turns of a conversation that state a fact, and its quiet prompts.

    The other turns are general where everything is labelled that people stated.
    """
    cases = Cases()
    stating = {it["turn"] for key in ("facts", "changes") for it in talk.data[key]}
    plain = talk.plain_turns
    answered: dict[str, str] = {}
    for turn in talk.data["turns"]:
        before = answered.pop(turn["session"], "")
        if turn["role"] == "assistant":
            answered[turn["session"]] = turn["text"]
        elif turn["id"] in stating:
            _add(cases, turn["text"], before, is_general=False)
        elif turn["id"] in plain:
            _add(cases, turn["text"], before, is_general=True)
    for quiet in talk.data["quiet"]:
        _add(cases, quiet["prompt"], is_general=True)
    return cases


def _add(cases: Cases, text: str, answered: str = "", *, is_general: bool) -> None:
    """Add a turn, unless its form decides already."""
    text, answered = redact(text), redact(answered)
    kept = read_turn(text, answered)
    if kept.utterances and not states_by_form(text, kept, answered):
        cases.add(values_of_turn(text, kept, answered), is_general)
