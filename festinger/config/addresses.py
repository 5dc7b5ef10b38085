"""Validation of the addresses and URLs in a configuration."""

from __future__ import annotations

import re
from ipaddress import ip_address
from typing import Final
from urllib.parse import SplitResult, urlsplit

from festinger.errors import ConfigurationError

_USER: Final = re.compile(r"//[^/@\s]*@")  # such as `//alice:secret@`


def host_and_port(address: str) -> tuple[str, int]:
    """Split HOST:PORT.

    Raises:
        ConfigurationError: The address is not of that form.
    """
    host, _, port = address.rpartition(":")
    # `isdigit` accepts digits of other scripts, hence `isascii`.
    if not host or not port.isascii() or not port.isdigit() or int(port) > 65535:
        raise ConfigurationError(
            f"{address!r} is not an address. Write HOST:PORT, such as 127.0.0.1:7700"
        )
    # Brackets stand around an IPv6 address, as in `[::1]:7700`.
    return host.strip("[]"), int(port)


def check_address(address: str) -> str:
    """Return an address of the form HOST:PORT; raise ConfigurationError for another."""
    host_and_port(address)
    return address


def is_loopback(host: str) -> bool:
    """Return whether a host name or address can be reached from this machine only."""
    if host == "localhost":
        return True
    try:
        # A name other than `localhost` is not looked up: it may lead anywhere.
        return ip_address(host).is_loopback
    except ValueError:
        return False


def reachable(address: str) -> str:
    """Return where a program of this machine reaches a server that listens somewhere.

    Args:
        address: HOST:PORT of the server; on all interfaces it is reached by loopback.
    """
    host, port = host_and_port(address)
    # All interfaces, which no program can connect to.
    if host == "0.0.0.0":
        return f"127.0.0.1:{port}"
    return f"[::1]:{port}" if host == "::" else address


def require_encryption(
    name: str,
    address: str,
    *,
    encrypted: bool,
    plain_text: bool,
    key: str = "address",
) -> None:
    """Require that an address beyond loopback is encrypted, or permitted not to be.

    Args:
        name: The section of the configuration.
        key: The setting of the section that holds the address.

    Raises:
        ConfigurationError: It is neither.
    """
    host, _ = host_and_port(address)
    # Tokens and what people say would go over the network as they are.
    if not (is_loopback(host) or encrypted or plain_text):
        raise ConfigurationError(
            f"{name}.{key} is {address}, which others can reach, and the connection "
            f"is not encrypted. Set {name}.tls, for which `festinger system certs` "
            f"makes certificates, or {name}.plain_text: true where only a network that "
            "you trust can reach it"
        )


def url_parts(url: str) -> SplitResult:
    """Split a URL; all parts are empty if it cannot be parsed, like `http://[`."""
    try:
        return urlsplit(url)
    except ValueError:
        return SplitResult("", "", "", "", "")


def check_upstream(url: str) -> str:
    """Check an upstream's URL, and return it without its trailing slash.

    Raises:
        ConfigurationError: It is not an http(s) URL with a host.
    """
    parts = url_parts(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ConfigurationError(
            f"{without_password(url)!r} is not an upstream. Write a URL such as http://127.0.0.1:11434"
        )
    # Paths are appended, and begin with a slash.
    return url.rstrip("/")


def without_password(text: str) -> str:
    """Return the text with the user name and password of a URL hidden."""
    return _USER.sub("//…@", text)
