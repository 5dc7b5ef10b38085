from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from festinger.credentials import OPERATOR, token_file
from tests import forks
from tests.serving import Client


@dataclass
class Operator:
    """A person at the machine of a memory server."""

    client: Client
    address: str
    data_dir: Path

    async def runs(
        self, *words: str, given: str = "", **environment: str
    ) -> tuple[int, str, str]:
        """Run `festinger`; its exit code, what it printed, and what it complained of."""
        inherited = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("FESTINGER_")
        }
        return await asyncio.to_thread(
            forks.run,
            *words,
            environment={
                **inherited,
                "FESTINGER_SERVER": self.address,
                "FESTINGER_DATA_DIR": str(self.data_dir),
                **environment,
            },
            given=given,
        )

    async def prints(self, *words: str) -> str:
        """Return the output of `festinger` if nothing goes wrong."""
        code, printed, complained = await self.runs(*words)
        assert (code, complained) == (0, "")
        return printed


@pytest.fixture
async def operator(client: Client, tmp_path: Path) -> Operator:
    """The operator of a server over the test's memories, with their token."""
    token_file(tmp_path, OPERATOR).write_text("operator\n", encoding="ascii")
    return Operator(client, client.address, tmp_path)
