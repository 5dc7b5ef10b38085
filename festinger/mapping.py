"""Conversion of API messages to JSON objects and back.

    MemoryRecord(id=7, type=TYPE_DECISION)  ⇄  {"id": 7, "type": "decision", …}

Fields have the API's names, and values of enums are lower-case words. Otherwise it is
protobuf's own JSON mapping, except that all numbers are JSON numbers and that missing
values are null.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final, TypeAlias, TypeVar

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.timestamp_pb2 import Timestamp

from festinger.errors import InvalidArgument

INTEGERS: Final = {
    FieldDescriptor.TYPE_INT32: 2**31,
    FieldDescriptor.TYPE_INT64: 2**63,
}
"""The exclusive upper bound of each integer type."""
_INTEGER: Final = re.compile(r"-?[0-9]{1,19}")
_DECIMAL: Final = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?")  # no sign and no exponent
TIME: Final = "google.protobuf.Timestamp"

_Message = TypeVar("_Message", bound=Message)

Field: TypeAlias = Any
"""Descriptor of a field; protobuf has several classes of them."""
Aliases = Mapping[str, tuple[str, ...]]
Adding = Callable[[Any], Mapping[str, Any]]


def to_object(message: Any, adding: Mapping[str, Adding]) -> dict[str, Any]:
    """Convert a message to a JSON object.

    Args:
        adding: Further entries of the objects of a message type, by its full name.
    """
    kind = message.DESCRIPTOR
    told = {field.name: _told(message, field, adding) for field in kind.fields}
    return told | dict(adding.get(kind.full_name, lambda _: {})(message))


def to_message(
    said: Mapping[str, Any], kind: type[_Message], aliases: Aliases
) -> _Message:
    """Convert a JSON object to a message.

    Args:
        aliases: Other names, and the fields they may stand for.

    Raises:
        InvalidArgument: A field is unknown, or its value is invalid.
    """
    message = kind()
    fields = message.DESCRIPTOR.fields_by_name
    for name, value in said.items():
        field = _found(fields, name, aliases)
        if field is None:
            known = ", ".join(sorted(fields))
            raise InvalidArgument(
                f"there is no {name} here. Fields: {known}", field=name
            )
        # As if it were left out: a response's null can be sent back.
        if value is None:
            continue
        # A single value stands for a list of one: `"status": "pending"`.
        values = value if field.is_repeated and isinstance(value, list) else [value]
        try:
            meant = [_meant(field, it, aliases) for it in values]
        except ValueError as error:
            raise InvalidArgument(f"{name} must be {error}", field=name) from None
        if field.is_repeated:
            getattr(message, field.name).extend(meant)
        elif field.message_type:
            getattr(message, field.name).CopyFrom(meant[0])
        else:
            setattr(message, field.name, meant[0])
    return message


def from_query(
    query: Mapping[str, str], kind: type[_Message], aliases: Aliases
) -> _Message:
    """Convert a query to a message. Raises `InvalidArgument`."""
    fields = kind.DESCRIPTOR.fields_by_name
    said: dict[str, Any] = {}
    for name, text in query.items():
        field = _found(fields, name, aliases)
        if field is None or not field.is_repeated:
            said[name] = _spelt(field, text)
        else:
            # `pending,resolved`, and nothing for an empty value.
            said[name] = [_spelt(field, it.strip()) for it in text.split(",") if it]
    return to_message(said, kind, aliases)


def words_of(kind: Any) -> dict[str, int]:
    """Return the JSON words of an enum's values, with their numbers."""
    # `STATE_UNSPECIFIED` gives the prefix: `STATE_PENDING` is the word `pending`.
    prefix = kind.values_by_number[0].name.removesuffix("UNSPECIFIED")
    return {
        value.name.removeprefix(prefix).lower(): value.number for value in kind.values
    }


def choices_of(enum: Any) -> dict[str, Any]:
    """Return the words of a generated enum's values, without the one of 0."""
    return {word: it for word, it in words_of(enum.DESCRIPTOR).items() if it}


def word_of(enum: Any, number: int) -> str:
    """Return the word of a value of a generated enum: `pending`."""
    prefix = enum.keys()[0].removesuffix("UNSPECIFIED")
    return str(enum.Name(number)).removeprefix(prefix).lower()


def _found(fields: Mapping[str, Field], name: str, aliases: Aliases) -> Field | None:
    """Return the field of a name or of one of its aliases; None if there is none."""
    names = (name, *aliases.get(name, ()))
    return next((fields[it] for it in names if it in fields), None)


def _told(message: Any, field: Field, adding: Mapping[str, Adding]) -> Any:
    value = getattr(message, field.name)
    if field.message_type and field.message_type.GetOptions().map_entry:
        return dict(value)  # of plain values: the API has no map of messages
    if field.is_repeated:
        return [_value(field, it, adding) for it in value]
    if field.has_presence and not message.HasField(field.name):
        return None
    return _value(field, value, adding)


def _value(field: Field, value: Any, adding: Mapping[str, Adding]) -> Any:
    if field.type == FieldDescriptor.TYPE_ENUM:
        words = {number: word for word, number in words_of(field.enum_type).items()}
        # A number of a later version of the API stays a number.
        return words.get(value, value) if value else None
    if field.type == FieldDescriptor.TYPE_BYTES:
        return b64encode(value).decode()
    if field.type != FieldDescriptor.TYPE_MESSAGE:
        return value
    if field.message_type.full_name == TIME:
        return value.ToJsonString()
    return to_object(value, adding)


def _spelt(field: Field | None, text: str) -> Any:
    """Convert a value of a query to the JSON value of a field."""
    # What does not fit stays text, and is refused with what it has to be.
    if field is None:
        return text
    if field.type == FieldDescriptor.TYPE_BOOL:
        return {"true": True, "1": True, "false": False, "0": False}.get(text, text)
    if field.type in INTEGERS and _INTEGER.fullmatch(text):
        return int(text)
    if field.type == FieldDescriptor.TYPE_DOUBLE and _DECIMAL.fullmatch(text):
        return float(text)
    return text


def _meant(field: Field, value: Any, aliases: Aliases) -> Any:
    """Convert a JSON value to the value of a field.

    Raises:
        ValueError: The value is invalid; the message says what it has to be.
        InvalidArgument: The value is an object with an invalid field.
    """
    match field.type:
        case FieldDescriptor.TYPE_ENUM:
            words = words_of(field.enum_type)
            # Not the word of 0: unspecified is said by leaving it out.
            if isinstance(value, str) and words.get(value):
                return words[value]
            raise ValueError(f"one of {', '.join(it for it in words if words[it])}")
        case FieldDescriptor.TYPE_MESSAGE if field.message_type.full_name == TIME:
            if isinstance(value, str):
                with suppress(ValueError):
                    time = Timestamp()
                    time.FromJsonString(value)
                    return time
            raise ValueError("a time such as 2026-11-22T09:30:00Z")
        case FieldDescriptor.TYPE_MESSAGE:
            if isinstance(value, dict):
                return to_message(value, GetMessageClass(field.message_type), aliases)
            raise ValueError("an object")
        # `type` instead of `isinstance`: true is an int in Python, and no number in JSON.
        case FieldDescriptor.TYPE_DOUBLE if type(value) in {int, float}:
            with suppress(OverflowError):  # an integer of 400 digits
                return float(value)
        case FieldDescriptor.TYPE_BOOL if isinstance(value, bool):
            return value
        case FieldDescriptor.TYPE_STRING if isinstance(value, str):
            return value
        case FieldDescriptor.TYPE_BYTES if isinstance(value, str):
            with suppress(ValueError):
                return b64decode(value, validate=True)
        case kind if kind in INTEGERS and type(value) is int:
            if -INTEGERS[kind] <= value < INTEGERS[kind]:
                return value
    # Also for what a case above took and could not convert.
    raise ValueError(_CALLED.get(field.type, "a number"))


_CALLED: Final = {
    FieldDescriptor.TYPE_BOOL: "true or false",
    FieldDescriptor.TYPE_STRING: "a string",
    FieldDescriptor.TYPE_BYTES: "bytes in base64",
}
