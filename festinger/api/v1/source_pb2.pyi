from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from typing import ClassVar as _ClassVar

DESCRIPTOR: _descriptor.FileDescriptor

class Source(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SOURCE_UNSPECIFIED: _ClassVar[Source]
    SOURCE_GUTASK: _ClassVar[Source]
    SOURCE_INFERRED: _ClassVar[Source]
    SOURCE_CLOUD_LLM: _ClassVar[Source]
    SOURCE_FESTINGER: _ClassVar[Source]
    SOURCE_EXTRACTED: _ClassVar[Source]
    SOURCE_PROMOTED: _ClassVar[Source]
    SOURCE_VALIDATED: _ClassVar[Source]
    SOURCE_DREAMING: _ClassVar[Source]
SOURCE_UNSPECIFIED: Source
SOURCE_GUTASK: Source
SOURCE_INFERRED: Source
SOURCE_CLOUD_LLM: Source
SOURCE_FESTINGER: Source
SOURCE_EXTRACTED: Source
SOURCE_PROMOTED: Source
SOURCE_VALIDATED: Source
SOURCE_DREAMING: Source
