"""Calls to a running memory server with the operator's credential."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
from grpc_status import rpc_status

from festinger.channels import open_blocking_channel
from festinger.cli.options import settings
from festinger.config import Settings
from festinger.core.system.principals import as_metadata
from festinger.credentials import OPERATOR, read_token, token_file
from festinger.errors import FestingerError
from festinger.running import address_in

SECONDS = 10.0
"""Timeout of a call in seconds."""

Method = Callable[[grpc.Channel], Callable[..., Any]]
"""Returns the method to call from a channel."""
Call = Callable[[Method, Any], Any]
"""Makes a call over a shared connection and returns the response."""


def call(
    values: dict[str, Any], method: Method, request: Any, *, seconds: float = SECONDS
) -> Any:
    """Make a single call and return the response.

    Raises:
        FestingerError: The call failed; the message is the server's.
    """
    with connected(**values, seconds=seconds) as calling:
        return calling(method, request)


def items(
    values: dict[str, Any], method: Method, request: Any, field: str
) -> Iterator[Any]:
    """Yield the items of all pages of a list.

    Raises:
        FestingerError: A call failed; the message is the server's.
    """
    for page in pages(values, method, request):
        yield from getattr(page, field)


def pages(values: dict[str, Any], method: Method, request: Any) -> Iterator[Any]:
    """Yield the pages of a list.

    Raises:
        FestingerError: A call failed; the message is the server's.
    """
    with connected(**values) as calling:
        while True:
            page = calling(method, request)
            yield page
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token


@contextmanager
def connected(
    config_file: Path | None,
    data_dir: Path | None,
    server: str | None,
    tenant: str,
    *,
    project: str = "",
    seconds: float = SECONDS,
) -> Iterator[Call]:
    """Connect to the server, with the operator's credential.

    Args:
        config_file: The configuration file; None for none.
        data_dir: The data directory; None for the configured one.
        server: HOST:PORT of the server; None for the configured one.
        tenant: The tenant.
        project: The operator's project; empty for none.
        seconds: The timeout of each call in seconds.

    Raises:
        FestingerError: A call failed; the message is the server's.
    """
    chosen = located(settings(config_file, data_dir=data_dir, server=server))
    metadata = [("festinger-tenant", tenant)]
    if project:
        metadata.append(("festinger-project", as_metadata(project)))
    if token := read_token(chosen.data_dir, OPERATOR):
        metadata.append(("authorization", f"Bearer {token}"))
    try:
        with open_blocking_channel(chosen.server.address, chosen.server.tls) as channel:
            yield lambda method, request: method(channel)(
                request, metadata=metadata, timeout=seconds
            )
    except grpc.RpcError as error:
        raise FestingerError(_explain(error, chosen, bool(token))) from None


def located(chosen: Settings) -> Settings:
    """Return the settings with the address of the server that runs.

    Without a configured address it is the one recorded in the data directory.
    """
    if "address" in chosen.server.model_fields_set:
        return chosen
    address = address_in(chosen.data_dir) or chosen.server.address
    served = chosen.server.model_copy(update={"address": address})
    return chosen.model_copy(update={"server": served})


def _explain(error: grpc.RpcError, chosen: Settings, has_token: bool) -> str:
    code, details = error.code(), error.details() or ""
    # The error is gRPC's own: the server was not reached, or the connection broke.
    answered: Any = error  # it has the interface of a call
    is_unsaid = rpc_status.from_call(answered) is None
    if code is grpc.StatusCode.UNAVAILABLE and is_unsaid:
        return (
            f"no memory server at {chosen.server.address}. Start one with `make run` or "
            "`festinger up`, or name it with --server"
        )
    if code is grpc.StatusCode.PERMISSION_DENIED and not has_token:
        return (
            f"this needs the operator's token, {token_file(chosen.data_dir, OPERATOR)},"
            " which is not there or not yours to read. Name the server's data directory "
            "with --data-dir"
        )
    if code is grpc.StatusCode.DEADLINE_EXCEEDED and is_unsaid:
        return f"the memory server at {chosen.server.address} did not answer in time"
    return details or "the memory server failed; its log says why"
