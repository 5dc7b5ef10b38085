"""The calls to the memory server: metadata, deadlines, retries and errors."""

from __future__ import annotations

import math
import time
import uuid
from datetime import datetime
from types import TracebackType
from typing import NamedTuple, Self, TypeVar
from urllib.parse import quote

import grpc
from google.protobuf.message import Message

from gutask._api.concept_service_pb2 import (
    GetConceptRequest,
    GetConceptResponse,
    HistoryRequest,
    HistoryResponse,
)
from gutask._api.history_pb2 import HistoryEvent
from gutask._api.line_service_pb2 import (
    RateLineRequest,
    RateLineResponse,
    SayRequest,
    SayResponse,
    SearchLinesRequest,
    SearchLinesResponse,
)
from gutask._api.memory_service_pb2 import (
    AssertRequest,
    AssertResponse,
    RetractRequest,
    RetractResponse,
)
from gutask.errors import GutaskError

ERROR_DOMAIN = "festinger"
# Between the tries of a call that found no server, in seconds.
PAUSES = (0.2, 0.6)
# The most that a server gives at once.
EVENTS_PER_PAGE = 1000

_CHANNEL_OPTIONS = (
    # A retry must connect anew, not hear again that the last attempt failed.
    ("grpc.initial_reconnect_backoff_ms", 100),
    # The server is named by its address; a proxy for the web does not lead to it.
    ("grpc.enable_http_proxy", 0),
)

_Request = TypeVar("_Request", bound=Message)
_Response = TypeVar("_Response", bound=Message)


class Encryption(NamedTuple):
    """Files of an encrypted connection, in PEM form; each may be missing."""

    authority: bytes | None
    certificate: bytes | None
    key: bytes | None


class MemoryConnection:
    """A connection to a memory server.

    Args:
        address: HOST:PORT.
        tenant: The memory to use; the server's default if None.
        token: The bearer token; none is sent if None.
        project: Where the agent works, in any script; nowhere in particular if None.
        timeout: How long a call may take with all its tries, in seconds.
        encryption: What verifies the server, and this client; None for plain text.

    Raises:
        GutaskError: The tenant or the token cannot stand in a header.
    """

    def __init__(
        self,
        address: str,
        *,
        tenant: str | None = None,
        token: str | None = None,
        project: str | None = None,
        timeout: float = 10.0,
        encryption: Encryption | None = None,
    ) -> None:
        self._address = address
        self._timeout = timeout
        self._metadata = _metadata(tenant=tenant, token=token, project=project)
        if encryption is None:
            self._channel = grpc.insecure_channel(address, options=_CHANNEL_OPTIONS)
        else:
            credentials = grpc.ssl_channel_credentials(
                encryption.authority, encryption.key, encryption.certificate
            )
            self._channel = grpc.secure_channel(
                address, credentials, options=_CHANNEL_OPTIONS
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._channel.close()

    def state(self, fact: str) -> AssertResponse:
        """State a fact and wait until it is committed. Raises `GutaskError`."""
        # Every try carries the same id, so that a lost answer changes nothing twice.
        request = AssertRequest(fact=fact, request_id=str(uuid.uuid4()))
        return self._call("MemoryService/Assert", request, AssertResponse)

    def say(self, text: str) -> SayResponse:
        """Say something in plain words and wait for the commit. Raises `GutaskError`."""
        request = SayRequest(text=text, request_id=str(uuid.uuid4()))
        return self._call("LineService/Say", request, SayResponse)

    def search(self, words: str, *, most: int) -> SearchLinesResponse:
        """Find the lines that fit some words best. Raises `GutaskError`."""
        request = SearchLinesRequest(query=words, page_size=most)
        return self._call("LineService/SearchLines", request, SearchLinesResponse)

    def rate(self, name: str, *, wrong: bool, prompt: str) -> RateLineResponse:
        """Say that a line helped, or that it is wrong. Raises `GutaskError`."""
        verdict = (
            RateLineRequest.VERDICT_WRONG if wrong else RateLineRequest.VERDICT_HELPED
        )
        request = RateLineRequest(
            name=name, verdict=verdict, prompt=prompt, request_id=str(uuid.uuid4())
        )
        return self._call("LineService/RateLine", request, RateLineResponse)

    def forget(self, fact: str, *, why: str) -> RetractResponse:
        """Take back a fact or a denial and wait for the commit. Raises `GutaskError`."""
        request = RetractRequest(fact=fact, reasoning=why, request_id=str(uuid.uuid4()))
        return self._call("MemoryService/Retract", request, RetractResponse)

    def concept(
        self, name: str, *, as_of: datetime | None = None
    ) -> GetConceptResponse:
        """Return a concept, as it is or was at a moment. Raises `GutaskError`."""
        request = GetConceptRequest(token=name)
        if as_of is not None:
            request.as_of_time.FromDatetime(as_of)
        return self._call("ConceptService/GetConcept", request, GetConceptResponse)

    def history(self, name: str, *, dimension: str) -> list[HistoryEvent]:
        """Return everything that happened to a concept, oldest first.

        Args:
            dimension: Only what happened there; empty for everything.
        """
        # All pages: a history is told as a whole.
        request = HistoryRequest(
            token=name, dimension=dimension, page_size=EVENTS_PER_PAGE
        )
        events: list[HistoryEvent] = []
        while True:
            page = self._call("ConceptService/History", request, HistoryResponse)
            events += page.events
            if not page.next_page_token:
                return events
            request.page_token = page.next_page_token

    def _call(
        self, method: str, request: _Request, response: type[_Response]
    ) -> _Response:
        """Make a call, and repeat it if there is no server. Raises `GutaskError`."""
        call: grpc.UnaryUnaryMultiCallable[_Request, _Response]
        # By hand, since only the messages are generated here.
        call = self._channel.unary_unary(
            f"/festinger.api.v1.{method}",
            request_serializer=type(request).SerializeToString,
            response_deserializer=response.FromString,
        )
        # One deadline for all tries: `--timeout` is what a person waits at most.
        deadline = time.monotonic() + self._timeout
        pauses = iter(PAUSES)
        while True:
            left = deadline - time.monotonic()
            try:
                return call(request, timeout=left, metadata=self._metadata)
            except grpc.RpcError as error:
                pause = next(pauses, math.inf)
                left = deadline - time.monotonic()
                # A try that would begin at the deadline is not worth the wait.
                if not _worth_retrying(error) or left <= pause:
                    raise self._explain(error) from error
                time.sleep(pause)

    def _explain(self, error: grpc.RpcError) -> GutaskError:
        # Some errors are raised before there was a call.
        if not isinstance(error, grpc.Call):
            return GutaskError(str(error), status="UNKNOWN")
        code = error.code()
        message = error.details() or code.name
        reason = _reason(error)
        # A server that was reached gives a reason; these come from the connection.
        if not reason and code is grpc.StatusCode.UNAVAILABLE:
            message = (
                f"no memory server at {self._address}. Start one with `make run` or "
                "`festinger up`, or name it with --server"
            )
        elif not reason and code is grpc.StatusCode.DEADLINE_EXCEEDED:
            message = (
                f"the memory server at {self._address} did not answer within "
                f"{self._timeout:g} seconds. Allow it more with --timeout"
            )
        elif not reason and code is grpc.StatusCode.UNIMPLEMENTED:
            message = (
                f"the server at {self._address} does not know this call. Name a "
                "Festinger memory server of this version with --server"
            )
        return GutaskError(message, status=code.name, reason=reason)


def _metadata(
    *, tenant: str | None, token: str | None, project: str | None
) -> tuple[tuple[str, str], ...]:
    """Return what is sent beside a request. Raises `GutaskError`."""
    # Values of headers are ASCII; grpc's own error would not say which is wrong.
    for name, value in (("tenant", tenant), ("token", token)):
        if value and not (value.isascii() and value.isprintable()):
            raise GutaskError(
                f"the {name} has characters that cannot be sent. Use printable ASCII",
                status="INVALID_ARGUMENT",
            )
    metadata = []
    if tenant:
        metadata.append(("festinger-tenant", tenant))
    if token:
        metadata.append(("authorization", f"Bearer {token}"))
    if project:
        # Projects have names in any script: percent-encoded, as in a URL.
        metadata.append(("festinger-project", quote(project, safe="")))
    return tuple(metadata)


def _worth_retrying(error: grpc.RpcError) -> bool:
    # The server was not there, or went away; anything else would fail in the same way.
    return isinstance(error, grpc.Call) and error.code() is grpc.StatusCode.UNAVAILABLE


def _reason(error: grpc.Call) -> str:
    """Return the reason in the error's details; empty if there is none of ours."""
    # Imported when a call fails only.
    from google.protobuf.message import DecodeError
    from google.rpc import error_details_pb2  # type: ignore[import-untyped, unused-ignore]
    from grpc_status import rpc_status

    try:
        status = rpc_status.from_call(error)
    # The details contradict the status line, or are no protobuf: a proxy wrote them.
    except (ValueError, DecodeError):
        return ""
    for detail in status.details if status else ():
        info = error_details_pb2.ErrorInfo()
        # A proxy on the way may have reasons of its own domain.
        if detail.Unpack(info) and info.domain == ERROR_DOMAIN:
            return str(info.reason).removeprefix("ERROR_REASON_")
    return ""
