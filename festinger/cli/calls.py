"""The operator's calls to a running memory server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
from grpc_status import rpc_status

from festinger.cli.options import settings
from festinger.config import Settings
from festinger.core.system.principals import as_metadata
from festinger.credentials import OPERATOR, read_token, token_file
from festinger.errors import FestingerError
from festinger.running import address_in

SECONDS = 10.0
"""How long an answer may take."""

Method = Callable[[grpc.Channel], Callable[..., Any]]
"""Where a channel has the method to call."""
Call = Callable[[Method, Any], Any]
"""Makes a call, one of several over one connection; gives the server's answer."""


def call(
    values: dict[str, Any], method: Method, request: Any, *, seconds: float = SECONDS
) -> Any:
    """The server's answer to a single call.

    Raises:
        FestingerError: The call failed; the message is the server's.
    """
    with connected(**values, seconds=seconds) as calling:
        return calling(method, request)


def items(
    values: dict[str, Any], method: Method, request: Any, field: str
) -> Iterator[Any]:
    """All that a list holds, page after page.

    Raises:
        FestingerError: A call failed; the message is the server's.
    """
    for page in pages(values, method, request):
        yield from getattr(page, field)


def pages(values: dict[str, Any], method: Method, request: Any) -> Iterator[Any]:
    """A list, page after page.

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
        project: Where the operator works; empty for nowhere in particular.

    Raises:
        FestingerError: A call failed; the message is the server's.
    """
    chosen = settings(config_file, data_dir=data_dir, server=server)
    if "address" not in chosen.server.model_fields_set:
        # Nobody says where: the data directory knows who serves it.
        address = address_in(chosen.data_dir) or chosen.server.address
        served = chosen.server.model_copy(update={"address": address})
        chosen = chosen.model_copy(update={"server": served})
    metadata = [("festinger-tenant", tenant)]
    if project:
        metadata.append(("festinger-project", as_metadata(project)))
    if token := read_token(chosen.data_dir, OPERATOR):
        metadata.append(("authorization", f"Bearer {token}"))
    try:
        with grpc.insecure_channel(chosen.server.address) as channel:
            yield lambda method, request: method(channel)(
                request, metadata=metadata, timeout=seconds
            )
    except grpc.RpcError as error:
        raise FestingerError(_explain(error, chosen, bool(token))) from None


def _explain(error: grpc.RpcError, chosen: Settings, has_token: bool) -> str:
    code, details = error.code(), error.details() or ""
    # gRPC's own words, where no server said any: nobody was there, or went away.
    answered: Any = error  # it answers like a call
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
