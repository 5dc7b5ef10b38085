"""The models' keys, encrypted at rest (F3).

AES-256-GCM, with the tenant, the model's number and its provider as associated data: a
key that is moved to another row cannot be opened there. What it is encrypted with is in
the environment or in a file of the data directory, and never in the database.

    sealed := format (1 byte) · which key (4) · nonce (12) · ciphertext and tag
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
"""The variable that is used instead, if it is set."""

_FORMAT = b"\x01"
_KEY_BYTES, _NAME_BYTES, _NONCE_BYTES = 32, 4, 12
_HOW = "Write 32 bytes in Base64, as `openssl rand -base64 32` prints them"


class FileKeyring:
    """Seals with the first key of a file, and opens with any of them.

    The file is read for every call, so that a key that was added counts at once.

    Args:
        data_dir: Where the file is; it is made when something is sealed first.
        keys: What the environment has instead of the file.

    Raises:
        ConfigurationError: The environment's keys are none.
    """

    def __init__(self, data_dir: Path, keys: SecretStr | None = None) -> None:
        self._file = data_dir / FILE
        self._keys = _parsed(keys.get_secret_value(), ENVIRONMENT) if keys else []

    def seal(self, key: SecretStr, place: KeyPlace) -> bytes:
        """Seals a key with the newest key of the key file."""
        newest = self._ensured(place)[0]
        nonce = secrets.token_bytes(_NONCE_BYTES)
        secret = key.get_secret_value().encode()
        sealed = AESGCM(newest).encrypt(nonce, secret, _bound(place))
        return _FORMAT + _name(newest) + nonce + sealed

    def open(self, sealed: bytes, place: KeyPlace) -> SecretStr:
        """Opens a key."""
        head = len(_FORMAT) + _NAME_BYTES
        name, nonce = sealed[1:head], sealed[head : head + _NONCE_BYTES]
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
        """The keys; a file is made where there is none."""
        keys = self._usable(place)
        if not keys:
            _make(self._file)
            keys = self._usable(place)
        return keys

    def _usable(self, place: KeyPlace) -> list[bytes]:
        """The keys, newest first; none if there is no file yet."""
        try:
            return self._keys or self._read()
        except ConfigurationError as error:
            raise KeyUnreadable(error.message, model_id=str(place.model_id)) from None

    def _read(self) -> list[bytes]:
        """The keys of the file; none if there is no file."""
        try:
            descriptor = os.open(self._file, os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise ConfigurationError(
                f"cannot read {self._file}: {error.strerror}"
            ) from None
        with os.fdopen(descriptor, encoding="utf-8", errors="replace") as stream:
            if stat.S_IMODE(os.fstat(descriptor).st_mode) & 0o077:
                raise ConfigurationError(
                    f"others can read {self._file}, which holds the key to the models' "
                    f"keys. Take it from them: chmod 600 {self._file}"
                )
            return _parsed(stream.read(), str(self._file))


def _make(file: Path) -> None:
    """Makes the file, all at once; whoever is second finds the first one's."""
    half = file.with_name(f"{file.name}.{secrets.token_hex(4)}")
    descriptor = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(base64.b64encode(secrets.token_bytes(_KEY_BYTES)) + b"\n")
            stream.flush()
            os.fsync(descriptor)
        try:
            os.link(half, file)
        except FileExistsError:
            return
    finally:
        half.unlink()


def _parsed(text: str, where: str) -> list[bytes]:
    """The keys of a text, one a line or a word; lines that begin with # are remarks.

    Raises:
        ConfigurationError: One is none, or there is none at all.
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
        # Which one is wrong is said, what it is is not.
        raise ConfigurationError(f"a key in {where} is none. {_HOW}")
    return keys


def _name(key: bytes) -> bytes:
    """Which key it is, without saying what it is."""
    return sha256(b"festinger " + key).digest()[:_NAME_BYTES]


def _bound(place: KeyPlace) -> bytes:
    """What a sealed key is bound to."""
    return json.dumps([place.tenant, place.model_id, place.provider]).encode()
