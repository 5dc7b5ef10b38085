"""Tags of protobuf message fields: field number and wire type in one byte."""

from __future__ import annotations

from typing import Final

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

_WIRE_TYPES: Final = {
    FieldDescriptor.CPPTYPE_BOOL: 0,
    FieldDescriptor.CPPTYPE_ENUM: 0,
    FieldDescriptor.CPPTYPE_INT32: 0,
    FieldDescriptor.CPPTYPE_INT64: 0,
    FieldDescriptor.CPPTYPE_DOUBLE: 1,
    FieldDescriptor.CPPTYPE_STRING: 2,
    FieldDescriptor.CPPTYPE_MESSAGE: 2,
}


def tag_of(message: type[Message], name: str) -> int:
    """Return the tag byte that precedes the value of a field.

    Raises:
        ValueError: The tag takes more than one byte.
    """
    field = message.DESCRIPTOR.fields_by_name[name]
    return bytes((field.number << 3 | _WIRE_TYPES[field.cpp_type],))[0]
