"""Turns with kept utterances, and the lines that they add to the index."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Final

from festinger.core.language.audience import EVERYBODY, LineAudience
from festinger.core.language.future_times import start_of
from festinger.core.language.marks import SentenceMark
from festinger.core.language.utterances import Utterance
from festinger.core.lines.line import IndexedLine, LineKind, stands_in
from festinger.core.system.principals import plain

DIGEST_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class SpokenTurn:
    """A turn of which at least one utterance is kept.

    Attributes:
        id: Its number; 0 until it is committed.
        principal: Principal on whose behalf it was said, as set by the server.
        project: Project in which it was said; empty for none.
        session: Session in which it was said; empty if unknown.
        digest: Digest of its text, without secrets (`digest_of`).
        utterances: Utterances in order; a forgotten one has an empty text.
        audience: Principals who may see it.
        confirmed: Ordinals of instructions that a person confirmed for everybody.
        is_newest: Whether it was said just now; otherwise it is part of an older
            history, which leaves a turn that is already kept unchanged.
        is_imported: Whether it comes from another memory: it is kept unless this
            speaker's turn is, whatever others said.
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
    # A resent history must not overwrite what was kept when its turns were new.
    is_newest: bool = True
    is_imported: bool = False

    @property
    def is_empty(self) -> bool:
        """True if all utterances were forgotten."""
        # A forgotten utterance keeps its place, so that the ordinals of others stay.
        return not any(each.text for each in self.utterances)

    def is_same(self, other: SpokenTurn) -> bool:
        """Return whether another turn has the same words, speaker and project."""
        return self.digest == other.digest and self.key == other.key

    @property
    def key(self) -> tuple[bytes, str, str]:
        """The unique key of the turn, for all spellings of speaker and project."""
        # The same words of two people, or in two projects, are two turns.
        return self.digest, plain(self.speaker), plain(self.project)

    def marked_unstated(self, quotes: Collection[str]) -> SpokenTurn:
        """Return the turn with marks on the utterances that contain no statement.

        Args:
            quotes: Quotes of the statements that were found; all other utterances are
                marked as unstated.
        """
        return replace(
            self,
            utterances=[
                # A quote may be a part of a sentence, or span several.
                each._replace(marks=each.marks & ~SentenceMark.UNSTATED)
                if any(stands_in(quote, each.text) for quote in quotes)
                # What holds later is no statement yet.
                or start_of(each.text, self.said) is not None
                # Less likely to help; it is still kept as evidence.
                else each._replace(marks=each.marks | SentenceMark.UNSTATED)
                for each in self.utterances
            ],
        )

    def without(self, ordinals: Collection[int]) -> SpokenTurn:
        """Return the turn with some utterances forgotten."""
        left = [
            # Not deleted: lines are named by turn and ordinal (`said-7.2`).
            Utterance("") if at in ordinals else each
            for at, each in enumerate(self.utterances)
        ]
        return replace(self, utterances=left)


def digest_of(text: str) -> bytes:
    """Return the digest of a text: 16 bytes, independent of its white space."""
    # Clients reflow text; "replace" since a lone surrogate has no UTF-8 form.
    words = " ".join(text.split()).encode("utf-8", "replace")
    return blake2b(words, digest_size=DIGEST_BYTES).digest()


def lines_of(turn: SpokenTurn) -> Iterator[IndexedLine]:
    """Yield the lines of a turn; the index assigns their numbers."""
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
