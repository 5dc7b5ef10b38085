"""Recognises text that repeats a conversation: transcripts and summaries.

Frameworks ask a model to summarise, to name or to search a conversation, and send it
along as the user's text. What it says was said before, so it teaches nothing.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator
from itertools import islice

from festinger.shim.segments import Role, Segment

PIECES_MAX = 50_000
"""Pieces of text remembered in all, as hashes."""

SEGMENTS_MIN = 2
"""This many earlier segments must be quoted."""

_SEGMENT_PIECES_MAX = 200
_PIECE_CHARACTERS_MIN = 16

# Sentences, lines and the strings of JSON, where a line end is an escape.
_SEAM = re.compile(r'\n|\\n|\\?"|(?<=[.!?])\s+')
_SPEAKER = r"(user|human|assistant|ai|agent|system|tool)\s*:\s*"
_LABEL = re.compile(rf"[\s>*#-]*(?:{_SPEAKER})?", re.I)
_LABELLED = re.compile(rf"^[ \t>*#-]*{_SPEAKER}", re.I | re.M)
_HUMANS = frozenset({"user", "human"})
_MACHINES = frozenset({"assistant", "ai", "agent"})


class Quotes:
    """Remembers pieces of what was said, and finds them in later text.

    Args:
        pieces_max: The oldest beyond it are forgotten.
    """

    def __init__(self, pieces_max: int = PIECES_MAX) -> None:
        self._pieces_max = pieces_max
        self._digest_by_piece: OrderedDict[int, bytes] = OrderedDict()

    def add(self, principal: str, segment: Segment) -> None:
        """Remembers what a principal's conversation said."""
        for piece in islice(_pieces(segment.text), _SEGMENT_PIECES_MAX):
            self._digest_by_piece.setdefault(hash((principal, piece)), segment.digest)
        while len(self._digest_by_piece) > self._pieces_max:
            self._digest_by_piece.popitem(last=False)

    def repeats(self, principal: str, segment: Segment) -> bool:
        """Whether a user's text is, or quotes, an earlier conversation."""
        if segment.role is not Role.USER:
            return False
        return _is_transcript(segment.text) or self._quotes(principal, segment)

    def _quotes(self, principal: str, segment: Segment) -> bool:
        quoted: set[bytes] = set()
        for piece in _pieces(segment.text):
            digest = self._digest_by_piece.get(hash((principal, piece)))
            if digest is not None and digest != segment.digest:
                quoted.add(digest)
                if len(quoted) >= SEGMENTS_MIN:
                    return True
        return False


def _pieces(text: str) -> Iterator[str]:
    for part in _SEAM.split(text):
        label = _LABEL.match(part)
        words = part[label.end() if label else 0 :].casefold().split()
        piece = " ".join(words)
        if len(piece) >= _PIECE_CHARACTERS_MIN:
            yield piece


def _is_transcript(text: str) -> bool:
    """Whether people and machines speak in turn, by the labels of the lines."""
    speakers = [match[1].lower() for match in _LABELLED.finditer(text)]
    return (
        len(speakers) >= 3
        and not _HUMANS.isdisjoint(speakers)
        and not _MACHINES.isdisjoint(speakers)
    )
