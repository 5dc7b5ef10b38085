"""Client of the memory server's ValidationService for bots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import grpc

from festinger.api.v1 import validation_service_pb2 as pb
from festinger.api.v1.validation_pb2 import Question, ValidationEvent
from festinger.channels import PLAIN, RenewedChannel
from festinger.client.details import info_of
from festinger.client.methods import calling, method_of
from festinger.config import TlsSettings
from festinger.core.system.principals import as_metadata
from festinger.core.validation.votes import EventResponse

SECONDS_MAX: Final = 15.0
"""Timeout of a call in seconds."""
# A retry of these would fail again. Codes in neither set mean that the server is away.
_REFUSALS: Final = {
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.NOT_FOUND,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.ALREADY_EXISTS,
}
# The fault of the server, for this request: others may pass.
_BROKEN: Final = {
    grpc.StatusCode.UNKNOWN,
    grpc.StatusCode.INTERNAL,
    grpc.StatusCode.DATA_LOSS,
}
RESPONSES: Final = {
    EventResponse.CONFIRMED: ValidationEvent.RESPONSE_CONFIRMED,
    EventResponse.REJECTED: ValidationEvent.RESPONSE_REJECTED,
    EventResponse.ABSTAIN: ValidationEvent.RESPONSE_ABSTAIN,
    EventResponse.WITHDRAWN: ValidationEvent.RESPONSE_WITHDRAWN,
}


class ServerAway(Exception):
    """The server takes no calls now; a retry may succeed."""


class ServerFailed(Exception):
    """The server failed on this call; other calls may succeed."""


class ServerRefused(Exception):
    """The server refused the call; a retry does not help.

    Args:
        message: The server's message: what is wrong and what to do.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class BotClient:
    """Client of the memory server that uses the bots' credential.

    Args:
        address: HOST:PORT of the memory server.
        token: Returns the bots' bearer token, which may be replaced at any time.
        tenant: The tenant of all calls.
        tls: Certificates of the connection.
    """

    def __init__(
        self,
        address: str,
        token: Callable[[], str | None],
        tenant: str,
        tls: TlsSettings = PLAIN,
    ) -> None:
        self._channel = RenewedChannel(address, tls)
        # Asked for each call, since the token's file may be replaced while the bot runs.
        self._token = token
        self._tenant = tenant

    async def close(self) -> None:
        """Close the connection."""
        await self._channel.close()

    async def lease(
        self,
        platform: str,
        recipients: Sequence[str],
        channels: Sequence[str],
        lessee: str,
    ) -> pb.LeaseQuestionsResponse:
        """Lease the questions to post and those whose messages have to be updated."""
        request = pb.LeaseQuestionsRequest(
            platform=platform, recipients=recipients, channels=channels, lessee=lessee
        )
        response: pb.LeaseQuestionsResponse = await self._call(request)
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
        """Report the result of posting or updating a question."""
        request = pb.ReportQuestionRequest(
            question_id=question_id,
            lessee=lessee,
            result=result,
            reference=reference,
            error=error,
        )
        await self._call(request)

    async def find(self, platform: str, reference: str) -> list[Question]:
        """Return the questions of a message; empty if the server knows none."""
        request = pb.FindQuestionRequest(platform=platform, reference=reference)
        try:
            response = await self._call(request)
        # An answer to something else than a question.
        except ServerRefused:
            return []
        return list(response.questions)

    async def answer(self, request: pb.AnswerRequest, principal: str) -> str:
        """Send an answer on behalf of a principal and return the reply to show."""
        response = await self._call(request, principal)
        return str(response.message)

    async def opt_out(self, principal: str, opted_out: bool) -> None:
        """Set whether a principal has opted out of questions."""
        await self._call(pb.SetOptOutRequest(opted_out=opted_out), principal)

    async def _call(self, request: Any, principal: str = "") -> Any:
        """Make a call, on behalf of a principal if one is given.

        Raises:
            ServerAway: The call cannot be made now.
            ServerFailed: The server failed on the call.
            ServerRefused: The server refused the call.
        """
        metadata: tuple[tuple[str, str], ...] = (
            ("authorization", f"Bearer {self._token()}"),
            ("festinger-tenant", self._tenant),
        )
        if principal:
            metadata = (*metadata, ("festinger-principal", as_metadata(principal)))
        channel = await self._channel.current()
        try:
            return await calling(channel, method_of(request))(
                request, metadata=metadata, timeout=SECONDS_MAX
            )
        except grpc.aio.AioRpcError as error:
            code, words = error.code(), error.details() or ""
            info = info_of(error)
            # A missing permission of the person is final; one of the bots' credential can be fixed
            # by the operator, so the call is retried. Only the latter names method or tenant.
            ours = {"method", "tenant"} & set(info.metadata)
            forbidden = code is grpc.StatusCode.PERMISSION_DENIED and not ours
            if code in _REFUSALS or (principal and forbidden):
                raise ServerRefused(words) from None
            if code in _BROKEN:
                raise ServerFailed(words) from None
            raise ServerAway(f"{code.name}: {words}") from None
