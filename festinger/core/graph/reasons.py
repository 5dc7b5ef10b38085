"""Reasons for which a statement waits for people, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

REASONS: Final[Mapping[str, str]] = {
    "": "it is not certain",
    "asked": "the sentence asks",
    "common": "it may mean any of a kind, and not a certain one",
    "conditional": "it is said to be so under a condition or for a time",
    "definite": "“the …” may mean another one than the reader thinks of",
    "definition": "it reads like a definition",
    "doubtful": "its confidence is too low",
    "everyday": "its subject is an everyday word, which may mean something else here",
    "example": "it is given as an example",
    "generic": "it is said of a kind, and not of a certain one",
    "guessed": "a model guessed it",
    "hedged": "the sentence leaves it open",
    "hypothetical": "it is only supposed",
    "label": "the words before it may change what it says",
    "line": "its subject goes over the end of a line",
    "list": "what it is said to be may go on behind the comma",
    "loose": "“kind of” may be meant loosely",
    "mentioned": "it is about a word in quotation marks",
    "modifier": "it is not clear what is denied",
    "no_prose": "it does not stand in a sentence",
    "only_proposed": "who put it forward may only propose",
    "planned": "it is planned",
    "quoted": "somebody else is quoted",
    "reported": "the sentence reports it",
    "reworded": "a model used other words for the value than the speaker",
    "scoped": "it is said of a part, or for a case",
    "softened": "the sentence softens it",
    "subject_not_said": "a model named a subject that the speaker did not name",
    "subject_reworded": "a model used other words for the subject than the speaker",
    "verbless": "the sentence has no verb",
}
"""Clauses by reason; other reasons are words that can be read."""


def reason_in_words(reason: str) -> str:
    """Return the clause for a reason, to be put behind "because"."""
    # Reasons of models are words with blanks already.
    slug = reason.replace(" ", "_")
    return REASONS.get(slug, slug.replace("_", " "))
