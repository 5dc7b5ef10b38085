"""The memory server, as the operator who looks at the console calls it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any, Final

import grpc
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from festinger.api.v1 import (
    admin_service_pb2_grpc,
    concept_service_pb2_grpc,
    config_service_pb2_grpc,
    conflict_service_pb2_grpc,
    extraction_service_pb2_grpc,
    factoid_service_pb2_grpc,
    ingestion_service_pb2_grpc,
    learning_service_pb2_grpc,
    line_service_pb2_grpc,
    memory_service_pb2_grpc,
    promotion_service_pb2_grpc,
    provenance_service_pb2_grpc,
    validation_service_pb2_grpc,
)
from festinger.console.errors import PageRefused
from festinger.core.system.principals import as_metadata

SECONDS: Final = 10.0
"""How long an answer may take."""

RUN_SECONDS: Final = 86_400.0
"""As long as somebody may watch a run."""

TEST_SECONDS: Final = 600.0
"""As long as a server lets a model be tested, at most."""

_OPTIONS: Final = (
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1000),
    ("grpc.enable_http_proxy", 0),
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.max_receive_message_length", -1),
)

_STATUSES: Final = {
    grpc.StatusCode.INVALID_ARGUMENT: 400,
    grpc.StatusCode.UNAUTHENTICATED: 403,
    grpc.StatusCode.PERMISSION_DENIED: 403,
    grpc.StatusCode.NOT_FOUND: 404,
    grpc.StatusCode.ALREADY_EXISTS: 409,
    grpc.StatusCode.FAILED_PRECONDITION: 409,
    grpc.StatusCode.ABORTED: 409,
    grpc.StatusCode.UNAVAILABLE: 503,
    grpc.StatusCode.DEADLINE_EXCEEDED: 503,
    grpc.StatusCode.RESOURCE_EXHAUSTED: 503,
}

NO_TOKEN: Final = (
    "this needs the operator's token, operator.token in the data directory of the memory "
    "server, which is not there or not the console's to read. Start the shim with that "
    "directory: --data-dir or FESTINGER_DATA_DIR"
)


@dataclass(frozen=True, slots=True)
class CallCredential:
    """Whose credential a call shows, if it is not the operator's.

    Attributes:
        token: The bearer token; None for none.
        principal: On whose behalf; empty for whoever holds the token.
        own: Whether only what is their own is for them to see.
        otherwise: Who asks if nobody knows the token; None for nobody.
    """

    token: str | None
    principal: str = ""
    own: bool = False
    otherwise: CallCredential | None = None


class OperatorClient:
    """A client of the memory server with the operator's credential.

    Args:
        address: HOST:PORT of the server.
        credential: Gives the operator's token; None if there is none to be had.
    """

    def __init__(self, address: str, credential: Callable[[], str | None]) -> None:
        self.address = address
        self._credential = credential
        self._channel: grpc.aio.Channel | None = None
        self._stubs: dict[str, Any] = {}
        self._followed: set[Any] = set()

    @property
    def decides(self) -> bool:
        """Whether there is a token to decide with."""
        return self._credential() is not None

    def start(self) -> None:
        """Opens the channel; does not wait for the server."""
        channel = grpc.aio.insecure_channel(self.address, options=_OPTIONS)
        self._channel = channel
        self._stubs = {
            "admin": admin_service_pb2_grpc.AdminServiceStub(channel),
            "concepts": concept_service_pb2_grpc.ConceptServiceStub(channel),
            "config": config_service_pb2_grpc.ConfigServiceStub(channel),
            "conflicts": conflict_service_pb2_grpc.ConflictServiceStub(channel),
            "extraction": extraction_service_pb2_grpc.ExtractionServiceStub(channel),
            "factoids": factoid_service_pb2_grpc.FactoidServiceStub(channel),
            "ingestion": ingestion_service_pb2_grpc.IngestionServiceStub(channel),
            "learning": learning_service_pb2_grpc.LearningServiceStub(channel),
            "lines": line_service_pb2_grpc.LineServiceStub(channel),
            "memory": memory_service_pb2_grpc.MemoryServiceStub(channel),
            "promotion": promotion_service_pb2_grpc.PromotionServiceStub(channel),
            "provenance": provenance_service_pb2_grpc.ProvenanceServiceStub(channel),
            "validation": validation_service_pb2_grpc.ValidationServiceStub(channel),
        }

    def end(self) -> None:
        """Ends the calls that have many answers; what they look at goes on."""
        for call in self._followed:
            call.cancel()

    async def stop(self) -> None:
        """Closes the channel."""
        if self._channel:
            await self._channel.close()

    async def ask(
        self,
        method: str,
        request: Any,
        tenant: str,
        seconds: float = SECONDS,
        asker: CallCredential | None = None,
    ) -> Any:
        """The answer to a call.

        Args:
            method: As `conflicts.GetConflict`.
            asker: Who asks; None for the operator.

        Raises:
            Refused: There is none; in the server's words, where it said any.
        """
        shown = asker or CallCredential(self._credential())
        try:
            return await self._method(method)(
                request, metadata=_metadata(shown, tenant), timeout=seconds
            )
        except grpc.aio.AioRpcError as error:
            raise self._refusal(error, shown, own=asker is None) from None

    async def follow(
        self,
        method: str,
        request: Any,
        tenant: str,
        asker: CallCredential | None = None,
    ) -> AsyncIterator[Any]:
        """The answers of a call that has many. Raises `PageRefused`."""
        shown = asker or CallCredential(self._credential())
        call = self._method(method)(
            request, metadata=_metadata(shown, tenant), timeout=RUN_SECONDS
        )
        self._followed.add(call)
        try:
            async for answer in call:
                yield answer
        except grpc.aio.AioRpcError as error:
            raise self._refusal(error, shown, own=asker is None) from None
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            message = "the shim stops; what was begun goes on without it"
            raise PageRefused(503, message) from None
        finally:
            self._followed.discard(call)
            call.cancel()

    def _method(self, method: str) -> Any:
        service, _, name = method.partition(".")
        return getattr(self._stubs[service], name)

    def _refusal(
        self, error: grpc.aio.AioRpcError, asker: CallCredential, *, own: bool
    ) -> PageRefused:
        """What an error means to whoever asked; `own` if that is the console itself."""
        code, details = error.code(), error.details() or ""
        reason = _reason(error)
        if code is grpc.StatusCode.UNAVAILABLE and not reason:
            details = (
                f"no memory server answers at {self.address}. Start one with `festinger "
                "serve` (or `festinger up`) and try again"
            )
        elif code is grpc.StatusCode.DEADLINE_EXCEEDED:
            details = "the memory server did not answer in time. Try again"
        elif code is grpc.StatusCode.UNAUTHENTICATED and not own:
            return PageRefused(401, details, reason)
        elif code is grpc.StatusCode.PERMISSION_DENIED and own and asker.token is None:
            details = NO_TOKEN
        elif code is grpc.StatusCode.UNAUTHENTICATED:
            details = (
                "the memory server does not know the console's token: the shim was "
                "started with another data directory than the server's"
            )
        message = details or "the memory server failed; its log says why"
        return PageRefused(_STATUSES.get(code, 502), message, reason)


def _metadata(asker: CallCredential, tenant: str) -> list[tuple[str, str]]:
    metadata = [("festinger-tenant", tenant)]
    if asker.token is not None:
        metadata.append(("authorization", f"Bearer {asker.token}"))
        # Without a token nobody is believed to speak for others.
        if asker.principal:
            metadata.append(("festinger-principal", as_metadata(asker.principal)))
    return metadata


def _reason(error: grpc.aio.AioRpcError) -> str:
    """The `reason` of the `google.rpc.ErrorInfo` that an error carries."""
    call: Any = error  # it answers like a call
    try:
        status = rpc_status.from_call(call)
    except (ValueError, DecodeError):
        return ""
    for detail in status.details if status else ():
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info):
            return str(info.reason).removeprefix("ERROR_REASON_").lower()
    return ""
