"""Addresses: URLs without their scheme, paths, e-mail addresses."""

from __future__ import annotations

import re
from typing import Final

from festinger.core.graph.values.kinds import ValueKind
from festinger.errors import NotAValueError

_EMAIL: Final = re.compile(
    r"(?:mailto:)?(?P<address>[\w.+-]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+)", re.IGNORECASE
)
_HOST: Final = (  # a name with a dot, an IP address, localhost, or IPv6 in brackets
    r"(?:(?:[a-z0-9](?:[a-z0-9_-]{0,62})\.)+[a-z][a-z0-9-]{0,20}\.?"
    r"|\d{1,3}(?:\.\d{1,3}){3}|localhost|\[[0-9a-f:]{3,40}\])"
)
# Without a scheme the host needs a dot; behind "://" any name will do.
_URL: Final = re.compile(
    rf"(?P<scheme>[a-z][a-z0-9+.-]{{1,20}}://)?(?P<login>[^\s/@]+@)?"
    rf"(?P<host>{_HOST}|(?<=://)[a-z0-9][\w.-]*)(?P<port>:\d{{1,5}})?"
    r"(?P<rest>[/?#][^\s<>\[\]`]*)?",
    re.IGNORECASE,
)
_PORTS: Final = {"http": ":80", "https": ":443"}
_FILE: Final = re.compile(  # by its ending: "README.md" is a file and no host
    r"[\w.@+-]*\.(?:py|pyi|pyx|ipynb|md|rst|txt|tex|bib|json|jsonl|ya?ml|toml|ini|cfg|conf|env|csv|tsv|xlsx?|docx?"
    r"|pptx?|odt|ods|pdf|log|sh|bat|ps1|c|h|cc|cpp|hpp|rs|go|java|kt|ts|tsx|js|jsx|vue|css|scss|html?|xml|sql|db|sqlite"
    r"|png|jpe?g|gif|svg|webp|psd|blend|glb|fbx|obj|wav|mp3|flac|mp4|mov|zip|gz|tgz|xz|bak|lock|pem|key|crt)",
    re.IGNORECASE,
)
_PATH: Final = re.compile(  # "/etc", "./src", "C:\\temp", "src/app"
    r"(?:~|\.{1,2})?[/\\][^\s:,;<>\[\]`]*|[a-z]:\\[^<>\[\]`]*"
    r"|[\w.@+-]+(?:[/\\][\w.@+*-]+)+[/\\]?",
    re.IGNORECASE,
)
# "7d/4w" is no path, nor is "70/30".
_SEGMENT: Final = re.compile(r"(?:^|[/\\~.])[^\W\d]")
# A cleaned text does not end with these signs either.
_END: Final = "/\\,;:!?. "


def read_place(text: str) -> tuple[ValueKind, str] | None:
    """Return kind and token of an address.

    A URL loses its scheme, the default port of its scheme, and a trailing slash. The
    case of its path is kept, like that of a file path.

    Raises:
        NotAValueError: It contains a login.
    """
    # In this order: "a@b.c" and "notes.md" would be hosts.
    if found := _EMAIL.fullmatch(text):
        return ValueKind.EMAIL, found["address"].lower()
    if _FILE.fullmatch(text):
        return ValueKind.PATH, text
    if found := _URL.fullmatch(text):
        return _url(found)
    if _PATH.fullmatch(text) and _SEGMENT.search(text):
        stripped = text.rstrip(_END)
        return ValueKind.PATH, stripped if _SEGMENT.search(stripped) else text
    return None


def _url(found: re.Match[str]) -> tuple[ValueKind, str] | None:
    """Return kind and token of a URL; None if it is a version.

    The schemes `http` and `https` are removed.

    Raises:
        NotAValueError: It contains a login.
    """
    # A user before "@" often comes with a password; git@ is the same for all.
    if found["login"] and found["login"] != "git@":
        raise NotAValueError("an address with a login in it is a secret")
    host = found["host"].lower().rstrip(".")
    if re.fullmatch(r"[\d.]+\.[a-z]", host):
        return None  # a version, as 1.x
    scheme = (found["scheme"] or "").partition(":")[0].lower()
    port = found["port"] or ""
    if port == _PORTS.get(scheme):  # the default port says nothing
        port = ""
    rest = (found["rest"] or "").rstrip(_END)
    # `postgres://` and the like say which program answers.
    if scheme not in ("", *_PORTS):
        return ValueKind.URL, f"{scheme}://{found['login'] or ''}{host}{port}{rest}"
    if "[" in host:  # without its scheme an IPv6 address is no URL
        return None
    return ValueKind.URL, f"{host.removeprefix('www.')}{port}{rest}"
