"""Running the server on standard input and output."""

from __future__ import annotations

from festinger.config import Settings
from festinger.mcp.callers import LocalCaller
from festinger.mcp.memory import MemoryCalls
from festinger.mcp.server import memory_server


async def run(settings: Settings, *, tenant: str, person: str, project: str) -> None:
    """Serve one client until it closes standard input.

    Args:
        settings: The data directory and the address of the memory server.
        tenant: The memory.
        person: Name of the user; empty for any user of this machine.
        project: Project of the session; empty for none.
    """
    memory = MemoryCalls(settings.server.address)
    callers = LocalCaller(settings.data_dir, tenant, person, project)
    try:
        await memory_server(memory, callers).run_stdio_async()
    finally:
        await memory.close()
