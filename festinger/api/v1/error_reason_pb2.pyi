from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from typing import ClassVar as _ClassVar

DESCRIPTOR: _descriptor.FileDescriptor

class ErrorReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ERROR_REASON_UNSPECIFIED: _ClassVar[ErrorReason]
    ERROR_REASON_INVALID_ARGUMENT: _ClassVar[ErrorReason]
    ERROR_REASON_FACT_SYNTAX: _ClassVar[ErrorReason]
    ERROR_REASON_NOT_A_TOKEN: _ClassVar[ErrorReason]
    ERROR_REASON_TENANT_NOT_FOUND: _ClassVar[ErrorReason]
    ERROR_REASON_CONCEPT_NOT_FOUND: _ClassVar[ErrorReason]
    ERROR_REASON_CONFLICT_NOT_FOUND: _ClassVar[ErrorReason]
    ERROR_REASON_CONFLICT_CLOSED: _ClassVar[ErrorReason]
    ERROR_REASON_ETAG_MISMATCH: _ClassVar[ErrorReason]
    ERROR_REASON_FACTOID_NOT_FOUND: _ClassVar[ErrorReason]
    ERROR_REASON_FACTOID_CLOSED: _ClassVar[ErrorReason]
    ERROR_REASON_REQUEST_ID_REUSED: _ClassVar[ErrorReason]
    ERROR_REASON_UNAUTHENTICATED: _ClassVar[ErrorReason]
    ERROR_REASON_PERMISSION_DENIED: _ClassVar[ErrorReason]
    ERROR_REASON_DATABASE_UNAVAILABLE: _ClassVar[ErrorReason]
    ERROR_REASON_OVERLOADED: _ClassVar[ErrorReason]
    ERROR_REASON_INTERNAL: _ClassVar[ErrorReason]
    ERROR_REASON_FACT_NOT_HELD: _ClassVar[ErrorReason]
    ERROR_REASON_BEHIND: _ClassVar[ErrorReason]
    ERROR_REASON_CORRUPT_MEMORY: _ClassVar[ErrorReason]
ERROR_REASON_UNSPECIFIED: ErrorReason
ERROR_REASON_INVALID_ARGUMENT: ErrorReason
ERROR_REASON_FACT_SYNTAX: ErrorReason
ERROR_REASON_NOT_A_TOKEN: ErrorReason
ERROR_REASON_TENANT_NOT_FOUND: ErrorReason
ERROR_REASON_CONCEPT_NOT_FOUND: ErrorReason
ERROR_REASON_CONFLICT_NOT_FOUND: ErrorReason
ERROR_REASON_CONFLICT_CLOSED: ErrorReason
ERROR_REASON_ETAG_MISMATCH: ErrorReason
ERROR_REASON_FACTOID_NOT_FOUND: ErrorReason
ERROR_REASON_FACTOID_CLOSED: ErrorReason
ERROR_REASON_REQUEST_ID_REUSED: ErrorReason
ERROR_REASON_UNAUTHENTICATED: ErrorReason
ERROR_REASON_PERMISSION_DENIED: ErrorReason
ERROR_REASON_DATABASE_UNAVAILABLE: ErrorReason
ERROR_REASON_OVERLOADED: ErrorReason
ERROR_REASON_INTERNAL: ErrorReason
ERROR_REASON_FACT_NOT_HELD: ErrorReason
ERROR_REASON_BEHIND: ErrorReason
ERROR_REASON_CORRUPT_MEMORY: ErrorReason
