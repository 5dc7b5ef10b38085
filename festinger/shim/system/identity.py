"""Identification of a request's principal, subject and project (E5).

Without a token of ours, names distinguish clients and do not authenticate them: like
Ollama, the shim does not verify what clients say about themselves.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, NamedTuple
from urllib.parse import unquote

from festinger.core.system.principals import bearer_in, is_name, is_title
from festinger.shim.proxy.guard import RequestRefused

LOCAL: Final = "local"
NAME_CHARACTERS_MAX: Final = 64

# /token/TOKEN/as/NAME/in/PROJECT/api/chat; a client that can set a URL only can still
# name its caller.
_ADDRESS: Final = re.compile(
    r"(?:/+token/(?P<token>[^/]*))?"
    r"(?:/+as/(?P<name>[^/]*)(?:/+in/(?P<project>[^/]*))?)?"
)
_SLASHES: Final = re.compile(r"/+")
# Principals that are derived from a token look like `key-3f2a9c0d1b7e`.
_KEY_PREFIX = "key-"


@dataclass(frozen=True, slots=True)
class RequestCaller:
    """Identity of a request's caller.

    Attributes:
        principal: The client: derived from the token, else the name.
        subject: Person whom the conversation is about: the name, else the principal.
        marked: Whether the client names the subject by `X-Festinger-Subject`, which
            permits capturing the conversation.
    """

    principal: str = LOCAL
    subject: str = LOCAL
    address: str = ""
    marked: bool = False
    project: str = ""


class AddressedPath(NamedTuple):
    """A path split into its prefix and the upstream's path.

    Attributes:
        name: NAME of the prefix `/as/NAME`, not decoded; None without a prefix.
        project: PROJECT of `/in/PROJECT` after it, not decoded; None if there is none.
        token: TOKEN of `/token/TOKEN` before both; None if there is none.
    """

    path: str
    name: str | None = None
    project: str | None = None
    token: str | None = None


def split_path(path: str) -> AddressedPath:
    """Split the prefix `/token/TOKEN/as/NAME/in/PROJECT`, or a part of it, off a path."""
    found = _ADDRESS.match(path)
    assert found is not None  # each part may be missing
    # Clients join URLs such as `http://host/` + `/api/chat`. An empty NAME stays empty, so
    # that the next part of the path is not mistaken for it.
    rest = _SLASHES.sub("/", path[found.end() :])
    if found.end():
        rest = rest or "/"
    return AddressedPath(rest, found["name"], found["project"], found["token"])


def identify(
    headers: Mapping[str, str],
    addressed: AddressedPath,
    address: str,
    proven: str = "",
) -> RequestCaller:
    """Return the caller of a request.

    Args:
        proven: The name that a known token proves; empty for none.

    Raises:
        RequestRefused: A name in the path, `X-Festinger-Subject` or
            `X-Festinger-Project` is invalid.
    """
    name = project = ""
    if addressed.name is not None:
        name = _checked(addressed.name, "the name in /as/NAME/")
    if addressed.project is not None:
        project = _project(addressed.project, "the project in /as/NAME/in/PROJECT/")
    if stated := _header(headers, "X-Festinger-Project"):
        project = _project(stated, "X-Festinger-Project")
    # A key names a client better than what it says of itself; ours was removed before.
    bearer = _named(bearer_in(headers.get("Authorization", "")) or "")
    # Anthropic's clients have a header of their own.
    token = bearer or _named(headers.get("X-Api-Key", ""))
    if subject := _header(headers, "X-Festinger-Subject"):
        subject = _checked(subject, "X-Festinger-Subject")
    principal = proven or token or name or subject or LOCAL
    return RequestCaller(
        principal,
        # Whoever proves a name speaks in that name, and in no other.
        proven or subject or name or principal,
        address,
        bool(subject),
        project,
    )


def _header(headers: Mapping[str, str], name: str) -> str:
    """Return a header as its client meant it; empty if it is not set."""
    value = headers.get(name, "").strip()
    try:
        value.encode()
    except UnicodeEncodeError:
        # Python's http.client, urllib and requests write Latin-1; aiohttp reads UTF-8, and
        # leaves a surrogate for each byte that is none.
        return value.encode("utf-8", "surrogateescape").decode("latin-1")
    return value


def _named(token: str) -> str:
    """Return a principal's name derived from a token, without revealing it."""
    if not (token := token.strip()):
        return ""
    # 48 bits tell clients apart, and do not reveal the token.
    digest = sha256(token.encode("utf-8", "surrogateescape")).hexdigest()
    return _KEY_PREFIX + digest[:12]


def _checked(written: str, what: str) -> str:
    """Return the decoded name of a person.

    Args:
        written: The name, percent-encoded or not.
        what: Description of its origin, for the error message.
    """
    name = _decoded(written, what)
    # A name with that prefix could impersonate the principal of a token.
    if (
        not is_name(name, NAME_CHARACTERS_MAX)
        or not name[0].isalnum()
        or name.startswith(_KEY_PREFIX)
    ):
        raise RequestRefused(
            400,
            f"{what} must be 1 to {NAME_CHARACTERS_MAX} letters of any script, digits or "
            f"any of . _ @ + - :, begin with a letter or digit, and not with "
            f"{_KEY_PREFIX}",
        )
    return name


def _project(written: str, what: str) -> str:
    """Return the decoded name of a project."""
    name = _decoded(written, what)
    if not is_title(name, NAME_CHARACTERS_MAX):
        raise RequestRefused(
            400,
            f"{what} must be 1 to {NAME_CHARACTERS_MAX} printable characters without a "
            "slash",
        )
    return name


def _decoded(written: str, what: str) -> str:
    """Return a value with percent-encoding decoded, in Unicode form NFC."""
    try:
        # NFC, so that `café` is one person however its client writes the accent.
        return unicodedata.normalize("NFC", unquote(written, errors="strict"))
    except UnicodeDecodeError:
        raise RequestRefused(
            400, f"{what} is not UTF-8: percent-encode the bytes of its UTF-8 form"
        ) from None
