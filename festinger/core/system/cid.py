"""Content identifiers: things are called by the hash of themselves (I1).

    value ─▶ canonical form ─▶ SHA2-256 ─▶ CIDv1, dag-cbor, base32

The canonical form is DAG-CBOR with fewer kinds of values than that allows, so that there
is one way only to write anything down, in any language: text, whole numbers of 64 bits,
yes and no, lists, and maps whose keys are text. There are no fractions.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import libipld

Value: TypeAlias = "str | int | bool | Sequence[Value] | Mapping[str, Value]"
"""What has a canonical form."""

_CID = b"\x01\x71\x12\x20"
"""Version 1, dag-cbor, SHA2-256, 32 bytes of which follow."""
_CID_BYTES = len(_CID) + 32
_INTEGER_BITS = 63
_DEPTH_MAX = 16


def canonical(value: Value) -> bytes:
    """The one way to write a value down.

    Raises:
        ValueError: It has no canonical form; the message says what in it.
    """
    _check(value, "the value", _DEPTH_MAX)
    return libipld.encode_dag_cbor(_plain(value))


def read(data: bytes) -> Value:
    """What was written down.

    Raises:
        ValueError: It is not a canonical form, for instance because the same value is
            written otherwise.
    """
    try:
        value: Value = libipld.decode_dag_cbor(data)
        again = canonical(value)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"these bytes are no canonical form: {error}") from None
    if again != data:
        raise ValueError("these bytes are not the canonical form of what they say")
    return value


def cid_of(data: bytes) -> str:
    """What something is called that is written down so."""
    binary = _CID + hashlib.sha256(data).digest()
    return "b" + base64.b32encode(binary).decode("ascii").lower().rstrip("=")


def is_cid(text: str) -> bool:
    """Whether something could be called so."""
    if not text.startswith("b") or text != text.lower():
        return False
    padding = "=" * (-(len(text) - 1) % 8)
    try:
        binary = base64.b32decode(text[1:].upper() + padding)
    except (binascii.Error, ValueError):
        return False
    if len(binary) != _CID_BYTES or not binary.startswith(_CID):
        return False
    # The last character has bits to spare, and only one spelling is meant.
    return text[1:] == base64.b32encode(binary).decode("ascii").lower().rstrip("=")


def _check(value: object, where: str, depth: int) -> None:
    if depth == 0:
        raise ValueError(f"{where} is nested too deeply")
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            raise ValueError(f"{where} is not Unicode text") from None
    elif isinstance(value, int):
        if not -(1 << _INTEGER_BITS) <= value < 1 << _INTEGER_BITS:
            raise ValueError(f"{where} does not fit into 64 bits")
    elif isinstance(value, Mapping):
        for key, each in value.items():
            if not isinstance(key, str):
                raise ValueError(f"a key of {where} is not text")
            _check(key, f"a key of {where}", depth)
            _check(each, f"{where}[{key!r}]", depth - 1)
    elif isinstance(value, list | tuple):
        for place, each in enumerate(value):
            _check(each, f"{where}[{place}]", depth - 1)
    else:
        raise ValueError(f"{where} is of a kind without a canonical form")


def _plain(value: Value) -> object:
    """The same in lists and dictionaries, which is what the encoder knows."""
    if isinstance(value, str | int):
        return value
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value]
