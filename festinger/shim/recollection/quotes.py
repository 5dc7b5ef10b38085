"""Recognises text that repeats a conversation: transcripts and summaries.

Frameworks ask a model to summarise, to name or to search a conversation, and send it
along as the user's text. What it says was said before, so it teaches nothing.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator
from itertools import islice

from festinger.shim.recollection.segments import Segment, SegmentRole

PIECES_MAX = 50_000
"""Pieces of text remembered in all, as hashes."""

SEGMENT_PIECES_MAX = 200
"""Pieces of one segment that are remembered, the first."""

REQUEST_PIECES_MAX = 4_000
"""Pieces of one request that are remembered, those of the newest segments."""

SEGMENTS_MIN = 2
"""This many earlier segments must be quoted."""

_PIECE_CHARACTERS_MIN = 16
_PART_CHARACTERS_MIN = 6
"""Shorter ones do not become a piece, though a letter may become three without case."""
_MARKS = ">*#-"

# Sentences, lines and the strings of JSON, where a line end is an escape. It begins with
# a set of characters, to which a search skips.
_SEAM = re.compile(r'[\n"\\.!?](?:(?<=[\n"])|(?<=\\)[n"]|(?<=[.!?])\s+)')
_STOPS = ".!?"
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

    def add(
        self, principal: str, segment: Segment, pieces_max: int = SEGMENT_PIECES_MAX
    ) -> int:
        """Remembers what a principal's conversation said. Returns how many pieces."""
        count = 0
        for piece in islice(_pieces(segment.text), min(pieces_max, SEGMENT_PIECES_MAX)):
            self._digest_by_piece.setdefault(hash((principal, piece)), segment.digest)
            count += 1
        while len(self._digest_by_piece) > self._pieces_max:
            self._digest_by_piece.popitem(last=False)
        return count

    def repeats(
        self, principal: str, segment: Segment, characters_max: int | None = None
    ) -> bool:
        """Whether a user's text is, or quotes, an earlier conversation.

        Args:
            principal: Who says it.
            segment: What is said.
            characters_max: So much of it is looked at; None for all.
        """
        if segment.role is not SegmentRole.USER:
            return False
        text = segment.text[:characters_max]
        return _is_transcript(text) or self._quotes(principal, segment.digest, text)

    def _quotes(self, principal: str, digest: bytes, text: str) -> bool:
        quoted: set[bytes] = set()
        for piece in _pieces(text):
            earlier = self._digest_by_piece.get(hash((principal, piece)))
            if earlier is not None and earlier != digest:
                quoted.add(earlier)
                if len(quoted) >= SEGMENTS_MIN:
                    return True
        return False


def _pieces(text: str) -> Iterator[str]:
    for part in _parts(text):
        if len(part) < _PART_CHARACTERS_MIN:
            continue
        # Most parts have neither a speaker nor a mark before it.
        if ":" in part or part.lstrip()[:1] in _MARKS:
            label = _LABEL.match(part)
            part = part[label.end() if label else 0 :]
        piece = " ".join(part.casefold().split()).rstrip(_STOPS)
        if len(piece) >= _PIECE_CHARACTERS_MIN:
            yield piece


def _parts(text: str) -> Iterator[str]:
    """What stands between the seams, found as far as it is asked for."""
    start = 0
    for seam in _SEAM.finditer(text):
        yield text[start : seam.start()]
        start = seam.end()
    yield text[start:]


def _is_transcript(text: str) -> bool:
    """Whether people and machines speak in turn, by the labels of the lines."""
    speakers = [match[1].lower() for match in _LABELLED.finditer(text)]
    return (
        len(speakers) >= 3
        and not _HUMANS.isdisjoint(speakers)
        and not _MACHINES.isdisjoint(speakers)
    )
