"""Detection of text that repeats a conversation: transcripts and quotations.

Frameworks ask a model to summarise, to name or to search a conversation, and include it
in the user's text. Its content was read before, so it states no new facts.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from itertools import islice

from festinger.shim.recollection.segments import Segment, SegmentRole

PIECES_MAX = 50_000
"""Maximum number of remembered pieces of text, as hashes."""

SEGMENT_PIECES_MAX = 200
"""Maximum number of remembered pieces of a segment, the first."""

REQUEST_PIECES_MAX = 4_000
"""Maximum number of remembered pieces of a request, those of the newest segments."""

COMPARED_MAX = 256
"""Maximum number of compared segments whose pieces are kept until they are indexed."""

# One may be a coincidence or a person's own quotation; a transcript quotes many.
SEGMENTS_MIN = 2
"""Minimum number of earlier segments that a quoting text must quote."""

# Shorter pieces, such as "yes, please", occur in any conversation.
_PIECE_CHARACTERS_MIN = 16
_PART_CHARACTERS_MIN = 6
"""Minimum length of a part: a shorter one cannot become a piece.

Case folding may turn one letter into three.
"""
_MARKS = ">*#-"

# Ends of sentences, lines and strings of JSON, where a newline is escaped. It begins
# with a set of characters, which a search skips to quickly.
_SEAM = re.compile(r'[\n"\\.!?](?:(?<=[\n"])|(?<=\\)[n"]|(?<=[.!?])\s+)')
_STOPS = ".!?"
# "User: restart it", "> assistant: done", "- AI : done"
_SPEAKER = r"(user|human|assistant|ai|agent|system|tool)\s*:\s*"
_LABEL = re.compile(rf"[\s>*#-]*(?:{_SPEAKER})?", re.I)
_LABELLED = re.compile(rf"^[ \t>*#-]*{_SPEAKER}", re.I | re.M)
_LABELS_MIN = 3
_HUMANS = frozenset({"user", "human"})
_MACHINES = frozenset({"assistant", "ai", "agent"})


class Quotes:
    """Index of pieces of conversations, to find quotations in later text."""

    def __init__(self, pieces_max: int = PIECES_MAX) -> None:
        self._pieces_max = pieces_max
        # Hash of a piece → digest of the first segment with it.
        self._digest_by_piece: OrderedDict[int, bytes] = OrderedDict()
        # Hashes of compared segments, so that `add` does not compute them again.
        self._compared: dict[tuple[str, bytes], list[int]] = {}

    def add(
        self, principal: str, segment: Segment, pieces_max: int = SEGMENT_PIECES_MAX
    ) -> int:
        """Index a segment of a principal's conversation.

        Returns:
            Number of pieces of the segment that were indexed.
        """
        found: Iterable[int] | None = self._compared.pop(
            (principal, segment.digest), None
        )
        if found is None:
            found = _hashes(principal, segment.text)
        count = 0
        for piece in islice(found, min(pieces_max, SEGMENT_PIECES_MAX)):
            self._digest_by_piece.setdefault(piece, segment.digest)
            count += 1
        while len(self._digest_by_piece) > self._pieces_max:
            self._digest_by_piece.popitem(last=False)
        return count

    def repeats(
        self, principal: str, segment: Segment, characters_max: int | None = None
    ) -> bool:
        """Return whether a user's text is a transcript or quotes a conversation.

        Args:
            segment: The user's segment; for other roles the result is False.
            characters_max: Maximum length of the text to check; None for all of it.
        """
        if segment.role is not SegmentRole.USER:
            return False
        text = segment.text[:characters_max]
        return _is_transcript(text) or self._quotes(principal, segment, text)

    def _quotes(self, principal: str, segment: Segment, text: str) -> bool:
        quoted: set[bytes] = set()
        compared: list[int] = []
        for piece in _hashes(principal, text):
            compared.append(piece)
            earlier = self._digest_by_piece.get(piece)
            # A client sends the same message again, which is no quotation.
            if earlier is not None and earlier != segment.digest:
                quoted.add(earlier)
                if len(quoted) >= SEGMENTS_MIN:
                    return True
        # Only complete ones: the pieces of a cut text are not all of them.
        if len(text) == len(segment.text):
            # Most segments are indexed next, as soon as the memory has answered.
            # As many as `add` would index.
            del compared[SEGMENT_PIECES_MAX:]
            self._compared[principal, segment.digest] = compared
            while len(self._compared) > COMPARED_MAX:
                del self._compared[next(iter(self._compared))]
        return False


def _hashes(principal: str, text: str) -> Iterator[int]:
    # With the principal: what one person said must not mark another's text as repeated.
    return (hash((principal, piece)) for piece in _pieces(text))


def _pieces(text: str) -> Iterator[str]:
    for part in _parts(text):
        if len(part) < _PART_CHARACTERS_MIN:
            continue
        # Most parts have neither a speaker's label nor a mark at their beginning.
        if ":" in part or part.lstrip()[:1] in _MARKS:
            label = _LABEL.match(part)
            part = part[label.end() if label else 0 :]
        # Frameworks change case, spaces and the final stop.
        piece = " ".join(part.casefold().split()).rstrip(_STOPS)
        if len(piece) >= _PIECE_CHARACTERS_MIN:
            yield piece


def _parts(text: str) -> Iterator[str]:
    """Yield the parts of a text between the matches of `_SEAM`."""
    start = 0
    for seam in _SEAM.finditer(text):
        yield text[start : seam.start()]
        start = seam.end()
    yield text[start:]


def _is_transcript(text: str) -> bool:
    """Return whether labels of lines name both people and machines, at least three."""
    if text.count(":") < _LABELS_MIN:
        return False  # the same result as below, at lower cost
    speakers = [match[1].lower() for match in _LABELLED.finditer(text)]
    return (
        len(speakers) >= _LABELS_MIN
        and not _HUMANS.isdisjoint(speakers)
        and not _MACHINES.isdisjoint(speakers)
    )
