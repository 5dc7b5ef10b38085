"""Who asks: the principal and the subject of a request (E5).

The shim believes what clients say about themselves, as Ollama itself does: the names
tell clients apart, they do not prove anything.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from festinger.shim.guard import Refused

LOCAL = "local"

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}")
_PREFIX = "/as/"
_KEY_PREFIX = "key-"


@dataclass(frozen=True, slots=True)
class Caller:
    """On whose behalf a request is made.

    Attributes:
        principal: Who speaks: from the token, else the name.
        subject: Whom the conversation is about: the name, else the principal.
        address: The client's IP address.
        marked: Whether the client names the subject by `X-Festinger-Subject`: then what
            is said may be kept.
    """

    principal: str = LOCAL
    subject: str = LOCAL
    address: str = ""
    marked: bool = False


def split_path(path: str) -> tuple[str, str | None]:
    """Takes `/as/NAME` off the front of a path.

    Returns:
        The path as the upstream knows it, and the name if there is one, unchecked.
    """
    if not path.startswith(_PREFIX):
        return path, None
    name, slash, rest = path.removeprefix(_PREFIX).partition("/")
    return slash + rest or "/", name


def identify(headers: Mapping[str, str], name: str | None, address: str) -> Caller:
    """Tells who makes a request.

    Args:
        headers: Of the request.
        name: From the path's `/as/NAME/`.
        address: The client's IP address.

    Raises:
        Refused: The name, or `X-Festinger-Subject`, cannot be used.
    """
    if name is not None:
        _checked(name, "the name in /as/NAME/")
    token = _bearer(headers.get("Authorization", "")) or _key(headers)
    subject = headers.get("X-Festinger-Subject", "").strip()
    if subject:
        subject = _checked(subject, "X-Festinger-Subject")
    principal = token or name or subject or LOCAL
    return Caller(principal, subject or name or principal, address, bool(subject))


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


def _checked(name: str, what: str) -> str:
    # A name of this form would pass for somebody's token.
    if not _NAME.fullmatch(name) or name.startswith(_KEY_PREFIX):
        raise Refused(
            400,
            f"{what} must be 1 to 64 letters, digits or . _ @ + -, begin with a "
            f"letter or digit, and not with {_KEY_PREFIX}",
        )
    return name
