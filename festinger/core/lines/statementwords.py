"""How the names in a statement that was read are told: in words."""

from __future__ import annotations

from festinger.core.graph.tokens import split_concept


def subject_in_words(token: str, quote: str = "") -> tuple[str, bool]:
    """Return a subject as it is told, and whether only its project has that.

    Args:
        quote: The words that it was read from.
    """
    scope, name = split_concept(token)
    return readable(name, quote), bool(scope)


def readable(token: str, quote: str = "") -> str:
    """Return a name or value as it is told: its words apart, unless they are said as one.

    Args:
        quote: The words it was read from; what stands there so is spelt so.
    """
    if "_" not in token or token in quote.casefold():
        return token
    return token.replace("_", " ")
