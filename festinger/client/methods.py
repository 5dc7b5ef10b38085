"""Methods of the memory server by their names, such as `LineService.Say`."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from typing import Any

from google.protobuf import descriptor_pool
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

PACKAGE = "festinger.api.v1"

# The begin of each word but the first, in `ConceptService`.
_WORD = re.compile(r"(?<!^)(?=[A-Z])")


@cache
def request_kind(method: str) -> type[Message]:
    """Return the class of a method's requests. Raises `KeyError`: there is none."""
    return GetMessageClass(_found(method).input_type)


@cache
def answer_kind(method: str) -> type[Message]:
    """Return the class of a method's responses. Raises `KeyError`: there is none."""
    return GetMessageClass(_found(method).output_type)


def method_of(request: Message) -> str:
    """Return the method that takes a request: each has a class of its own."""
    return _taking(request.DESCRIPTOR)


@cache
def _taking(kind: Any) -> str:
    services = kind.file.services_by_name.values()
    methods = [(service, it) for service in services for it in service.methods]
    service, method = next(it for it in methods if it[1].input_type == kind)
    return f"{service.name}.{method.name}"


@cache
def path_of(method: str) -> str:
    """Return the path of a method, as gRPC has it."""
    service, _, name = _full(method).rpartition(".")
    return f"/{service}/{name}"


def calling(channel: Any, method: str) -> Any:
    """Return the callable of a method with one request, as a generated stub has it.

    Args:
        channel: The channel, of either kind.
        method: Service and method; in full, if it is of another package.

    Raises:
        KeyError: There is no such method.
    """
    is_stream = _found(method).server_streaming
    kind = channel.unary_stream if is_stream else channel.unary_unary
    return kind(
        path_of(method),
        request_serializer=request_kind(method).SerializeToString,
        response_deserializer=answer_kind(method).FromString,
    )


def _found(method: str) -> Any:
    service, _, _ = method.partition(".")
    full = _full(method)
    # The generated modules register what they hold; one is called after its service.
    if full.startswith(PACKAGE):
        try:
            import_module(f"{PACKAGE}.{_WORD.sub('_', service).lower()}_pb2")
        except ModuleNotFoundError:
            raise KeyError(f"there is no {method}") from None
    pool: Any = descriptor_pool.Default()
    return pool.FindMethodByName(full)


def _full(method: str) -> str:
    # Those of other packages, such as that of the health service, are named in full.
    return method if method.count(".") > 1 else f"{PACKAGE}.{method}"
