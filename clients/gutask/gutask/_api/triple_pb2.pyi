# mypy: ignore-errors
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor

class Triple(_message.Message):
    __slots__ = ("concept", "parent", "dimension", "is_isa", "negated")
    CONCEPT_FIELD_NUMBER: _ClassVar[int]
    PARENT_FIELD_NUMBER: _ClassVar[int]
    DIMENSION_FIELD_NUMBER: _ClassVar[int]
    IS_ISA_FIELD_NUMBER: _ClassVar[int]
    NEGATED_FIELD_NUMBER: _ClassVar[int]
    concept: str
    parent: str
    dimension: str
    is_isa: bool
    negated: bool
    def __init__(self, concept: _Optional[str] = ..., parent: _Optional[str] = ..., dimension: _Optional[str] = ..., is_isa: _Optional[bool] = ..., negated: _Optional[bool] = ...) -> None: ...
