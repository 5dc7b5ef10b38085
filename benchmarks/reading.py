"""A simulated reader: what a model reads out of turns, made from the labels.

A perfect one finds every labelled fact of a turn, names what it changes as it is held, and
invents nothing. A noisy one leaves a quarter out, takes one value in ten for another, names
wrong statements as replaced, and takes some decoys for facts. What it finds is held as the
gate would hold it: a change closes what it changes, a conflict waits.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from benchmarks.talks import LabelledTalk
from festinger import _fast
from festinger.core.graph.conflicts import Clash, PendingConflicts
from festinger.core.graph.origins import (
    StatementKind,
    StatementOrigin,
    StatementReader,
)
from festinger.core.graph.outcome import ASSERTED
from festinger.core.graph.tokens import SCOPE
from festinger.core.language.marks import SentenceMark, marks_of
from festinger.core.lines.index import LineIndex
from festinger.core.lines.originlines import OriginLines
from festinger.core.lines.turns import SpokenTurn
from festinger.core.system.secrets import redact

LEFT_OUT, WRONG_VALUE, REWORDED, WRONG_REPLACES = 0.25, 0.1, 0.1, 0.05
"""Of what a noisy reader finds."""
DECOYS_TAKEN = 0.3
VALUE_WORDS_MAX = 8
"""A longer value is no value; its sentence is told instead."""
SOURCE = 0
"""Of the edges: nothing here asks where they are from."""


class SimulatedModel(StrEnum):
    """Model that reads with given rates of error."""

    NONE = "none"
    ORACLE = "oracle"
    NOISY = "noisy"


@dataclass(frozen=True, slots=True)
class _Found:
    """A statement that was read.

    Attributes:
        fact: The label's id; empty for a decoy.
        ends: The fact that holds no more because of it; empty for none.
        against: The fact that cannot hold beside it, without anybody having said that
            anything changed; empty for none.
        wrongly: Whether it names another statement than `ends` as replaced.
    """

    quote: str
    subject: str
    predicate: str
    value: str
    kind: StatementKind
    fact: str = ""
    ends: str = ""
    against: str = ""
    negated: bool = False
    wrongly: bool = False


class SimulatedReader:
    """Reads the turns of one conversation, and holds what it found.

    Args:
        index: Gets the lines of what is held.
        model: How well it reads.
    """

    def __init__(
        self, talk: LabelledTalk, index: LineIndex, model: SimulatedModel
    ) -> None:
        self._talk = talk
        self._is_noisy = model is SimulatedModel.NOISY
        self._is_off = model is SimulatedModel.NONE
        self._dice = random.Random(7)
        self._vocabulary = _fast.Vocabulary()
        self._conflicts = PendingConflicts()
        self._origins: dict[int, StatementOrigin] = {}
        self._lines = OriginLines(
            self._vocabulary, self._conflicts, self._origins, index.sources.turn_of
        )
        if not self._is_off:
            index.read = self._lines
            self._lines.vectors = index.vectors
        self._edges: dict[int, list[_fast.Edge]] = {}
        self._held: dict[str, _fast.Edge] = {}
        self.contradicted: set[str] = set()
        """Facts that ended or are in dispute because of a later one."""
        self._numbers = 0

    def read(self, turn: dict[str, Any], spoken: SpokenTurn) -> SpokenTurn:
        """Read a turn that a person typed.

        Args:
            turn: As it stands in the file.
            spoken: As it is kept.

        Returns:
            It as it is kept once it was read.
        """
        if self._is_off:
            return spoken
        quotes = []
        for found in self._found(turn):
            if self._is_noisy and self._dice.random() < LEFT_OUT:
                continue
            spoilt = self._spoilt(found) if self._is_noisy else found
            if spoilt is not None:
                quotes.append(spoilt.quote)
                self._hold(spoilt, spoken)
        return spoken.marked_unstated(quotes)

    def _found(self, turn: dict[str, Any]) -> Iterator[_Found]:
        """Yield what a perfect reader finds, with the decoys that a noisy one takes."""
        data, text = self._talk.data, redact(turn["text"])
        ends = {it["new"]: it["old"] for it in data["changes"] if it["new"]}
        against = {it["new"]: it["held"] for it in data["conflicts"]}
        for label in data["facts"]:
            if label["turn"] == turn["id"] and label["quote"] in text:
                old, denied = ends.get(label["id"], ""), against.get(label["id"], "")
                yield replace(self._of(label, old or denied), ends=old, against=denied)
        for change in data["changes"]:
            if change["turn"] == turn["id"] and change["new"] is None:
                label = self._label(change["old"])
                yield replace(
                    self._of(label, change["old"]),
                    quote=change["quote"],
                    ends=change["old"],
                    negated=True,
                )
        if self._is_noisy:
            for decoy in data["decoys"]:
                taken = decoy["turn"] == turn["id"] and decoy["quote"] in text
                if taken and self._dice.random() < DECOYS_TAKEN:
                    quote = decoy["quote"]
                    kind = StatementKind.FACT
                    yield _Found(quote, turn["speaker"], "says", quote[:60], kind)

    def _label(self, fact: str) -> dict[str, Any]:
        labels: list[dict[str, Any]] = self._talk.data["facts"]
        return next(it for it in labels if it["id"] == fact)

    def _of(self, label: dict[str, Any], known: str) -> _Found:
        """Return what a label says, in the words of what is held of the same."""
        named = self._label(known) if known in self._held else label
        return _Found(
            label["quote"],
            named["subject"],
            named["predicate"],
            label["value"],
            StatementKind(label["kind"]),
            label["id"],
        )

    def _spoilt(self, found: _Found) -> _Found | None:
        """Return what a noisy reader makes of it; None for what nobody believes."""
        luck = self._dice.random()
        if luck < WRONG_VALUE:
            if re.search(r"\d", found.value):
                return replace(found, value=re.sub(r"\d", "7", found.value), fact="")
            # Nothing in the turn covers it: it waits.
            return None
        if luck < WRONG_VALUE + REWORDED:
            return None  # no words of the turn
        if luck < WRONG_VALUE + REWORDED + WRONG_REPLACES and self._held:
            wrong = self._dice.choice(list(self._held))
            return replace(found, ends=wrong, wrongly=True)
        return found

    def _hold(self, found: _Found, spoken: SpokenTurn) -> None:
        """Hold what was found, as the gate would."""
        old = self._held.get(found.ends)
        denied = self._held.get(found.against)
        if not found.wrongly:
            self.contradicted |= {found.ends, found.against} & self._held.keys()
        if old is not None and not self._is_heard(found, old, spoken):
            # It is no change that anybody could hear: people must decide.
            self._contest(old, found, spoken)
            return
        if found.negated:
            if old is not None:
                self._end(found.ends, old)
            return
        if denied is not None:
            self._contest(denied, found, spoken)
            return
        if len(found.value.split()) > VALUE_WORDS_MAX:
            return
        edge = self._edge(found, spoken)
        if old is not None and not found.wrongly:
            edge = edge._replace(concept_id=old.concept_id, dim_id=old.dim_id)
        self._origins[edge.assertion_id] = self._origin(found, spoken)
        self._edges.setdefault(edge.concept_id, []).append(edge)
        if old is not None:
            self._end(found.ends, old)
        self._held[found.fact or f"wrong {edge.assertion_id}"] = edge
        self._follow(edge.concept_id)

    def _is_heard(self, found: _Found, old: _fast.Edge, spoken: SpokenTurn) -> bool:
        """Return whether the words say that something changed, or the speaker does."""
        origin = self._origins[old.assertion_id]
        sentences = [
            it.text for it in spoken.utterances if found.quote[:20] in it.text
        ] or [found.quote]
        return origin.speaker == spoken.speaker or any(
            marks_of(it) & (SentenceMark.CHANGE | SentenceMark.NEGATION)
            for it in sentences
        )

    def _contest(self, held: _fast.Edge, found: _Found, spoken: SpokenTurn) -> None:
        clash = Clash(
            held.concept_id, held.dim_id, self._number(found.value), found.negated
        )
        self._conflicts.add(clash, self._next(), self._origin(found, spoken))
        self._follow(held.concept_id)

    def _end(self, fact: str, edge: _fast.Edge) -> None:
        del self._held[fact]
        self._edges[edge.concept_id].remove(edge)
        self._follow(edge.concept_id)
        del self._origins[edge.assertion_id]

    def _follow(self, concept_id: int) -> None:
        self._lines.follow(concept_id, self._edges[concept_id])

    def _edge(self, found: _Found, spoken: SpokenTurn) -> _fast.Edge:
        subject = found.subject
        if subject.lower() in ("i", "me"):
            subject = spoken.speaker
        # A common noun holds in its project, a name everywhere.
        if spoken.project and subject == subject.lower() and subject.isascii():
            subject = f"{spoken.project}{SCOPE}{subject}"
        concept, dim, value = (
            self._number(it) for it in (subject, found.predicate, found.value)
        )
        said, number = spoken.said, self._next()
        return _fast.Edge(
            concept, value, dim, False, 0.9, said, SOURCE, ASSERTED, number
        )

    def _origin(self, found: _Found, spoken: SpokenTurn) -> StatementOrigin:
        return StatementOrigin(
            found.quote,
            spoken.speaker,
            spoken.principal,
            spoken.project,
            spoken.session,
            spoken.said,
            spoken.digest,
            StatementReader.MODEL,
            found.kind,
        )

    def _number(self, words: str) -> int:
        token = words.lower()
        known = self._vocabulary.id(token)
        if known is not None:
            return known
        number = self._next()
        self._vocabulary.add(token, number)
        return number

    def _next(self) -> int:
        self._numbers += 1
        return self._numbers
