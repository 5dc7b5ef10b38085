"""Conversion of core values to messages, field by field.

    message_of(pb.Rejection, rejection)

A field takes the attribute of its name. `statement_count` takes `statements`, if there is
no such attribute, and `create_time` takes `created` or `created_at`. Everything else is
given by the caller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields as dataclass_fields
from dataclasses import is_dataclass
from enum import Enum
from functools import cache, partial
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.timestamp_pb2 import Timestamp

from festinger.errors import InvalidArgument
from festinger.mapping import TIME
from festinger.rpc import filling

_Message = TypeVar("_Message", bound=Message)
_Member = TypeVar("_Member", bound=Enum)

Convert: TypeAlias = Callable[[Any], Any]

# The API names a moment by the verb (AIP-142), the core by the participle.
_MOMENTS: Final[Mapping[str, str]] = {
    "confirm": "confirmed",
    "create": "created",
    "decide": "decided",
    "defer": "deferred",
    "end": "ended",
    "expire": "expires",
    "fit": "fitted",
    "last_confirm": "last_confirmed",
    "post": "posted",
    "resolve": "resolved",
    "say": "said",
    "start": "started",
    "undo": "undone",
    "update": "updated",
}


class _Step(NamedTuple):
    """A field of a message, and the attribute that fills it."""

    field: str
    attribute: str
    convert: Convert | None


def message_of(kind: type[_Message], value: Any, /, **given: Any) -> _Message:
    """Convert a value to a message.

    Args:
        kind: The class of the message.
        value: A dataclass or a named tuple.
        given: Fields that take something else than the attribute of their name, as the
            message has them; None leaves a field unset.

    Raises:
        AttributeError: A field is neither given nor an attribute.
    """
    steps = _steps(kind.DESCRIPTOR, value.__class__, frozenset(given))
    for field, attribute, convert in steps:
        said = getattr(value, attribute)
        # None is an absent part, and must not become a present and empty one.
        given[field] = said if said is None or convert is None else convert(said)
    return kind(**given)


def to_time(seconds: float | None) -> Timestamp | None:
    """Convert epoch seconds to a timestamp; None for None, 0 and infinity."""
    if seconds is None or not filling.is_moment(seconds):
        return None
    message = Timestamp()
    filling.fill_time(message, seconds)
    return message


def members_of(enum: Any, kind: type[_Member]) -> Mapping[int, _Member]:
    """Return the members of a core enum by the numbers of an API's enum.

    Args:
        enum: The API's enum. Example: `pb.Conflict.State`.
        kind: The core's enum. Its members have the API's names, without the prefix, or
            values that are those names in lower case.
    """
    # `STATE_UNSPECIFIED` gives the prefix. It is no member itself.
    prefix = enum.keys()[0].removesuffix("UNSPECIFIED")
    numbers = dict(enum.items())
    return {
        numbers[next(it for it in _names(prefix, member) if it in numbers)]: member
        for member in kind
    }


def _names(prefix: str, member: Enum) -> tuple[str, str]:
    return f"{prefix}{member.name}", f"{prefix}{str(member.value).upper()}"


def from_number(number: int, known: Mapping[int, _Member], field: str) -> _Member:
    """Convert an enum value of a request; `InvalidArgument` if unknown or unspecified.

    Args:
        known: The members by their numbers, see `members_of`.
        field: The field of the request, for the error.
    """
    if number not in known:
        names = ", ".join(member.name.lower() for member in known.values())
        raise InvalidArgument(
            f"{field} is {number}, which is none. It must be one of {names}",
            field=field,
        )
    return known[number]


def from_numbers(
    numbers: Iterable[int], known: Mapping[int, _Member], field: str
) -> list[_Member]:
    """Convert enum values of a filter, as `from_number` does."""
    return [from_number(number, known, field) for number in numbers]


# Cached: names are looked up once for each class, and not for each value.
@cache
def _steps(message: Descriptor, source: Any, given: frozenset[str]) -> list[_Step]:
    known = set(dir(source))
    # A field without a default is no attribute of the class, unless it has slots.
    if is_dataclass(source):
        known |= {field.name for field in dataclass_fields(source)}
    return [
        _Step(field.name, _attribute(field.name, known, source), _converter(field))
        for field in message.fields
        if field.name not in given
    ]


def _attribute(name: str, known: set[str], source: type[Any]) -> str:
    stem, _, unit = name.rpartition("_")
    moment = _MOMENTS.get(stem, stem)
    others = {
        "count": [f"{stem}s", f"{stem}es", stem],
        "time": [moment, f"{moment}_at"],
    }
    names = [name, *others.get(unit, [])]
    found = next((it for it in names if it in known), None)
    if found is None:
        raise AttributeError(f"{source.__name__} has nothing for {name}")
    return found


def _converter(field: Any) -> Convert | None:
    """Return the conversion of a field's value; None if it is taken as it is."""
    convert = _converter_of_one(field)
    if convert is None or not field.is_repeated:
        return convert
    return lambda values: list(map(convert, values))


def _converter_of_one(field: Any) -> Convert | None:
    if field.type == FieldDescriptor.TYPE_ENUM:
        return _number_in(EnumTypeWrapper(field.enum_type))
    # A map is a message to protobuf, and takes a mapping.
    message = field.message_type
    if message is None or message.GetOptions().map_entry:
        return None
    if message.full_name == TIME:
        return to_time
    return partial(message_of, GetMessageClass(message))


def _number_in(enum: EnumTypeWrapper) -> Convert:
    return lambda member: _numbers(enum, member.__class__)[member]


@cache
def _numbers(enum: EnumTypeWrapper, kind: Any) -> Mapping[Enum, int]:
    return {member: number for number, member in members_of(enum, kind).items()}
