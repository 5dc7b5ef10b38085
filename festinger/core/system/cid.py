"""Content identifiers: values are identified by the hash of their canonical form (I1).

    value ─▶ canonical form ─▶ SHA2-256 ─▶ CIDv1, dag-cbor, base32

The canonical form is DAG-CBOR restricted to fewer types, so that each value has exactly
one encoding, in any language: text, integers of 64 bits, booleans, lists, and maps
whose keys are text. There are no fractions.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import libipld

Value: TypeAlias = "str | int | bool | Sequence[Value] | Mapping[str, Value]"
"""A value that has a canonical form."""

_CID = b"\x01\x71\x12\x20"
"""Prefix of a binary CID: version 1, dag-cbor, SHA2-256, digest of 32 bytes."""
_CID_BYTES = len(_CID) + 32
_INTEGER_BITS = 63  # and the sign
_DEPTH_MAX = 16  # bounds the recursion


def canonical(value: Value) -> bytes:
    """Return the canonical form of a value.

    Raises:
        ValueError: It has no canonical form; the message names the part that has none.
    """
    _check(value, "the value", _DEPTH_MAX)
    return libipld.encode_dag_cbor(_plain(value))


def read(data: bytes) -> Value:
    """Return the value of a canonical form.

    Raises:
        ValueError: The bytes are not a canonical form, for instance because they encode
            a value in another way.
    """
    try:
        # The decoder may accept other encodings of a value, and types that are not permitted here.
        value: Value = libipld.decode_dag_cbor(data)
        again = canonical(value)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"these bytes are no canonical form: {error}") from None
    if again != data:
        raise ValueError("these bytes are not the canonical form of what they say")
    return value


def cid_of(data: bytes) -> str:
    """Return the CID of a canonical form."""
    binary = _CID + hashlib.sha256(data).digest()
    # "b" is the multibase prefix of base32 in lower case, which has no padding here.
    return "b" + base64.b32encode(binary).decode("ascii").lower().rstrip("=")


def is_cid(text: str) -> bool:
    """Return whether a text is a valid CID."""
    if not text.startswith("b") or text != text.lower():
        return False
    # Base32 wants a multiple of eight characters.
    padding = "=" * (-(len(text) - 1) % 8)
    try:
        binary = base64.b32decode(text[1:].upper() + padding)
    except (binascii.Error, ValueError):
        return False
    if len(binary) != _CID_BYTES or not binary.startswith(_CID):
        return False
    # The last character has unused bits, and only one spelling is valid.
    return text[1:] == base64.b32encode(binary).decode("ascii").lower().rstrip("=")


def _check(value: object, where: str, depth: int) -> None:
    if depth == 0:
        raise ValueError(f"{where} is nested too deeply")
    if isinstance(value, str):
        try:
            # Fails for half of a surrogate pair, which JSON can hold: `"\ud800"`.
            value.encode()
        except UnicodeEncodeError:
            raise ValueError(f"{where} is not Unicode text") from None
    # Booleans are integers in Python.
    elif isinstance(value, int):
        if not -(1 << _INTEGER_BITS) <= value < 1 << _INTEGER_BITS:
            raise ValueError(f"{where} does not fit into 64 bits")
    elif isinstance(value, Mapping):
        for key, each in value.items():
            if not isinstance(key, str):
                raise ValueError(f"a key of {where} is not text")
            # Keys add no level of their own.
            _check(key, f"a key of {where}", depth)
            _check(each, f"{where}[{key!r}]", depth - 1)
    elif isinstance(value, list | tuple):
        for place, each in enumerate(value):
            _check(each, f"{where}[{place}]", depth - 1)
    else:
        raise ValueError(f"{where} is of a kind without a canonical form")


def _plain(value: Value) -> object:
    """Return the value as lists and dictionaries, the types the encoder accepts."""
    if isinstance(value, str | int):
        return value
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value]
