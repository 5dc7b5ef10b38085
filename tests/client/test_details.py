"""Details of errors, from servers and from what stands between."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from google.protobuf.any_pb2 import Any as AnyMessage
from google.rpc import error_details_pb2, status_pb2

from festinger.client.details import info_of, reason_of


def status(code: grpc.StatusCode, domain: str = "festinger") -> bytes:
    """Return the details of an error that names a reason."""
    packed = AnyMessage()
    packed.Pack(
        error_details_pb2.ErrorInfo(
            reason="ERROR_REASON_OVERLOADED", domain=domain, metadata={"limit": "3"}
        )
    )
    message = status_pb2.Status(code=code.value[0], message="no", details=[packed])
    return bytes(message.SerializeToString())


async def error_with(details: bytes) -> grpc.aio.AioRpcError:
    """Return the error of a call that a server refuses with these details."""

    async def refuse(request: bytes, context: Any) -> None:
        context.set_trailing_metadata((("grpc-status-details-bin", details),))
        await context.abort(grpc.StatusCode.UNAVAILABLE, "no")

    server = grpc.aio.server()
    method: Any = grpc.unary_unary_rpc_method_handler(refuse)
    server.add_generic_rpc_handlers(
        [grpc.method_handlers_generic_handler("test", {"Call": method})]
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            call: Any = channel.unary_unary("/test/Call")
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await call(b"")
    finally:
        await server.stop(None)
    return caught.value


async def test_reason_of_the_server_is_read():
    """In lower case and without its prefix, and with what it says beside it."""
    error = await error_with(status(grpc.StatusCode.UNAVAILABLE))

    assert reason_of(error) == "overloaded"
    assert info_of(error).metadata == {"limit": "3"}


@pytest.mark.parametrize(
    "details",
    [
        b"\xff no protobuf",
        status(grpc.StatusCode.NOT_FOUND),
        status(grpc.StatusCode.UNAVAILABLE, domain="proxy.example"),
    ],
    ids=["no_protobuf", "another_code", "another_domain"],
)
async def test_details_of_others_name_no_reason(details):
    """A proxy in between may send anything, which raises nothing."""
    error = await error_with(details)

    assert reason_of(error) == ""
