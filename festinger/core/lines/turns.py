"""A turn of which something is kept, and the lines that it gives the index."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Final

from festinger.core.language.audience import EVERYBODY, LineAudience
from festinger.core.language.marks import SentenceMark
from festinger.core.language.utterances import Utterance
from festinger.core.lines.index import IndexedLine, LineKind, stands_in
from festinger.core.system.principals import plain

DIGEST_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class SpokenTurn:
    """A turn of which something is kept.

    Attributes:
        id: Its number; 0 until it is committed.
        speaker: Who said it.
        principal: On whose behalf, as the server stamped it.
        project: Where it was said; empty for nowhere in particular.
        session: In which conversation; empty if that is unknown.
        said: When, in seconds since the epoch.
        digest: Of its text, without secrets (`digest_of`).
        utterances: In their order; one that was forgotten has an empty text.
        audience: Who may be told.
        confirmed: Which instructions among the utterances a person confirmed for everybody.
        is_newest: Whether it was said just now; else it is part of an older history, which
            leaves a turn that is kept already as it is.
    """

    id: int
    speaker: str
    principal: str
    project: str
    session: str
    said: float
    digest: bytes
    utterances: Sequence[Utterance]
    audience: LineAudience = EVERYBODY
    confirmed: Collection[int] = frozenset()
    is_newest: bool = True

    @property
    def is_empty(self) -> bool:
        """True if all of it was forgotten."""
        return not any(each.text for each in self.utterances)

    def is_same(self, other: SpokenTurn) -> bool:
        """Return whether another is the same words of the same speaker and project."""
        return self.digest == other.digest and self.key == other.key

    @property
    def key(self) -> tuple[bytes, str, str]:
        """What it is kept once by, however speaker and project are spelt."""
        return self.digest, plain(self.speaker), plain(self.project)

    def marked_unstated(self, quotes: Collection[str]) -> SpokenTurn:
        """Return the turn as a model has read it.

        Args:
            quotes: The words that something was read from; all other utterances are
                marked as unstated.
        """
        return replace(
            self,
            utterances=[
                each
                if any(stands_in(quote, each.text) for quote in quotes)
                else each._replace(marks=each.marks | SentenceMark.UNSTATED)
                for each in self.utterances
            ],
        )

    def without(self, ordinals: Collection[int]) -> SpokenTurn:
        """Return the turn with some of its utterances forgotten."""
        left = [
            Utterance("") if at in ordinals else each
            for at, each in enumerate(self.utterances)
        ]
        return replace(self, utterances=left)


def digest_of(text: str) -> bytes:
    """Return what names a text: 16 bytes, the same whatever the white space in it."""
    words = " ".join(text.split()).encode("utf-8", "replace")
    return blake2b(words, digest_size=DIGEST_BYTES).digest()


def lines_of(turn: SpokenTurn) -> Iterator[IndexedLine]:
    """Yield the lines of a turn; the index gives out their numbers."""
    for ordinal, utterance in enumerate(turn.utterances):
        if utterance.text:
            yield IndexedLine(
                number=0,
                kind=LineKind.UTTERANCE,
                key=turn.id,
                text=utterance.text,
                heading=utterance.heading,
                ordinal=ordinal,
                speaker=turn.speaker,
                project=turn.project,
                said=turn.said,
                marks=utterance.marks,
                audience=turn.audience,
                digest=turn.digest,
                answers=utterance.answers,
                session=turn.session,
                confirmed=ordinal in turn.confirmed,
            )
