"""Fits what recollection judges by to labelled conversations.

Each judgement is a logistic function of plain features, held small by an L2 penalty
(`ranking.py`). The gate is fitted to variants of the conversations (`variants.py`) and to
prompts for any model (`general.py`) besides. What it must say is set so that of the quiet
prompts of conversations it was not fitted to a given share is disturbed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from benchmarks.embedding import TextEmbedder
from benchmarks.general import fit_general, play_general
from benchmarks.playing import Moment, play, play_follow_ups
from benchmarks.ranking import Cases, RankedCases, held_out
from benchmarks.reading import SimulatedModel
from benchmarks.talks import LabelledTalk, covered, stems
from benchmarks.variants import variants
from festinger.core.graph.origins import StatementOrigin, StatementReader
from festinger.core.lines.index import LineIndex
from festinger.core.lines.line import IndexedLine, LineKind
from festinger.core.lines.quotes import word
from festinger.core.recollection.features import (
    EMBEDDED,
    GATE,
    GENERAL,
    LINE,
    STATEMENT,
    STATEMENT_SUCCESSOR,
    SUCCESSOR,
)
from festinger.core.recollection.gate import evidence, values_of_lines, values_of_prompt
from festinger.core.recollection.scoring import ScoredLine, score
from festinger.core.recollection.succession import EarlierLine
from festinger.core.recollection.weighing import Logistic, RelevanceWeights

LINE_PENALTY, GATE_PENALTY, SUCCESSOR_PENALTY = 10.0, 300.0, 1.0
"""L2, on standardised features; the sum of the losses is what it is added to."""
QUIET_DISTURBED = 0.16
"""Of quiet prompts that the gate was not fitted to: so many may be told something."""
LATER_FROM = 0.2
"""How likely a later line must be to change an earlier one, to be told with it."""
TOLD_LATER_FROM = 0.05
"""The same to doubt the earlier one, where both are told anyway."""
LEAST, SHARE = 0.01, 0.07
"""How likely a line must be to be told, and of the best line's odds the share of its own."""
EVEN = 0.5
"""How likely what knows nothing says that anything is."""
SAID = 0.6
"""Of the stems of a fact's words: a line that has so many of them says it."""
EMBEDDED_ORIGIN = "Lines fitted to such conversations with this model's vectors; the gate is the newest."

Player = Callable[[LabelledTalk, SimulatedModel, TextEmbedder | None], Iterator[Moment]]
"""What asks prompts within a conversation that something reads."""

NOTHING_KNOWN = RelevanceWeights(
    Logistic(0.0, (0.0,) * len(LINE)),
    Logistic(0.0, (0.0,) * len(STATEMENT)),
    Logistic(0.0, (0.0,) * len(GATE)),
    Logistic(0.0, (0.0,) * len(GENERAL)),
    Logistic(0.0, (0.0,) * len(SUCCESSOR)),
    Logistic(0.0, (0.0,) * len(STATEMENT_SUCCESSOR)),
    0.0,
    1.0,
    LATER_FROM,
    TOLD_LATER_FROM,
    LEAST,
    SHARE,
)
"""What judges everything alike."""


@dataclass(frozen=True, slots=True)
class LabelledPrompt:
    """A question or a quiet prompt, with the lines that share words with it.

    Attributes:
        model: What reads the conversation.
        needs: Whether it is a question.
        scored: The lines, each as likely as any other of its project.
        helps: Whether each says something that it needs.
        alike: Its features, if all lines were as likely.
    """

    model: SimulatedModel
    needs: bool
    scored: Sequence[ScoredLine]
    helps: Sequence[bool]
    alike: Sequence[float]

    def values(self, weighing: RelevanceWeights) -> Sequence[float]:
        """Return its features (`features.GATE`).

        Args:
            weighing: What lines are judged by.
        """
        scored = [
            it._replace(
                probability=weighing.of(it.line).probability(it.values)
                * (it.probability / EVEN),
            )
            for it in self.scored
        ]
        scored.sort(key=lambda it: (it.probability, it.line.number), reverse=True)
        return (*values_of_lines(scored), *self.alike[len(values_of_lines(())) :])


class LabelledLesson:
    """Lesson of one conversation.

    Args:
        talk: It is played several times.
        models: What reads it, each in its turn.
        embedder: Embeds lines and prompts; None for no embeddings.
    """

    def __init__(
        self,
        talk: LabelledTalk,
        models: Sequence[SimulatedModel] = tuple(SimulatedModel),
        embedder: TextEmbedder | None = None,
    ) -> None:
        self.talk = talk
        self._models = models
        self.embedder = embedder

    @cached_property
    def _prompts(self) -> list[LabelledPrompt]:
        """The prompts, each as often as there is something that reads."""
        return self._labelled(play)

    @cached_property
    def _general(self) -> list[LabelledPrompt]:
        """Prompts that any model answers alone, within the conversation."""
        return self._labelled(play_general)

    @cached_property
    def _follow_ups(self) -> list[LabelledPrompt]:
        """Its prompts as follow-ups, and those of a chat that need nothing."""
        return self._labelled(play_follow_ups)

    def _labelled(self, player: Player) -> list[LabelledPrompt]:
        return [
            _labelled(moment, model)
            for model in self._models
            for moment in player(self.talk, model, self.embedder)
        ]

    @cached_property
    def lines(self) -> RankedCases:
        """Lines considered for a question, and whether they say what it needs."""
        return self._ranked(stated=False)

    @cached_property
    def statements(self) -> RankedCases:
        """The same of statements that were read from words."""
        return self._ranked(stated=True)

    def _ranked(self, *, stated: bool) -> RankedCases:
        cases = RankedCases()
        for prompt in self._prompts:
            # What people said is the same, whatever reads it.
            if prompt.needs and stated is (prompt.model is not SimulatedModel.NONE):
                cases.add(
                    (each.values, helps)
                    for each, helps in zip(prompt.scored, prompt.helps, strict=True)
                    if stated is (each.line.origin is not None)
                )
        return cases

    @cached_property
    def successors(self) -> Cases:
        """Pairs of a line that says a fact and a later one, and whether that changes it."""
        return self._later(stated=False)

    @cached_property
    def statement_successors(self) -> Cases:
        """The same of statements that were read from the lines."""
        return self._later(stated=True)

    def _later(self, *, stated: bool) -> Cases:
        cases = Cases()
        index = LineIndex()
        for moment in play(self.talk):
            index = moment.index
        for label in self.talk.data["facts"]:
            changes = [
                stems(change["quote"])
                for change in self.talk.data["changes"]
                if change["old"] == label["id"]
            ]
            quoted = stems(label["quote"])
            lines = [
                line
                for line in index.sources.recent()
                if covered(quoted, stems(line.text)) >= SAID
            ]
            if stated:
                # Others repeat it; it is read from the one that says it first.
                lines = [_statement(line, label) for line in lines[-1:]]
            for line in lines:
                earlier = EarlierLine(index, line)
                for later, text in earlier.later():
                    there = stems(later.text)
                    changed = any(covered(it, there) >= SAID for it in changes)
                    cases.add(earlier.values(text), changed)
        return cases

    @cached_property
    def _variants(self) -> list[LabelledPrompt]:
        """The prompts of the conversation's variants."""
        return [
            prompt
            for talk in variants(self.talk)
            for prompt in LabelledLesson(talk, self._models, self.embedder)._prompts
        ]

    def prompts(self, weighing: RelevanceWeights, *, varied: bool = False) -> Cases:
        """Prompt, and whether they need anything.

        Args:
            weighing: What lines are judged by.
            varied: Whether those of the conversation's variants are among them,
                general ones, and follow-ups.
        """
        cases = Cases()
        others = [*self._variants, *self._general, *self._follow_ups] if varied else []
        for prompt in [*self._prompts, *others]:
            cases.add(prompt.values(weighing), prompt.needs)
        return cases


def fit(lessons: Sequence[LabelledLesson]) -> RelevanceWeights:
    """Return the weighing that judges best what is known of some conversations."""
    lines = replace(
        NOTHING_KNOWN,
        line=RankedCases.joined([it.lines for it in lessons]).fit(LINE_PENALTY),
        statement=RankedCases.joined([it.statements for it in lessons]).fit(
            LINE_PENALTY
        ),
    )
    prompts = [it.prompts(lines) for it in lessons]
    varied = [it.prompts(lines, varied=True) for it in lessons]
    general, general_from = fit_general([it.talk for it in lessons])
    return replace(
        lines,
        gate=Cases.joined(varied).fit(GATE_PENALTY),
        general=general,
        successor=Cases.joined([it.successors for it in lessons]).fit(
            SUCCESSOR_PENALTY
        ),
        statement_successor=Cases.joined(
            [it.statement_successors for it in lessons]
        ).fit(SUCCESSOR_PENALTY),
        open_from=_open_from(prompts, varied),
        general_from=general_from,
    )


def as_json(weighing: RelevanceWeights, origin: str) -> dict[str, Any]:
    """Return the contents of a file of weights.

    Args:
        origin: Where the weights are from, for people.
    """

    return {
        "origin": origin,
        "line": named(weighing.line, LINE),
        "statement": named(weighing.statement, STATEMENT),
        "gate": named(weighing.gate, GATE),
        "general": named(weighing.general, GENERAL),
        "successor": named(weighing.successor, SUCCESSOR),
        "statement_successor": named(weighing.statement_successor, STATEMENT_SUCCESSOR),
        "thresholds": {
            "gate": round(weighing.open_from, 4),
            "general": round(weighing.general_from, 4),
            "successor": weighing.later_from,
            "told_successor": weighing.told_later_from,
            "least": weighing.least,
            "share": weighing.share,
        },
        "embedded": {
            model: _embedded_as_json(weights)
            for model, weights in weighing.embedded.items()
        },
    }


def _embedded_as_json(weighing: RelevanceWeights) -> dict[str, Any]:
    """Return the part of a file of weights for prompts with an embedding."""
    return {
        "origin": EMBEDDED_ORIGIN,
        "line": named(weighing.line, (*LINE, *EMBEDDED)),
        "statement": named(weighing.statement, (*STATEMENT, *EMBEDDED)),
        "gate": named(weighing.gate, GATE),
        "thresholds": {
            "gate": round(weighing.open_from, 4),
            "share": weighing.share,
        },
    }


def named(function: Logistic, names: Sequence[str]) -> dict[str, Any]:
    """Return a function as a file of weights holds it."""
    weights = {
        name: round(weight, 4)
        for name, weight in zip(names, function.weights, strict=True)
    }
    return {"bias": round(function.bias, 4), "weights": weights}


def left_out(
    lessons: Sequence[LabelledLesson],
) -> Iterator[tuple[LabelledLesson, RelevanceWeights]]:
    """Return each conversation with what was fitted to all the others."""
    for lesson in lessons:
        yield lesson, fit([it for it in lessons if it is not lesson])


def _labelled(moment: Moment, model: SimulatedModel) -> LabelledPrompt:
    """Return a prompt with the lines that are considered for it."""
    found = score(moment.index, moment.query, NOTHING_KNOWN)
    scored = evidence(found, moment.present)
    needs = "needs" in moment.asked
    helps = [needs and _helps(moment, it.line) for it in scored]
    values = values_of_prompt(moment.index, moment.query, scored)
    return LabelledPrompt(model, needs, scored, helps, values)


def _statement(line: IndexedLine, label: dict[str, Any]) -> IndexedLine:
    """Return the statement of a label, as a model reads it from a line."""
    origin = StatementOrigin(
        label["quote"],
        line.speaker,
        line.speaker,
        line.project,
        line.session,
        line.said,
        line.digest,
        StatementReader.MODEL,
    )
    text = f"{label['subject']}: [{label['predicate']}] {label['value']}"
    return replace(line, kind=LineKind.STATEMENT, text=text, heading="", origin=origin)


def _open_from(prompts: Sequence[Cases], varied: Sequence[Cases]) -> float:
    """Return the gate's threshold, judged by conversations that it was not fitted to.

    Args:
        prompts: The prompts of each conversation.
        varied: The same with those of its variants, to which the gate is fitted.
    """
    quiet = held_out(prompts, varied, GATE_PENALTY)
    return float(np.quantile(quiet, 1 - QUIET_DISTURBED)) if quiet else 0.5


def _helps(moment: Moment, line: IndexedLine) -> bool:
    """Return whether a line says something that a question needs."""
    asked, talk = moment.asked, moment.talk
    text = word(
        [line],
        asker=asked["speaker"],
        project=asked["project"] or "",
        now=moment.now,
    )
    if talk.needs_met(asked, text):
        return True
    there = stems(line.text)
    return any(covered(talk.facts[it].quote, there) >= SAID for it in asked["needs"])
