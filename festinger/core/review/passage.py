"""Text in which a record was found."""

from __future__ import annotations

from dataclasses import dataclass

from festinger.core.review.records import Origin, Span

SHOWN_CHARACTERS_MAX = 4000
"""Maximum length that is shown; of a longer text, the part around the record."""


@dataclass(frozen=True, slots=True)
class Passage:
    """Chunk of a document, or turns of an interaction.

    Attributes:
        kind: `chunk` or `interaction`.
        name: Display name: a path with headings, or a session.
        document_id: The document that it is a part of; 0 for none.
    """

    kind: str
    id: str
    name: str
    text: str
    document_id: int = 0
    path: str = ""


def shown(text: str, origin: Origin) -> tuple[str, Span]:
    """Return the part of a text to show, and the position of a record in that part.

    Returns:
        At most 4000 characters; the position is (0, 0) if the record is not found.
    """
    start, end = _found(text, origin)
    if len(text) <= SHOWN_CHARACTERS_MAX:  # all of it
        return text, (start, end)
    # The match in the middle, but never cut off at its beginning.
    first = max(0, min((start + end - SHOWN_CHARACTERS_MAX) // 2, start))
    part = text[first : first + SHOWN_CHARACTERS_MAX]
    return part, (start - first, min(end - first, len(part)))


def _found(text: str, origin: Origin) -> Span:
    """Return the position of a match: the recorded span, or else that of the quote."""
    # The document may have changed since: the span is right only if the text is still there.
    match = origin.quote[slice(*origin.quote_span)]
    start, end = origin.span
    if start < end <= len(text) and (not match or text[start:end].startswith(match)):
        return start, end
    at = text.find(origin.quote) if match else -1  # moved: look for the whole quote
    if at < 0:
        return 0, 0
    return at + origin.quote_span[0], at + origin.quote_span[1]
