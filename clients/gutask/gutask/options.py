"""The options before the command's name."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gutask.errors import GutaskError

if TYPE_CHECKING:
    from collections.abc import Callable

    from gutask.client import Encryption, MemoryConnection

DEFAULT_SERVER = "127.0.0.1:7700"

# A port is demanded because grpc would silently take 443.
_ADDRESS = re.compile(r"(\[[0-9a-fA-F:.%]+\]|[^\s/:\[\]]+):[0-9]{1,5}")


@dataclass(frozen=True)
class Options:
    """Which server, which memory, who asks, and how long to wait."""

    server: str
    tenant: str | None
    token: str | None
    token_file: Path | None
    project: str | None
    timeout: float
    authority: Path | None
    certificate: Path | None
    key: Path | None

    def connect(self) -> MemoryConnection:
        """Prepare the calls; the first one connects. Raises `GutaskError`."""
        from gutask.client import MemoryConnection

        token = self.token
        # A file is named on purpose, and so goes before a variable of the environment.
        if self.token_file is not None:
            try:
                token = self.token_file.read_text(encoding="utf-8").strip()
            except (OSError, UnicodeDecodeError) as error:
                raise GutaskError(
                    f"the token's file cannot be read: {error}",
                    status="INVALID_ARGUMENT",
                ) from error
        # Made by the server's first start; elsewhere there is none, and none is sent.
        elif not token:
            token = _in_data_directory("local.token")
        return MemoryConnection(
            self.server,
            tenant=self.tenant,
            token=token,
            project=self.project,
            timeout=self.timeout,
            encryption=self._encryption(),
        )

    def _encryption(self) -> Encryption | None:
        """Read the files of an encrypted connection; None for plain text."""
        from gutask.client import Encryption

        files = (self.authority, self.certificate, self.key)
        if not any(files):
            return None
        if (self.certificate is None) != (self.key is None):
            raise GutaskError(
                "--certificate and --key belong together: give both, or neither",
                status="INVALID_ARGUMENT",
            )
        try:
            return Encryption(*(file.read_bytes() if file else None for file in files))
        except OSError as error:
            raise GutaskError(
                f"a certificate's file cannot be read: {error}",
                status="INVALID_ARGUMENT",
            ) from error


def _in_data_directory(name: str) -> str | None:
    """Read a file in the data directory of a server that this user runs here."""
    # Where `festinger` puts its data: gutask does not import its configuration.
    directory = os.environ.get("FESTINGER_DATA_DIR")
    if not directory and os.geteuid() == 0:
        directory = "/var/lib/festinger"
    if not directory:
        base = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
        directory = f"{base}/festinger"
    try:
        file = Path(directory).expanduser() / name
        return file.read_text(encoding="ascii").strip() or None
    except (OSError, ValueError, RuntimeError):  # RuntimeError: there is no home
        return None


def _address(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> str | None:
    if value is not None and not _ADDRESS.fullmatch(value):
        raise click.BadParameter(
            f"{value!r} is not of the form HOST:PORT, as in 127.0.0.1:7700."
        )
    return value


_OPTIONS = (
    click.option(
        "--server",
        envvar="FESTINGER_SERVER",
        # Found when a command runs, and not at the import: the server may start later.
        default=lambda: _in_data_directory("server.address") or DEFAULT_SERVER,
        show_default=f"that of your server on this machine, or {DEFAULT_SERVER}",
        show_envvar=True,
        metavar="HOST:PORT",
        callback=_address,
        help="The memory server.",
    ),
    click.option(
        "--tenant",
        envvar="FESTINGER_TENANT",
        show_envvar=True,
        metavar="NAME",
        help="The memory to use, if not the server's default.",
    ),
    click.option(
        "--token",
        envvar="FESTINGER_TOKEN",
        show_envvar=True,
        metavar="TOKEN",
        help="The bearer token, if not that of your server on this machine. Others can "
        "see it in the command line.",
    ),
    click.option(
        "--token-file",
        type=click.Path(path_type=Path),
        help="A file that holds the token. Takes the place of --token.",
    ),
    click.option(
        "--authority",
        # The variables of festinger's configuration, so that both find the same server.
        envvar="FESTINGER_SERVER__TLS__AUTHORITY",
        type=click.Path(path_type=Path),
        help="A file with the authority of an encrypted server's certificate.",
    ),
    click.option(
        "--certificate",
        envvar="FESTINGER_SERVER__TLS__CERTIFICATE",
        type=click.Path(path_type=Path),
        help="A file with the certificate that the server demands of its clients.",
    ),
    click.option(
        "--key",
        envvar="FESTINGER_SERVER__TLS__KEY",
        type=click.Path(path_type=Path),
        help="A file with the certificate's private key.",
    ),
    click.option(
        "--project",
        envvar="FESTINGER_PROJECT",
        show_envvar=True,
        metavar="NAME",
        help="Where the work is done; plain words are kept for it.",
    ),
    click.option(
        "--timeout",
        type=click.FloatRange(min=0, min_open=True),
        default=10.0,
        show_default=True,
        metavar="SECONDS",
        help="How long a call may take, with all its tries.",
    ),
)


def options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add all options to a command."""
    # In reverse, since the last decorator is the first that help shows.
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
