"""Tokens of the shim, the bots and the operator, in the data directory.

Whoever can read a token's file can authenticate with it: the files have mode 0600 and
are made at the first start. Agents have no token, so they cannot act for others and
cannot approve.
"""

from __future__ import annotations

import secrets
from hashlib import sha256
from pathlib import Path

from festinger.config import CallerSettings
from festinger.errors import ConfigurationError
from festinger.private import replacing

SHIM, BOTS, OPERATOR = "shim", "bots", "operator"


def token_file(data_dir: Path, name: str) -> Path:
    """Return the path of a token's file."""
    return data_dir / f"{name}.token"


def read_token(data_dir: Path, name: str) -> str | None:
    """Return a token; None if it is missing or cannot be read."""
    try:
        return token_file(data_dir, name).read_text(encoding="ascii").strip()
    except (OSError, ValueError):  # ValueError: it is not ASCII
        return None


def ensure_callers(data_dir: Path) -> tuple[CallerSettings, ...]:
    """Return the callers that authenticate with the tokens of a data directory.

    Missing tokens are created.

    Raises:
        ConfigurationError: A token cannot be written.
    """
    shim, bots = (
        CallerSettings(
            name=name,
            token_sha256=_hash(_ensure(data_dir, name)),
            trusted=True,
            tenants=("*",),
        )
        for name in (SHIM, BOTS)
    )
    operator = CallerSettings(
        name=OPERATOR,
        token_sha256=_hash(_ensure(data_dir, OPERATOR)),
        operator=True,
        tenants=("*",),
    )
    return shim, bots, operator


def _ensure(data_dir: Path, name: str) -> str:
    file = token_file(data_dir, name)
    token = read_token(data_dir, name)
    if not token:
        token = secrets.token_urlsafe(32)
        try:
            with replacing(file) as stream:
                stream.write(token + "\n")
        except OSError as error:
            raise ConfigurationError(
                f"cannot write {file}: {error.strerror}. Make room for it, or choose "
                "another directory with --data-dir or FESTINGER_DATA_DIR"
            ) from None
    return token


def _hash(token: str) -> str:
    return sha256(token.encode()).hexdigest()
