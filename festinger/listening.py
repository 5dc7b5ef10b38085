"""HTTP listener of a part beside the shim, in the event loop of its process."""

from __future__ import annotations

import ssl

from aiohttp import web

from festinger.config import host_and_port
from festinger.errors import AddressInUse


class HttpListener:
    """HTTP server of an application.

    Args:
        failure: Beginning of the message if the address is unusable.
        setting: The setting of the address, and its variable.
        close_seconds: Time for requests in progress at the end, in seconds.
    """

    def __init__(
        self,
        address: str,
        app: web.Application,
        encryption: ssl.SSLContext | None,
        *,
        failure: str,
        setting: str,
        close_seconds: float,
    ) -> None:
        self._address = address
        self._encryption = encryption
        self._failure = failure
        self._setting = setting
        self._runner = web.AppRunner(
            app, access_log=None, shutdown_timeout=close_seconds
        )

    async def start(self) -> str:
        """Start listening and return the address. Raises `AddressInUse`."""
        host, port = host_and_port(self._address)
        await self._runner.setup()
        try:
            site = web.TCPSite(self._runner, host, port, ssl_context=self._encryption)
            await site.start()
        except OSError as error:
            # Set up already, so that the runner has to be ended.
            await self._runner.cleanup()
            raise AddressInUse(
                f"{self._failure} {self._address}: {error.strerror}. Choose another "
                f"address with {self._setting}"
            ) from None
        # With the real port, if the setting's is 0.
        return joined_address(*self._runner.addresses[0][:2])

    async def stop(self) -> None:
        """Stop listening."""
        await self._runner.cleanup()


def joined_address(host: str, port: int) -> str:
    """Return HOST:PORT, with an address of IPv6 in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
