"""How the names in a statement that was read are told: in words."""

from __future__ import annotations

from typing import Final

SCOPE: Final = "/"
"""Stands between a project and a noun, in the name of what only the project has."""


def subject_in_words(token: str, project: str, quote: str = "") -> tuple[str, bool]:
    """Return a subject as it is told, and whether only its project has that.

    Args:
        project: Where the words were said that it was read from.
        quote: The words.
    """
    scope = f"{project}{SCOPE}".casefold()
    is_scoped = len(scope) > 1 and token.casefold().startswith(scope)
    name = token[len(scope) :] if is_scoped else token
    return readable(name, quote), is_scoped


def readable(token: str, quote: str = "") -> str:
    """Return a name or value as it is told: its words apart, unless they are said as one.

    Args:
        quote: The words it was read from; what stands there so is spelt so.
    """
    if "_" not in token or token in quote.casefold():
        return token
    return token.replace("_", " ")
