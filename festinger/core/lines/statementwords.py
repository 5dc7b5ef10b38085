"""Render the names in a statement as words."""

from __future__ import annotations

from festinger.core.graph.tokens import split_concept


def subject_in_words(token: str, quote: str = "") -> tuple[str, bool]:
    """Return the rendering of a subject, and whether it is specific to its project."""
    # A common noun's concept contains its project (J5), which no line repeats.
    scope, name = split_concept(token)
    return readable(name, quote), bool(scope)


def readable(token: str, quote: str = "") -> str:
    """Return the rendering of a name or value, in separate words unless said as one.

    Args:
        token: Token of the name or value.
        quote: Quote that it was read from; a spelling that occurs there is kept.
    """
    # `max_connections` stays as it was said; `billing_service` is told in words.
    if "_" not in token or token in quote.casefold():
        return token
    return token.replace("_", " ")
