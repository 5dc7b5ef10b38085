"""The tokens that a data directory holds: for the shim, for the bots, for its operator.

Whoever can read the file is the caller: they have mode 0600 and are made at the first
start. Agents have none, so they cannot act for others and cannot approve.
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
    """Where a token is kept."""
    return data_dir / f"{name}.token"


def read_token(data_dir: Path, name: str) -> str | None:
    """A token; None if there is none that we can read."""
    try:
        return token_file(data_dir, name).read_text(encoding="ascii").strip()
    except (OSError, ValueError):  # ValueError: no token of ours has such letters
        return None


def ensure_callers(data_dir: Path) -> tuple[CallerSettings, ...]:
    """The callers that authenticate with the tokens of a data directory.

    Missing tokens are made.

    Raises:
        ConfigurationError: One cannot be made.
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
