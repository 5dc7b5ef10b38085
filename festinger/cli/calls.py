"""Calls to a running memory server with the operator's credential."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from festinger.certificates import CertificateFiles
from festinger.cli.options import settings
from festinger.client import Client, ServerTooSlow, ServerUnreachable
from festinger.client.connection import SECONDS
from festinger.client.methods import method_of
from festinger.config import Settings, TlsSettings
from festinger.credentials import OPERATOR, read_token, token_file
from festinger.errors import FestingerError, PermissionDenied
from festinger.running import address_in


def call(values: dict[str, Any], request: Any, *, seconds: float = SECONDS) -> Any:
    """Make the call of a request with a command's options, and return the response."""
    with connected(**values, seconds=seconds) as client:
        return client.call(method_of(request), request)


def items(values: dict[str, Any], request: Any) -> Iterator[Any]:
    """Yield the items of all pages of a list."""
    # The next page is asked for when its items are.
    for page in pages(values, request):
        # By the API's rules, items are the first field.
        yield from getattr(page, page.DESCRIPTOR.fields_by_number[1].name)


def pages(values: dict[str, Any], request: Any) -> Iterator[Any]:
    """Yield the pages of a list."""
    # One connection for all pages.
    with connected(**values) as client:
        while True:
            page = client.call(method_of(request), request)
            yield page
            if not page.next_page_token:
                return  # by the protocol, empty at the end only
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
) -> Iterator[Client]:
    """Connect to the server, with the operator's credential.

    Args:
        config_file: The configuration file; None for none.
        data_dir: The data directory; None for the configured one.
        server: HOST:PORT of the server; None for the configured one.
        project: The operator's project; empty for none.
        seconds: The timeout of each call in seconds.

    Raises:
        FestingerError: A call failed; the message is the server's.
    """
    # The port of a server that took a free one is recorded in its data directory.
    chosen = located(settings(config_file, data_dir=data_dir, server=server))
    address, tls = chosen.server.address, chosen.server.tls
    # Without a token the call is anonymous: enough for reading on this machine.
    token = read_token(chosen.data_dir, OPERATOR) or ""
    client = client_to(
        address, tls, tenant=tenant, token=token, project=project, timeout=seconds
    )
    try:
        with client:
            yield client
    except ServerTooSlow:  # it was reached, and did not answer in time
        raise
    except ServerUnreachable:
        raise FestingerError(
            f"no memory server at {address}. Start one with `make run` or "
            "`festinger up`, or name it with --server"
        ) from None
    except PermissionDenied:
        if token:  # a token that is not the operator's: the server says so
            raise
        # Most often the command runs as another user, or beside another data directory.
        raise FestingerError(
            f"this needs the operator's token, {token_file(chosen.data_dir, OPERATOR)},"
            " which is not there or not yours to read. Name the server's data directory "
            "with --data-dir"
        ) from None


def client_to(address: str, tls: TlsSettings, **arguments: Any) -> Client:
    """Return a client of a server, encrypted as the settings say.

    Raises:
        ConfigurationError: A certificate's file cannot be read.
    """
    credentials = (
        CertificateFiles(tls, "server.tls").channel_credentials()
        if tls.is_set
        else None
    )
    return Client(address, credentials=credentials, **arguments)


def located(chosen: Settings) -> Settings:
    """Return the settings with the address of the server that runs."""
    # A configured address is meant, even if another server runs here.
    if "address" in chosen.server.model_fields_set:
        return chosen
    address = address_in(chosen.data_dir) or chosen.server.address
    served = chosen.server.model_copy(update={"address": address})
    return chosen.model_copy(update={"server": served})
