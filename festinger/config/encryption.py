"""Settings of the encryption of a listening address."""

from __future__ import annotations

from typing import Self

from pydantic import model_validator

from festinger.config.sections import AbsolutePath, Section


class TlsSettings(Section):
    """Certificates of a listening address, read again when the files change."""

    certificate: AbsolutePath | None = None
    """PEM file with the certificate and those of its issuers; with it, the address
    speaks TLS only. `festinger system certs` makes one."""
    key: AbsolutePath | None = None
    """PEM file with the certificate's private key."""
    authority: AbsolutePath | None = None
    """PEM file with the certificates of the authorities that sign the other side's.
    Beside the memory server's certificate it demands one of each client."""

    @property
    def is_set(self) -> bool:
        """True if connections are encrypted."""
        # A client has an authority only, by which it checks the server.
        return self.certificate is not None or self.authority is not None

    @property
    def scheme(self) -> str:
        """`https` if connections are encrypted, else `http`."""
        return "https" if self.is_set else "http"

    @model_validator(mode="after")
    def _check_pair(self) -> Self:
        if (self.certificate is None) != (self.key is None):
            raise ValueError(
                "certificate and key belong together: set both, or neither"
            )
        return self
