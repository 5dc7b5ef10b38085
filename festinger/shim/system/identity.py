"""Who asks: the principal and the subject of a request (E5).

The shim believes what clients say about themselves, as Ollama itself does: the names
tell clients apart, they do not prove anything.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, NamedTuple
from urllib.parse import unquote

from festinger.core.system.principals import is_name, is_title
from festinger.shim.proxy.guard import RequestRefused

LOCAL: Final = "local"
NAME_CHARACTERS_MAX: Final = 64

_ADDRESS: Final = re.compile(r"/+as/(?P<name>[^/]*)(?:/+in/(?P<project>[^/]*))?")
_SLASHES: Final = re.compile(r"/+")
_KEY_PREFIX = "key-"


@dataclass(frozen=True, slots=True)
class RequestCaller:
    """On whose behalf a request is made.

    Attributes:
        principal: Who speaks: from the token, else the name.
        subject: Whom the conversation is about: the name, else the principal.
        address: The client's IP address.
        marked: Whether the client names the subject by `X-Festinger-Subject`: then what
            is said may be kept.
        project: Where they work; empty for nowhere in particular.
    """

    principal: str = LOCAL
    subject: str = LOCAL
    address: str = ""
    marked: bool = False
    project: str = ""


class Addressed(NamedTuple):
    """A path, taken apart.

    Attributes:
        path: As the upstream knows it.
        name: From `/as/NAME`, as it is written there; None if there is none.
        project: From `/in/PROJECT` behind that, the same.
    """

    path: str
    name: str | None = None
    project: str | None = None


def split_path(path: str) -> Addressed:
    """Take `/as/NAME` and `/as/NAME/in/PROJECT` off the front of a path.

    Several slashes are one, but for a name or a project that is left out: what follows
    would be taken for it.
    """
    found = _ADDRESS.match(path)
    if found is None:
        return Addressed(_SLASHES.sub("/", path))
    rest = _SLASHES.sub("/", path[found.end() :]) or "/"
    return Addressed(rest, found["name"], found["project"])


def identify(
    headers: Mapping[str, str], addressed: Addressed, address: str
) -> RequestCaller:
    """Tell who makes a request.

    Args:
        headers: Of the request.
        addressed: Its path.
        address: The client's IP address.

    Raises:
        Refused: A name in the path, `X-Festinger-Subject` or `X-Festinger-Project`
            cannot be used.
    """
    name = project = ""
    if addressed.name is not None:
        name = _checked(addressed.name, "the name in /as/NAME/")
    if addressed.project is not None:
        project = _project(addressed.project, "the project in /as/NAME/in/PROJECT/")
    if stated := headers.get("X-Festinger-Project", "").strip():
        project = _project(stated, "X-Festinger-Project")
    token = _bearer(headers.get("Authorization", "")) or _key(headers)
    subject = headers.get("X-Festinger-Subject", "").strip()
    if subject:
        subject = _checked(subject, "X-Festinger-Subject")
    principal = token or name or subject or LOCAL
    return RequestCaller(
        principal, subject or name or principal, address, bool(subject), project
    )


def _bearer(authorization: str) -> str | None:
    """A name for a bearer token that does not tell the token."""
    scheme, _, token = authorization.partition(" ")
    return _named(token) if scheme.lower() == "bearer" else None


def _key(headers: Mapping[str, str]) -> str | None:
    """The same for the header in which Anthropic's clients send their key."""
    return _named(headers.get("X-Api-Key", ""))


def _named(token: str) -> str | None:
    token = token.strip()
    if not token:
        return None
    digest = sha256(token.encode("utf-8", "surrogateescape")).hexdigest()
    return _KEY_PREFIX + digest[:12]


def _checked(written: str, what: str) -> str:
    """Return the name of a person."""
    name = _decoded(written, what)
    # A name with that prefix would pass for somebody's token.
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
    """Return the name of a project."""
    name = _decoded(written, what)
    if not is_title(name, NAME_CHARACTERS_MAX):
        raise RequestRefused(
            400,
            f"{what} must be 1 to {NAME_CHARACTERS_MAX} printable characters without a "
            "slash",
        )
    return name


def _decoded(written: str, what: str) -> str:
    """Return what is written, percent-encoded or not."""
    try:
        return unicodedata.normalize("NFC", unquote(written, errors="strict"))
    except UnicodeDecodeError:
        raise RequestRefused(
            400, f"{what} is not UTF-8: percent-encode the bytes of its UTF-8 form"
        ) from None
