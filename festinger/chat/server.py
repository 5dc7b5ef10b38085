"""The memory server, as a bot sees it: what ValidationService has for those who ask."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from festinger.api.v1 import validation_service_pb2 as pb
from festinger.api.v1 import validation_service_pb2_grpc
from festinger.api.v1.validation_pb2 import Question, ValidationEvent
from festinger.core.system.principals import as_metadata
from festinger.core.validation.events import AnswerEvent

SECONDS_MAX: Final = 15.0
"""How long a call may take."""
_OPTIONS: Final = (
    ("grpc.enable_http_proxy", 0),
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.initial_reconnect_backoff_ms", 200),
    ("grpc.min_reconnect_backoff_ms", 2000),
    ("grpc.max_reconnect_backoff_ms", 5000),
)
_REFUSALS: Final = {
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.NOT_FOUND,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.ALREADY_EXISTS,
}
_BROKEN: Final = {
    grpc.StatusCode.UNKNOWN,
    grpc.StatusCode.INTERNAL,
    grpc.StatusCode.DATA_LOSS,
}
RESPONSES: Final = {
    AnswerEvent.CONFIRMED: ValidationEvent.RESPONSE_CONFIRMED,
    AnswerEvent.REJECTED: ValidationEvent.RESPONSE_REJECTED,
    AnswerEvent.ABSTAIN: ValidationEvent.RESPONSE_ABSTAIN,
    AnswerEvent.WITHDRAWN: ValidationEvent.RESPONSE_WITHDRAWN,
}


class ServerAway(Exception):
    """The server takes no calls now; trying again later helps."""


class ServerFailed(Exception):
    """The server failed over this call; others may go through."""


class ServerRefused(Exception):
    """The server refused: the same again does not help.

    Args:
        message: What was wrong and what to do, in the server's words.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class BotClient:
    """A client of the memory server, with the bots' credential.

    Args:
        address: HOST:PORT.
        token: The bots' own.
        tenant: The memory.
    """

    def __init__(self, address: str, token: str, tenant: str) -> None:
        self._channel = grpc.aio.insecure_channel(address, options=_OPTIONS)
        # The generated stubs carry no types.
        stub: Any = validation_service_pb2_grpc.ValidationServiceStub
        self._stub = stub(self._channel)
        self._metadata = (
            ("authorization", f"Bearer {token}"),
            ("festinger-tenant", tenant),
        )

    async def close(self) -> None:
        """Ends the connection."""
        await self._channel.close()

    async def lease(
        self,
        platform: str,
        recipients: Sequence[str],
        channels: Sequence[str],
        lessee: str,
    ) -> pb.LeaseQuestionsResponse:
        """The questions to post, and those whose message has to be changed."""
        request = pb.LeaseQuestionsRequest(
            platform=platform, recipients=recipients, channels=channels, lessee=lessee
        )
        response: pb.LeaseQuestionsResponse = await self._call(
            self._stub.LeaseQuestions, request
        )
        return response

    async def report(
        self,
        question_id: int,
        lessee: str,
        result: str,
        *,
        reference: str = "",
        error: str = "",
    ) -> None:
        """Says what became of a question."""
        request = pb.ReportQuestionRequest(
            question_id=question_id,
            lessee=lessee,
            result=result,
            reference=reference,
            error=error,
        )
        await self._call(self._stub.ReportQuestion, request)

    async def find(self, platform: str, reference: str) -> list[Question]:
        """The questions of a message; none if it asks nothing."""
        request = pb.FindQuestionRequest(platform=platform, reference=reference)
        try:
            response = await self._call(self._stub.FindQuestion, request)
        except ServerRefused:
            return []
        return list(response.questions)

    async def answer(self, request: pb.AnswerRequest, principal: str) -> str:
        """Takes somebody's answer; returns what they are told."""
        response = await self._call(self._stub.Answer, request, principal)
        return str(response.message)

    async def opt_out(self, principal: str, opted_out: bool) -> None:
        """Says whether somebody is asked at all."""
        request = pb.SetOptOutRequest(opted_out=opted_out)
        await self._call(self._stub.SetOptOut, request, principal)

    async def _call(self, method: Any, request: Any, principal: str = "") -> Any:
        """A call.

        Raises:
            ServerAway: It cannot be made now.
            ServerFailed: It failed.
            ServerRefused: It was refused.
        """
        metadata: tuple[tuple[str, str], ...] = self._metadata
        if principal:
            metadata = (*metadata, ("festinger-principal", as_metadata(principal)))
        try:
            return await method(request, metadata=metadata, timeout=SECONDS_MAX)
        except grpc.aio.AioRpcError as error:
            code, words = error.code(), error.details() or ""
            info = _info(error)
            # What a person may not do is over; what the bots' credential may not, the
            # operator puts right.
            ours = {"method", "tenant"} & set(info.metadata)
            forbidden = code is grpc.StatusCode.PERMISSION_DENIED and not ours
            if code in _REFUSALS or (principal and forbidden):
                raise ServerRefused(words) from None
            if code in _BROKEN:
                raise ServerFailed(words) from None
            raise ServerAway(f"{code.name}: {words}") from None


def _info(error: grpc.aio.AioRpcError) -> error_details_pb2.ErrorInfo:
    """What the server said of an error for programs; empty if nothing."""
    # The stubs know the synchronous client's errors only.
    call: Any = error
    status = rpc_status.from_call(call)
    info = error_details_pb2.ErrorInfo()
    for detail in status.details if status else ():
        if detail.Unpack(info):
            break
    return info
