"""Names, and phrases of a few words."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from festinger.core.graph.seeddata import ALIASES
from festinger.core.graph.tokens import is_renderable, only_token
from festinger.core.graph.values.kinds import ValueKind
from festinger.core.graph.wordlists import STOPWORDS
from festinger.errors import NotAValueError

NAME_WORDS_MAX: Final = 4
PHRASE_WORDS_MAX: Final = 16
_JOINTS: Final = re.compile(r"[_.+#'-]+")

_NAME: Final = re.compile(r"[^\W_][\w.+#'-]*")
_V: Final = re.compile(r"[vV]\d[\d.]*")  # "PG v14" is "PG 14"
_PART: Final = re.compile(r"[^\W_]")
_VERSIONED: Final = re.compile(  # "pg14"
    r"(?P<name>[a-z]{2,20})(?P<number>\d{1,3}(?:\.\d{1,3})*)"
)
_FORBIDDEN: Final = re.compile(r"[<>\[\]`]")
# Stop words that are values on their own: "the light is off".
_STATES: Final = frozenset(
    [
        "on", "off", "yes", "no", "none", "all", "up", "down", "both", "each", "every", "gone",
        "out", "in", "over", "never", "always", "not", "nothing", "nobody", "anybody",
        "everybody", "everyone", "anyone", "everything", "r",
    ]
)  # fmt: skip


def read_name(text: str) -> tuple[ValueKind, str] | None:
    """Return kind and token of a name, or of a noun as a whole compound: `mac_mini`."""
    # "tom's laptop" is `toms_laptop`.
    words = [
        re.sub(r"'s$|(?<=s)'$", _bare, word).rstrip(".") for word in text.split(" ")
    ]
    if len(words) > 1:
        words = [word[1:] if _V.fullmatch(word) else word for word in words]
    if len(words) > NAME_WORDS_MAX or not all(map(_NAME.fullmatch, words)):
        return None
    if any(word.lower() in STOPWORDS for word in words):
        return None
    token = canonical_name("_".join(words))
    # Must read back as one token that a prompt may contain.
    if only_token(token) != token or not is_renderable(token):
        return None
    return ValueKind.NAME, token


def _bare(found: re.Match[str]) -> str:
    return found[0].replace("'", "")


def canonical_name(token: str) -> str:
    """Return the canonical spelling of a compound in lower case, by the aliases."""
    parts: list[str] = []
    for word in token.lower().split("_"):
        found = _VERSIONED.fullmatch(word)
        # Only of a known name: "mp3" stays as it is.
        if word not in ALIASES and found and found["name"] in ALIASES:
            parts += ALIASES[found["name"]], found["number"]
        else:
            parts.append(ALIASES.get(word, word))
    whole = "_".join(parts)
    return ALIASES.get(whole, whole)  # the whole may have an alias, too


def read_phrase(text: str) -> tuple[ValueKind, str]:
    """Return kind and token of a phrase: its words in lower case.

    Raises:
        NotAValueError: It has too many words, only stop words, or signs that a prompt
            may not contain.
    """
    # A sentence joined by signs instead of blanks counts as many words.
    said = text.split() if " " in text else _JOINTS.split(text)
    words = [word for word in said if _PART.search(word)]
    if len(words) > PHRASE_WORDS_MAX:
        raise NotAValueError(
            f"a value has at most {PHRASE_WORDS_MAX} words, this one has {len(words)}"
        )
    if found := _FORBIDDEN.search(text):  # markup
        raise NotAValueError(f"a value holds no {found[0]}")
    bare = {re.sub(r"[^\w]", "", word).lower() for word in words}
    if bare <= STOPWORDS and not (len(bare) == 1 and bare <= _STATES):
        raise NotAValueError(f"{text[:40]!r} says nothing by itself")
    return ValueKind.PHRASE, unicodedata.normalize("NFC", text.lower())
