from __future__ import annotations

import asyncio
import ssl
from typing import Any

import grpc
import pytest
from click.testing import CliRunner
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from festinger.certificates import CertificateFiles
from festinger.cli.system.certs import certs
from festinger.config import TlsSettings
from festinger.errors import ConfigurationError

SERVING = health_pb2.HealthCheckResponse.SERVING


def make(folder, *words):
    """Run `festinger system certs`."""
    return CliRunner().invoke(certs, ["--directory", str(folder), *words])


def files_in(folder, host="127.0.0.1", *, authority=True):
    """Return the files of a host, as they are configured."""
    return CertificateFiles(
        TlsSettings(
            certificate=folder / f"{host}.pem",
            key=folder / f"{host}.key",
            authority=folder / "authority.pem" if authority else None,
        ),
        "server.tls",
    )


async def check(port, credentials):
    """Return the health of a server, or the reason why it gives none."""
    options = [("grpc.use_local_subchannel_pool", 1)]
    async with grpc.aio.secure_channel(
        f"127.0.0.1:{port}", credentials, options=options
    ) as channel:
        try:
            request = health_pb2.HealthCheckRequest()
            stub: Any = health_pb2_grpc.HealthStub(channel)
            return (await stub.Check(request, timeout=5)).status
        except grpc.aio.AioRpcError as error:
            return error.code()


@pytest.fixture
async def port(tmp_path):
    """The port of a gRPC server with a certificate and the authority."""
    assert make(tmp_path, "127.0.0.1").exit_code == 0
    server = grpc.aio.server()
    health_pb2_grpc.add_HealthServicer_to_server(health.aio.HealthServicer(), server)
    port = server.add_secure_port(
        "127.0.0.1:0", files_in(tmp_path).server_credentials()
    )
    await server.start()
    yield port
    await server.stop(0)


async def test_both_sides_know_each_other(tmp_path, port):
    """A client with a certificate of the authority is served; one without it is not."""
    known = files_in(tmp_path).channel_credentials()
    unknown = CertificateFiles(
        TlsSettings(authority=tmp_path / "authority.pem"), "server.tls"
    ).channel_credentials()

    assert await check(port, known) == SERVING
    assert await check(port, unknown) is grpc.StatusCode.UNAVAILABLE


async def test_other_authority_is_not_believed(tmp_path, port):
    """Whoever made certificates of their own is a stranger to both sides."""
    make(tmp_path / "other", "127.0.0.1")

    stranger = files_in(tmp_path / "other").channel_credentials()

    assert await check(port, stranger) is grpc.StatusCode.UNAVAILABLE


async def test_renewed_certificate_is_used_at_once(tmp_path, port):
    """
    A server takes over a renewed certificate without a restart, and a broken file does
    not harm it.
    """

    async def shown():
        known = tmp_path / "authority.pem"
        context = ssl.create_default_context(cafile=known)
        context.load_cert_chain(tmp_path / "127.0.0.1.pem", tmp_path / "127.0.0.1.key")
        context.set_alpn_protocols(["h2"])
        _, writer = await asyncio.open_connection("127.0.0.1", port, ssl=context)
        seen = writer.get_extra_info("ssl_object").getpeercert()["serialNumber"]
        writer.close()
        return seen

    first = await shown()
    make(tmp_path, "127.0.0.1")
    second = await shown()
    good = (tmp_path / "127.0.0.1.key").read_bytes()
    (tmp_path / "127.0.0.1.key").write_text("no key")
    credentials = grpc.ssl_channel_credentials(
        (tmp_path / "authority.pem").read_bytes(),
        good,
        (tmp_path / "127.0.0.1.pem").read_bytes(),
    )

    assert first != second
    assert await check(port, credentials) == SERVING


@pytest.mark.parametrize("missing", ["127.0.0.1.pem", "127.0.0.1.key", "authority.pem"])
def test_missing_file_is_named(tmp_path, missing):
    """A file that is not there is named, with the command that makes it."""
    make(tmp_path, "127.0.0.1")
    (tmp_path / missing).unlink()

    with pytest.raises(ConfigurationError, match=missing) as refusal:
        files_in(tmp_path).server_credentials()

    assert "festinger system certs" in str(refusal.value)


def test_key_of_another_certificate_is_refused(tmp_path):
    """A pair that does not belong together is no certificate."""
    make(tmp_path, "127.0.0.1")
    make(tmp_path, "localhost")
    (tmp_path / "localhost.key").replace(tmp_path / "127.0.0.1.key")

    with pytest.raises(ConfigurationError, match="no certificate and its key"):
        files_in(tmp_path).ssl_context()


@pytest.mark.parametrize("host", ["", "-x", "a b", "https://x", "x/y"])
def test_what_is_no_host_is_refused(tmp_path, host):
    """A certificate names machines."""
    refused = make(tmp_path, "--", host)

    assert "host name or IP address" in str(refused.exception)
    assert list(tmp_path.iterdir()) == []


def test_keys_are_their_owners_alone(tmp_path):
    """Certificates are public, keys are not."""
    make(tmp_path / "made", "memory.lan")
    modes = {
        file.name: oct(file.stat().st_mode & 0o777)
        for file in (tmp_path / "made").iterdir()
    }

    assert modes == {
        "authority.pem": "0o644",
        "authority.key": "0o600",
        "memory.lan.pem": "0o644",
        "memory.lan.key": "0o600",
    }


def test_authority_is_made_once(tmp_path):
    """Machines that trust it go on to trust what it signs."""
    make(tmp_path, "memory.lan")
    before = (tmp_path / "authority.pem").read_bytes()
    make(tmp_path, "shim.lan")

    assert (tmp_path / "authority.pem").read_bytes() == before
