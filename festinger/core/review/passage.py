"""The text that a claim was found in."""

from __future__ import annotations

from dataclasses import dataclass

from festinger.core.review.claims import Origin, Span

SHOWN_CHARACTERS_MAX = 4000
"""Of a text that is longer, what stands around the claim is shown."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk of a document, or what somebody said in an interaction.

    Attributes:
        kind: `chunk` or `interaction`.
        id: Its number or identifier.
        name: For people: a path and headings, a session.
        text: All of it.
        document_id: The document that it is a part of; 0 for none.
        path: Of the document.
    """

    kind: str
    id: str
    name: str
    text: str
    document_id: int = 0
    path: str = ""


def shown(text: str, origin: Origin) -> tuple[str, Span]:
    """What people see of a text, and where in that a claim was found.

    Returns:
        At most 4000 characters of it; (0, 0) if the claim is not in it.
    """
    start, end = _found(text, origin)
    if len(text) <= SHOWN_CHARACTERS_MAX:
        return text, (start, end)
    first = max(0, min((start + end - SHOWN_CHARACTERS_MAX) // 2, start))
    part = text[first : first + SHOWN_CHARACTERS_MAX]
    return part, (start - first, min(end - first, len(part)))


def _found(text: str, origin: Origin) -> Span:
    """Where the match stands: where it was, or else wherever its quote is."""
    match = origin.quote[slice(*origin.quote_span)]
    start, end = origin.span
    if start < end <= len(text) and (not match or text[start:end].startswith(match)):
        return start, end
    at = text.find(origin.quote) if match else -1
    if at < 0:
        return 0, 0
    return at + origin.quote_span[0], at + origin.quote_span[1]
