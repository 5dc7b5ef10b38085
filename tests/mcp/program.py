"""The `festinger` command that has imported the MCP SDK: see `tests.forks`."""

from __future__ import annotations

from festinger.cli import main
from festinger.mcp import running

__all__ = ["main", "running"]
