"""Certificate files of the settings, as what gRPC and HTTP servers and clients take."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import grpc

from festinger.config import TlsSettings, require_encryption
from festinger.errors import ConfigurationError
from festinger.fileversions import version_of

_Made = TypeVar("_Made")
_HOW: Final = "`festinger system certs HOST` makes a certificate and its key"


class CertificateFiles:
    """Files of a certificate, its key and the authority of the other side's."""

    def __init__(self, settings: TlsSettings, name: str) -> None:
        self._settings = settings
        self._name = name

    def version(self) -> tuple[object, ...]:
        """Return a value that differs once a file was replaced."""
        # Looked at often, so that contents are not read.
        settings = self._settings
        files = (settings.certificate, settings.key, settings.authority)
        return tuple(version_of(file) for file in files if file)

    def server_credentials(self) -> grpc.ServerCredentials:
        """Return gRPC credentials that follow the files. Raises `ConfigurationError`."""
        # gRPC calls it before each handshake. The stubs forget that it may return None.
        renewed: Any = self._following(self._configuration)
        return grpc.dynamic_ssl_server_credentials(
            self._configuration(),
            renewed,
            # With an authority, a client needs a certificate that it has signed.
            require_client_authentication=self._settings.authority is not None,
        )

    def channel_credentials(self) -> grpc.ChannelCredentials:
        """Return gRPC credentials of a client. Raises `ConfigurationError`."""
        # In the order of the settings: of several that cannot be read, the first is reported.
        certificate, key = self._read("certificate"), self._read("key")
        # Without an authority of its own the server is verified by this system's.
        return grpc.ssl_channel_credentials(self._read("authority"), key, certificate)

    def ssl_context(self) -> ssl.SSLContext:
        """Return an HTTP server's context that follows files. Raises `ConfigurationError`."""
        renewed = self._following(self._loaded)
        context = newest = self._loaded()

        def follow(connection: ssl.SSLObject, name: str | None, _: object) -> None:
            """Give the connection the newest context."""
            # Called before each handshake; without a server name as well.
            nonlocal newest
            newest = renewed() or newest
            connection.context = newest

        # Connections that are open keep the context that they began with.
        context.sni_callback = follow
        return context

    def _following(self, make: Callable[[], _Made]) -> Callable[[], _Made | None]:
        """Return a function that makes something anew once the files were replaced.

        It returns None if they were not, or only half.
        """
        known = self.version()

        def renewed() -> _Made | None:
            """Return a new context if the files changed, else None."""
            nonlocal known
            if (version := self.version()) == known:
                return None
            try:
                made = make()
            # The certificate is there and its key is not yet: the former serves meanwhile.
            except ConfigurationError:
                return None
            known = version
            return made

        return renewed

    def _loaded(self) -> ssl.SSLContext:
        """Return a context with the files as they are now."""
        certificate, key = self._settings.certificate, self._settings.key
        if certificate is None or key is None:
            raise ConfigurationError(
                f"{self._name} has an authority and no certificate of its own. {_HOW}"
            )
        # They name the file that cannot be read, which `ssl` does not.
        for name in ("certificate", "key", "authority"):
            self._read(name)
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        try:
            context.load_cert_chain(certificate, key)
        except (ssl.SSLError, OSError) as error:
            raise ConfigurationError(
                f"{self._name}.certificate {certificate} and {self._name}.key {key} are "
                f"no certificate and its key in PEM form: {error}. {_HOW}"
            ) from None
        return context

    def _read(self, name: str) -> bytes | None:
        file: Path | None = getattr(self._settings, name)
        if file is None:
            return None
        try:
            return file.read_bytes()
        except OSError as error:
            raise ConfigurationError(
                f"{self._name}.{name}: cannot read {file}: {error.strerror}. {_HOW}"
            ) from None

    def _configuration(self) -> grpc.ServerCertificateConfiguration:
        # gRPC would accept what it cannot use, and fail at each handshake.
        self._loaded()
        key, certificate = self._read("key"), self._read("certificate")
        assert key is not None
        assert certificate is not None
        return grpc.ssl_server_certificate_configuration(
            [(key, certificate)], self._read("authority")
        )


def encryption_of(
    name: str,
    address: str,
    tls: TlsSettings,
    *,
    plain_text: bool,
    key: str = "address",
) -> ssl.SSLContext | None:
    """Return the context of an HTTP server; None for plain text.

    Args:
        plain_text: Whether it may listen beyond loopback without encryption.
        key: Setting of the section that holds the address.

    Raises:
        ConfigurationError: Encryption is missing, or a file is not usable.
    """
    require_encryption(
        name, address, encrypted=tls.is_set, plain_text=plain_text, key=key
    )
    return CertificateFiles(tls, f"{name}.tls").ssl_context() if tls.is_set else None
