"""The text that a claim was found in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk of a document, or an interaction.

    Attributes:
        kind: `chunk` or `interaction`.
        id: Its number or identifier.
        name: For people: a path and headings, a session.
        text: All of it.
        document_id: The document that it is a part of; 0 for none.
        path: Of the document.
        headings: Those it stands under, the highest first.
        project: Whose it is.
        current: Whether it is in the document as it was read last.
    """

    kind: str
    id: str
    name: str
    text: str
    document_id: int = 0
    path: str = ""
    headings: Sequence[str] = ()
    project: str = ""
    current: bool = True
