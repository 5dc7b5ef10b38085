"""Encryption at rest of the models' API keys (F3).

The form of what is stored, with the length of each part in bytes:

    sealed := format (1 byte) · key id (4) · nonce (12) · ciphertext and tag
"""

from __future__ import annotations

import base64
import json
import os
import secrets
import stat
from hashlib import sha256
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from pydantic import SecretStr

from festinger.errors import ConfigurationError, KeyUnreadable
from festinger.llm.interface import KeyPlace

FILE = "model.keys"
"""The name of the key file in the data directory."""
ENVIRONMENT = "FESTINGER_KEYS"
"""The environment variable that replaces the key file, if it is set."""

_FORMAT = b"\x01"
# AES-256; four bytes tell keys of one file apart; GCM's own length of nonces.
_KEY_BYTES, _NAME_BYTES, _NONCE_BYTES = 32, 4, 12
_HOW = "Write 32 bytes in Base64, as `openssl rand -base64 32` prints them"


class FileKeyring:
    """Keyring that seals with the newest key of a file, and opens with any of them.

    Args:
        data_dir: The directory of the file, which is created at the first `seal`.
        keys: The environment's keys, which replace the file.

    Raises:
        ConfigurationError: The environment's keys are invalid.
    """

    def __init__(self, data_dir: Path, keys: SecretStr | None = None) -> None:
        self._file = data_dir / FILE
        self._keys = _parsed(keys.get_secret_value(), ENVIRONMENT) if keys else []

    def seal(self, key: SecretStr, place: KeyPlace) -> bytes:
        """Seal a key with the newest key of the keyring."""
        # Older keys open what they sealed, until `rotate` seals it again.
        newest = self._ensured(place)[0]
        # Random: the same key and nonce twice would break GCM.
        nonce = secrets.token_bytes(_NONCE_BYTES)
        secret = key.get_secret_value().encode()
        sealed = AESGCM(newest).encrypt(nonce, secret, _bound(place))
        return _FORMAT + _name(newest) + nonce + sealed

    def open(self, sealed: bytes, place: KeyPlace) -> SecretStr:
        """Open a sealed key.

        Raises:
            KeyUnreadable: It was sealed with a missing key, or for another place.
        """
        head = len(_FORMAT) + _NAME_BYTES
        name, nonce = sealed[1:head], sealed[head : head + _NONCE_BYTES]
        # Several keys may have the same name; the tag of GCM tells which one fits.
        for key in self._usable(place):
            if sealed.startswith(_FORMAT) and _name(key) == name:
                try:
                    secret = AESGCM(key).decrypt(
                        nonce, sealed[head + _NONCE_BYTES :], _bound(place)
                    )
                except (InvalidTag, ValueError):
                    continue
                return SecretStr(secret.decode())
        where = ENVIRONMENT if self._keys else str(self._file)
        raise KeyUnreadable(
            f"the key of model {place.model_id} cannot be decrypted with what {where} "
            "holds. Put the key back with which it was encrypted, or remove the model "
            "and add it again",
            model_id=str(place.model_id),
        )

    def _ensured(self, place: KeyPlace) -> list[bytes]:
        """Return the keys, newest first; create the file if there are none."""
        keys = self._usable(place)
        if not keys:
            _make(self._file)
            keys = self._usable(place)
        return keys

    def _usable(self, place: KeyPlace) -> list[bytes]:
        """Return the keys, newest first; empty if there is no file yet."""
        try:
            return self._keys or self._read()
        except ConfigurationError as error:
            raise KeyUnreadable(error.message, model_id=str(place.model_id)) from None

    def _read(self) -> list[bytes]:
        """Return the keys of the file; empty if there is no file."""
        # For every call, so that an added key takes effect immediately.
        try:
            descriptor = os.open(self._file, os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise ConfigurationError(
                f"cannot read {self._file}: {error.strerror}"
            ) from None
        with os.fdopen(descriptor, encoding="utf-8", errors="replace") as stream:
            # Group and others: whoever reads it could open all keys of a stolen database.
            if stat.S_IMODE(os.fstat(descriptor).st_mode) & 0o077:
                raise ConfigurationError(
                    f"others can read {self._file}, which holds the key to the models' "
                    f"keys. Take it from them: chmod 600 {self._file}"
                )
            return _parsed(stream.read(), str(self._file))


def _make(file: Path) -> None:
    """Create the file atomically with a new key; keep a file that exists."""
    half = file.with_name(f"{file.name}.{secrets.token_hex(4)}")
    descriptor = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(base64.b64encode(secrets.token_bytes(_KEY_BYTES)) + b"\n")
            stream.flush()
            # A key that is lost with the machine's power would lose what it sealed.
            os.fsync(descriptor)
        try:
            # Fails if the file exists, unlike a rename.
            os.link(half, file)
        except FileExistsError:
            return
    finally:
        half.unlink()


def _parsed(text: str, where: str) -> list[bytes]:
    """Parse keys separated by white space, with comment lines that begin with #.

    Raises:
        ConfigurationError: A key is invalid, or there is none.
    """
    words = [
        word
        for line in text.splitlines()
        if not line.lstrip().startswith("#")
        for word in line.split()
    ]
    try:
        keys = [base64.b64decode(word, validate=True) for word in words]
    except ValueError:
        keys = []
    if not keys or any(len(key) != _KEY_BYTES for key in keys):
        # The message must not contain the key.
        raise ConfigurationError(f"a key in {where} is none. {_HOW}")
    return keys


def _name(key: bytes) -> bytes:
    """Return the identifier of a key, which does not reveal it."""
    # A digest of the key is safe to store beside what it sealed.
    return sha256(b"festinger " + key).digest()[:_NAME_BYTES]


def _bound(place: KeyPlace) -> bytes:
    """Return the associated data of a sealed key."""
    # A key that is moved to another tenant, model or provider cannot be opened there.
    return json.dumps([place.tenant, place.model_id, place.provider]).encode()
