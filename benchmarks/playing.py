"""Plays labelled conversations into an index of lines, as the server takes them in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from typing import Any

from benchmarks.embedding import TextEmbedder
from benchmarks.reading import SimulatedModel, SimulatedReader
from benchmarks.talks import LabelledTalk
from festinger.config import RoleTrust
from festinger.config.settings import DictionarySettings
from festinger.core.language.turns import Role, Turn
from festinger.core.lines.index import LineIndex
from festinger.core.lines.line import LineKind
from festinger.core.lines.turns import SpokenTurn, digest_of, lines_of
from festinger.core.recollection.query import Query, read_query
from festinger.core.recollection.reading import Reader
from festinger.core.recollection.recall import RecallRequest, RecallResult, recall
from festinger.core.recollection.weighing import RelevanceWeights
from festinger.core.system.preferences import Preferences
from festinger.core.system.secrets import redact
from festinger.services.language.keeping import spoken_turns
from festinger.store.language import dictionary

TRUST = {
    Role.USER: RoleTrust.ASSERTS,
    Role.ASSISTANT: RoleTrust.NOTHING,
    Role.TOOL: RoleTrust.NOTHING,
    Role.SYSTEM: RoleTrust.NOTHING,
}


@dataclass(frozen=True, slots=True)
class Moment:
    """A question or a quiet prompt, where it stands in its conversation.

    Attributes:
        asked: Its labels.
        index: What was said until then; it goes on afterwards.
        now: In seconds since the epoch.
        contradicted: Facts that ended or are in dispute; it goes on afterwards, too.
        embedder: Embeds the prompt; None for no embeddings.
    """

    talk: LabelledTalk
    asked: dict[str, Any]
    index: LineIndex
    now: float
    contradicted: Set[str]
    embedder: TextEmbedder | None = None

    @property
    def query(self) -> Query:
        """Return the prompt's query of the index."""
        asked = self._asked
        return read_query(
            self.index,
            asked.prompt,
            asker=asked.asker,
            project=asked.project,
            dictionary=everyday_words(),
            embedding=asked.embedding,
        )

    def recall(self, weighing: RelevanceWeights) -> RecallResult:
        """Return the lines that the prompt is told."""
        return recall(
            self.index,
            self._asked,
            dictionary=everyday_words(),
            tokens=Preferences().recollection_tokens,
            now=self.now,
            weighing=weighing,
        )

    @property
    def _asked(self) -> RecallRequest:
        prompt = redact(self.asked["prompt"])
        return RecallRequest(
            prompt,
            asker=_name(self.asked["speaker"]),
            project=self.asked["project"] or "",
            embedding=self.embedder.embed(prompt) if self.embedder else None,
        )


@cache
def everyday_words() -> frozenset[str]:
    """Return the dictionary, as a server with no settings of its own loads it."""
    return dictionary.load(DictionarySettings())


def play(
    talk: LabelledTalk,
    model: SimulatedModel = SimulatedModel.NONE,
    embedder: TextEmbedder | None = None,
) -> Iterator[Moment]:
    """Return the prompts of a conversation, each behind what was said before it.

    Args:
        model: What reads the turns that people typed.
        embedder: Embeds lines and prompts; None for no embeddings.
    """
    index = LineIndex()
    reader = SimulatedReader(talk, index, model)
    talk.closed.clear()
    histories: dict[str, list[Turn]] = {}
    number = 0
    for turn in talk.data["turns"]:
        history = histories.setdefault(turn["session"], [])
        history.append(Turn(Role(turn["role"]), redact(turn["text"])))
        now = datetime.fromisoformat(turn["time"]).replace(tzinfo=UTC).timestamp()
        if turn["role"] == "user":
            where = (turn["project"] or "", turn["session"], now)
            newest = _unkept(turn, *where)
            for spoken in _spoken(history, turn, *where):
                number += 1
                each = replace(spoken, id=number)
                index.sources.put(LineKind.UTTERANCE, number, lines_of(each))
                newest = each if each.is_newest else newest
            if newest.id:
                read = reader.read(turn, newest)
                index.sources.put(LineKind.UTTERANCE, newest.id, lines_of(read))
            else:
                reader.read(turn, newest)
            histories[turn["session"]] = [it._replace(seen=True) for it in history]
        talk.close(turn["id"])
        for asked in talk.asked_after(turn):
            if embedder:
                embedder.fill(index)
            yield Moment(talk, asked, index, now, reader.contradicted, embedder)


def _spoken(
    history: list[Turn], turn: dict[str, Any], project: str, session: str, now: float
) -> Sequence[SpokenTurn]:
    """The turns that are kept of a history that ends with one that a person typed."""
    name = _name(turn["speaker"])
    reader = Reader(TRUST, name, name)
    return spoken_turns(history, reader, project=project, session=session, now=now)


def _unkept(turn: dict[str, Any], project: str, session: str, now: float) -> SpokenTurn:
    """Return a turn of which nothing is kept; it is read all the same."""
    name, digest = _name(turn["speaker"]), digest_of(redact(turn["text"]))
    return SpokenTurn(0, name, name, project, session, now, digest, [])


def _name(speaker: str) -> str:
    """Return a speaker's name as it stands in an address."""
    return speaker.replace(" ", "-")
