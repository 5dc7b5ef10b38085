"""Plays labelled conversations into an index of lines, as the server takes them in."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence, Set
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
        history: The turns before it in its session.
    """

    talk: LabelledTalk
    asked: dict[str, Any]
    index: LineIndex
    now: float
    contradicted: Set[str]
    embedder: TextEmbedder | None = None
    history: Sequence[Turn] = ()

    @property
    def query(self) -> Query:
        """Return the prompt's query of the index."""
        asked = self._asked
        return read_query(
            self.index,
            asked.prompt,
            asked.earlier,
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
    def present(self) -> Collection[bytes]:
        """The digests of the turns before it in its session."""
        return {digest_of(it.text) for it in self.history}

    @property
    def _asked(self) -> RecallRequest:
        prompt = redact(self.asked["prompt"])
        typed = (it.text for it in reversed(self.history) if it.role is Role.USER)
        return RecallRequest(
            prompt,
            tuple(typed),
            present=self.present,
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
    playing = _PlayedTalk(talk, model, embedder)
    for turn in talk.data["turns"]:
        playing.keep(turn)
        for asked in talk.asked_after(turn):
            yield playing.moment(asked)


def play_follow_ups(
    talk: LabelledTalk,
    model: SimulatedModel = SimulatedModel.NONE,
    embedder: TextEmbedder | None = None,
) -> Iterator[Moment]:
    """Return the prompts of a conversation as follow-ups in another session of it.

    So are its own follow-ups that state nothing, where all that do are labelled: they
    ask for another answer, or say how the last one was.
    """
    plain = talk.plain_turns
    playing = _PlayedTalk(talk, model, embedder)
    for turn in talk.data["turns"]:
        session = turn["session"]
        if turn["id"] in plain and playing.has_begun(session):
            asked = {
                "prompt": turn["text"],
                "speaker": turn["speaker"],
                "project": turn["project"],
            }
            yield playing.moment(asked, session)
        playing.keep(turn)
        for asked in talk.asked_after(turn):
            # What its session says itself is not told again.
            if before := playing.last_session(talk.sessions_of(asked)):
                yield playing.moment(asked, before)


class _PlayedTalk:
    """A conversation that is played into an index, turn by turn."""

    def __init__(
        self,
        talk: LabelledTalk,
        model: SimulatedModel,
        embedder: TextEmbedder | None,
    ) -> None:
        self._talk = talk
        self._embedder = embedder
        self._index = LineIndex()
        self._reader = SimulatedReader(talk, self._index, model)
        self._histories: dict[str, list[Turn]] = {}
        self._number = 0
        self._now = 0.0
        talk.closed.clear()

    def keep(self, turn: dict[str, Any]) -> None:
        """Keep what is kept of a turn, and have it read."""
        history = self._histories.setdefault(turn["session"], [])
        history.append(Turn(Role(turn["role"]), redact(turn["text"])))
        self._now = datetime.fromisoformat(turn["time"]).replace(tzinfo=UTC).timestamp()
        if turn["role"] == "user":
            where = (turn["project"] or "", turn["session"], self._now)
            newest = _unkept(turn, *where)
            for spoken in _spoken(history, turn, *where):
                self._number += 1
                each = replace(spoken, id=self._number)
                self._put(each)
                newest = each if each.is_newest else newest
            read = self._reader.read(turn, newest)
            if newest.id:
                self._put(read)
            self._histories[turn["session"]] = [
                it._replace(seen=True) for it in history
            ]
        self._talk.close(turn["id"])

    def has_begun(self, session: str) -> bool:
        """Return whether anybody has typed in a session."""
        history = self._histories.get(session, ())
        return any(it.role is Role.USER for it in history)

    def last_session(self, but: Set[str]) -> str:
        """Return the last session that began, but for some; empty for none."""
        return next((it for it in reversed(self._histories) if it not in but), "")

    def moment(self, asked: dict[str, Any], session: str = "") -> Moment:
        """Return a prompt behind what was kept so far.

        Args:
            session: It goes on with this session; empty for a new one.
        """
        if self._embedder:
            self._embedder.fill(self._index)
        return Moment(
            self._talk,
            asked,
            self._index,
            self._now,
            self._reader.contradicted,
            self._embedder,
            tuple(self._histories.get(session, ())),
        )

    def _put(self, spoken: SpokenTurn) -> None:
        self._index.sources.put(LineKind.UTTERANCE, spoken.id, lines_of(spoken))


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
