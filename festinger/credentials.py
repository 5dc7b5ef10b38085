"""Tokens of a data directory: those of its own programs, and those that people get.

Those of the programs are made at the first start of the memory server.
"""

from __future__ import annotations

import fcntl
import json
import os
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import Any, Final

from pydantic import ValidationError

from festinger.config import CallerSettings
from festinger.errors import ConfigurationError, PermissionDenied
from festinger.private import replacing

# The names of the programs' tokens, and of their files.
SHIM, BOTS, OPERATOR, LOCAL = "shim", "bots", "operator", "local"

LOOK_SECONDS: Final = 1.0
"""How long a change of the files may go unnoticed, in seconds."""

ALL: Final = "*"
"""Stands for all tenants."""
# Agents have `local.token`, which decides nothing: they cannot approve what they proposed.
_RIGHTS: Final[dict[str, dict[str, Any]]] = {
    SHIM: {"trusted": True},
    BOTS: {"trusted": True},
    OPERATOR: {"operator": True},
    # Agents and people of this machine, with gutask and other clients.
    LOCAL: {},
}


def token_file(data_dir: Path, name: str) -> Path:
    """Return the path of the file of a program's token."""
    return data_dir / f"{name}.token"


def read_token(data_dir: Path, name: str) -> str | None:
    """Return a program's token; None if it is missing or cannot be read."""
    try:
        return token_file(data_dir, name).read_text(encoding="ascii").strip()
    except (OSError, ValueError):  # ValueError: it is not ASCII
        return None


def ensure_tokens(data_dir: Path) -> None:
    """Create the tokens of programs that are missing. Raises `ConfigurationError`."""
    for name in _RIGHTS:
        # An existing token stays: programs that are running use it.
        if not read_token(data_dir, name):
            _write(token_file(data_dir, name), secrets.token_urlsafe(32))


def issued(data_dir: Path) -> list[CallerSettings]:
    """Return the callers whose tokens people made. Raises `ConfigurationError`."""
    file = _issued_file(data_dir)
    try:
        written = json.loads(file.read_text(encoding="utf-8"))
        # By JSON, in which times and lists are what the settings' types expect.
        return [CallerSettings.model_validate_json(json.dumps(it)) for it in written]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, TypeError) as error:
        why = (
            # Its own message has the value, which may be a hash of a token.
            "a token in it is not whole"
            if isinstance(error, ValidationError)
            else error
        )
        raise ConfigurationError(
            f"{file} cannot be read: {why}. Restore it, or remove it and make its tokens "
            "anew"
        ) from None


def issue(data_dir: Path, name: str, **fields: Any) -> str:
    """Make a token, and return it; only its hash is kept.

    Raises:
        ConfigurationError: A field is not valid, or the file is not usable.
    """
    # The names of programs prove more than a name: they may speak for others.
    if name in _RIGHTS:
        raise ConfigurationError(
            f"{name} is the name of a program of Festinger's. Choose another"
        )
    token = secrets.token_urlsafe(32)
    try:
        caller = CallerSettings(
            name=name,
            token_sha256=hash_of(token),
            create_time=datetime.now(UTC).replace(microsecond=0),
            **fields,
        )
    except ValidationError as error:
        where, why = error.errors()[0]["loc"][0], error.errors()[0]["msg"]
        raise ConfigurationError(f"{where}: {why}") from None
    # Added to those of the same name, so that a token is replaced without interruption.
    with _changing(data_dir):
        _keep(data_dir, [*issued(data_dir), caller])
    return token


def revoke(data_dir: Path, which: str) -> list[CallerSettings]:
    """Remove and return a name's tokens, or an ID's. Raises `ConfigurationError`."""
    # Read within the lock: two commands at once could bring a revoked token back.
    with _changing(data_dir):
        known = issued(data_dir)
        removed = [it for it in known if which in {it.name, it.id}]
        if removed:
            _keep(data_dir, [it for it in known if it not in removed])
    return removed


def hash_of(token: str) -> str:
    """Return the hash by which a token is known."""
    # A token of a header may have bytes that are no UTF-8, and is then just unknown.
    return sha256(token.encode("utf-8", "surrogateescape")).hexdigest()


class KnownTokens:
    """The callers with tokens in a data directory, read again when a file changes.

    Args:
        clock: Returns the seconds of a clock that only goes forward.
    """

    def __init__(self, data_dir: Path, clock: Callable[[], float] = monotonic) -> None:
        self._data_dir = data_dir
        self._clock = clock
        self._looked = float("-inf")
        self._issued: list[CallerSettings] = []
        self._callers: tuple[CallerSettings, ...] = ()

    @property
    def callers(self) -> tuple[CallerSettings, ...]:
        """The callers, as they were at most `LOOK_SECONDS` ago."""
        now = self._clock()
        # Asked for with every call: files are looked at once a second.
        if now - self._looked >= LOOK_SECONDS:
            self._looked = now
            self._callers = tuple(self._read())
        return self._callers

    def name_of(self, token: str, tenant: str) -> str | None:
        """Return the name that a token proves: empty if trusted, None if it is unknown.

        Raises:
            PermissionDenied: The token does not hold the tenant.
        """
        shown = hash_of(token)
        for caller in self.callers:
            if caller.token_sha256 != shown:
                continue
            if not caller.holds(tenant):
                raise PermissionDenied(
                    f"the token of {caller.name} may not use the memory {tenant}"
                )
            return "" if caller.name in _RIGHTS or caller.trusted else caller.name
        return None

    def _read(self) -> Iterable[CallerSettings]:
        for name, rights in _RIGHTS.items():
            # Missing and unreadable ones are simply not known.
            if token := read_token(self._data_dir, name):
                yield CallerSettings(
                    name=name, token_sha256=hash_of(token), tenants=(ALL,), **rights
                )
        try:
            self._issued = issued(self._data_dir)
        except ConfigurationError as error:
            # Imported here, since commands that only read a token have nothing to log.
            import structlog

            # Those that were known stay, so that a slip of an editor locks nobody out.
            log = structlog.get_logger(__name__)
            log.error("tokens_unreadable", why=error.message)
        # Checked each time: a token may expire while its file stays as it is.
        now = datetime.now(UTC)
        yield from (it for it in self._issued if it.is_valid(now))


def _issued_file(data_dir: Path) -> Path:
    return data_dir / "tokens.json"


@contextmanager
def _changing(data_dir: Path) -> Iterator[None]:
    """Keep other processes from changing the file of tokens while the block runs."""
    try:
        # A file of its own, as the one with the tokens is replaced.
        lock = os.open(data_dir / ".tokens.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise ConfigurationError(
            f"cannot write to {data_dir}: {error.strerror}"
        ) from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)  # which unlocks it


def _keep(data_dir: Path, callers: list[CallerSettings]) -> None:
    whole = [it.model_dump(mode="json", exclude_none=True) for it in callers]
    _write(_issued_file(data_dir), json.dumps(whole, indent=1))


def _write(file: Path, text: str) -> None:
    try:
        with replacing(file) as stream:
            stream.write(text + "\n")
    except OSError as error:
        raise ConfigurationError(
            f"cannot write {file}: {error.strerror}. Make room for it, or choose "
            "another directory with --data-dir or FESTINGER_DATA_DIR"
        ) from None
