"""Running the server: on standard input and output, or over HTTP."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from mcp.server.stdio import stdio_server
from starlette.applications import Starlette

from festinger.config import Settings
from festinger.credentials import KnownTokens
from festinger.mcp.graph_file import GraphFile
from festinger.mcp.http import TOKENS_ONLY, HttpCallers, MemoryTokens, serve_http
from festinger.mcp.memory import LocalCaller, MemoryCalls
from festinger.mcp.reference import ReferenceServer
from festinger.mcp.server import memory_server


async def run(
    settings: Settings,
    *,
    tenant: str,
    person: str,
    project: str,
    reference: bool,
    memory_file: Path | None,
) -> None:
    """Serve one client until it closes standard input.

    Args:
        settings: The data directory and the address of the memory server.
        person: Name of the user; empty for any user of this machine.
        project: Project of the session; empty for none.
        reference: Whether to serve the tools of the reference memory server.
        memory_file: The reference memory server's file; None for none.
    """
    memory = MemoryCalls(settings.server.address, settings.server.tls)
    callers = LocalCaller(settings.data_dir, tenant, person, project)
    try:
        # The library serves these tools itself; the drop-in has handlers of a lower level.
        if not reference:
            await memory_server(memory, callers).run_stdio_async()
            return
        file = (
            GraphFile(memory_file, memory, settings.data_dir) if memory_file else None
        )
        server = ReferenceServer(memory, callers, file).server()
        # Standard output belongs to the protocol: nothing else may be printed.
        async with stdio_server() as (reads, writes):
            await server.run(reads, writes, server.create_initialization_options())
    finally:
        await memory.close()


async def run_http(
    settings: Settings, *, address: str, reference: bool, say: Callable[[str], None]
) -> None:
    """Serve clients over HTTP until the process is told to stop.

    Args:
        settings: The data directory, and the address of the memory server.
        address: HOST:PORT of the loopback interface; port 0 takes a free one.
        reference: Whether to serve the tools of the reference memory server.
        say: Is given the URL.

    Raises:
        ConfigurationError: The address is in use, or others could reach it.
    """
    memory = MemoryCalls(settings.server.address, settings.server.tls)
    callers = HttpCallers(KnownTokens(settings.data_dir))
    tokens = MemoryTokens(memory, callers)
    app: Callable[..., Starlette]
    # No file: it belongs to one memory, and here clients have different ones.
    if reference:
        server = ReferenceServer(memory, callers).server()
        app = partial(
            server.streamable_http_app, auth=TOKENS_ONLY, token_verifier=tokens
        )
    else:
        app = memory_server(memory, callers, tokens).streamable_http_app
    try:
        # The web server raises the signal again that stopped it, after it has ended in order.
        with suppress(KeyboardInterrupt):
            await serve_http(app, address, say)
    finally:
        await memory.close()
