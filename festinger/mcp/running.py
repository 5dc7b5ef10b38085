"""Running the server on standard input and output."""

from __future__ import annotations

from mcp.server.stdio import stdio_server

from festinger.config import Settings
from festinger.mcp.callers import LocalCaller
from festinger.mcp.memory import MemoryCalls
from festinger.mcp.reference import ReferenceServer
from festinger.mcp.server import memory_server


async def run(
    settings: Settings, *, tenant: str, person: str, project: str, reference: bool
) -> None:
    """Serve one client until it closes standard input.

    Args:
        settings: The data directory and the address of the memory server.
        tenant: The memory.
        person: Name of the user; empty for any user of this machine.
        project: Project of the session; empty for none.
        reference: Whether to serve the tools of the reference memory server.
    """
    memory = MemoryCalls(settings.server.address)
    callers = LocalCaller(settings.data_dir, tenant, person, project)
    try:
        if not reference:
            await memory_server(memory, callers).run_stdio_async()
            return
        server = ReferenceServer(memory, callers).server()
        async with stdio_server() as (reads, writes):
            await server.run(reads, writes, server.create_initialization_options())
    finally:
        await memory.close()
