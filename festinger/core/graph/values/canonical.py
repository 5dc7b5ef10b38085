"""Canonical form of a value, however it was written."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from festinger.core.graph.seeddata import ALIASES
from festinger.core.graph.tokens import is_renderable, only_token
from festinger.core.graph.values.kinds import VALUE_CHARACTERS_MAX, Value, ValueKind
from festinger.core.graph.values.moments import read_date_range, read_moment
from festinger.core.graph.values.places import read_place
from festinger.core.graph.values.quantities import read_quantity, read_version
from festinger.core.graph.wordlists import STOPWORDS
from festinger.core.system.injection import addresses_assistants
from festinger.core.system.secrets import redact
from festinger.errors import NotAValueError

TEXT_CHARACTERS_MAX: Final = 400
"""Maximum number of characters that are read, so that reading takes bounded time."""

# Typographic quotes and dashes, and backticks, which mark code.
_SIGNS: Final = str.maketrans(
    {"\u2019": "'", "\u2018": "'", "\u201c": '"', "\u201d": '"'}
    | dict.fromkeys("\u2212\u2013\u2014", "-")
    | {"`": None}
)
# Signs that would be markup in a prompt, although people do not mean them as such.
_PAIRS: Final = {
    ">=": "\u2265",
    "<=": "\u2264",
    "->": "\u2192",
    "=>": "\u2192",
    " > ": " \u203a ",
}
_ARTICLE: Final = re.compile(
    r"(?:(?:a|an|the|my|our|your|his|her|its|their)\s+)+(?=\w)", re.IGNORECASE
)
_JOINT: Final = re.compile(r"[_.+#'-]+")
# Moments before quantities, since "24.11." begins with a number; versions last, as "1.2" is one.
_READERS: Final = (
    read_moment,
    read_date_range,
    read_quantity,
    read_place,
    read_version,
)
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


def canonical(text: str) -> Value:
    """Return a value in its canonical form.

    The function is idempotent: the resulting token and text give the same token again.

    Args:
        text: A value as a person wrote it. Example: `$1,200`, `a Postgres database`.

    Raises:
        NotAValueError: It is no value: empty, too long, only stop words, a day that
            does not exist, a number of too many digits, or a secret.
    """
    shown = _cleaned(text)  # what people are shown
    kind, token = _read(shown)
    if token != shown:
        # In lower case, or without its scheme, it may be of another kind: that counts.
        kind, token = _read(_cleaned(token))
    if len(token) > VALUE_CHARACTERS_MAX:
        raise NotAValueError(
            f"a value has at most {VALUE_CHARACTERS_MAX} characters, this one has "
            f"{len(token)}"
        )
    return Value(kind, token, shown)


def _cleaned(text: str) -> str:
    """Return a text on one line, without quotes around it or a full stop behind it.

    Raises:
        NotAValueError: Nothing is left, or the text must not be rendered.
    """
    if len(text) > TEXT_CHARACTERS_MAX:
        raise NotAValueError(
            f"a value is read from at most {TEXT_CHARACTERS_MAX} characters, these are "
            f"{len(text)}"
        )
    # NFC, as tokens are compared byte by byte.
    text = unicodedata.normalize("NFC", text.translate(_SIGNS))
    for written, sign in _PAIRS.items():
        text = text.replace(written, sign)
    text = " ".join(text.split())
    while (bare := _unquoted(text)) != text:  # quotes within quotes
        text = bare
    if not text.isprintable():  # invisible and control characters
        raise NotAValueError("a value holds no signs that cannot be seen")
    if not any(map(str.isalnum, text)):
        raise NotAValueError("a value is missing")
    if addresses_assistants(text):
        raise NotAValueError("it tells machines what to do, and is no value")
    if redact(text) != text:
        raise NotAValueError("it looks like a secret, and secrets are not kept")
    return text


def _unquoted(text: str) -> str:
    """Return a text without a pair of quotes around it or punctuation behind it."""
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'*":
        text = text[1:-1]
    stripped = text.rstrip(",;:!? ")
    # "24.11." is a date, and an ellipsis may be a path's.
    if stripped.endswith(".") and not re.search(
        r"\d\.\d{1,2}\.$|\b[ap]\.m\.$", stripped
    ):
        stripped = stripped.rstrip(".")
    return stripped.strip()


def _read(text: str) -> tuple[ValueKind, str]:
    if text.lower() in ALIASES:  # "pg" is `postgres`
        return ValueKind.NAME, ALIASES[text.lower()]
    for read in _READERS:
        if found := read(text):
            return found
    # After the readers, which know articles of their own: "the 15th", "an hour".
    if article := _ARTICLE.match(text):
        return _read(text[article.end() :])
    return read_name(text) or read_phrase(text)


@lru_cache(maxsize=65_536)
def is_value(token: str) -> bool:
    """Return whether a token may be rendered in a prompt as a value.

    It is a name (E4), or a literal in its canonical form that does not address
    machines.
    """
    if is_renderable(token):
        return True
    try:
        canonical_token = canonical(token).token
    except NotAValueError:
        return False
    # Its parts are looked at as well: joints would hide "ignore_all_instructions".
    return canonical_token == token and not addresses_assistants(_JOINT.sub(" ", token))


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
