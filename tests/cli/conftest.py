from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import grpc.aio
import pytest

from festinger.config import ServerSettings
from festinger.credentials import OPERATOR, token_file
from festinger.rpc.server import MemoryServer
from festinger.services.graph.resolver import Resolver
from festinger.services.memories.memory_extractor import MemoryExtractor
from festinger.services.review.ingester import Ingester
from festinger.services.system.models import Models
from festinger.services.system.registry import ServiceRegistry
from festinger.services.validation.dreamer import Dreamer
from festinger.services.validation.retrainer import Retrainer
from festinger.services.world.memory import Memories
from festinger.store.postgres import PostgresStore
from tests import forks
from tests.serving import Client


@dataclass
class Operator:
    """
    A person at the machine of a memory server.
    """

    client: Client
    address: str
    data_dir: Path

    async def runs(
        self, *words: str, given: str = "", **environment: str
    ) -> tuple[int, str, str]:
        """
        Run `festinger`; its exit code, what it printed, and what it complained of.
        """
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
        """
        Return the output of `festinger` if nothing goes wrong.
        """
        code, printed, complained = await self.runs(*words)
        assert (code, complained) == (0, "")
        return printed


@pytest.fixture
async def operator(
    memories: Memories,
    models: Models,
    resolver: Resolver,
    ingester: Ingester,
    memory_extractor: MemoryExtractor,
    retrainer: Retrainer,
    dreamer: Dreamer,
    store: PostgresStore,
    tmp_path: Path,
) -> AsyncIterator[Operator]:
    """
    The operator of a server over the test's memories, with their token.
    """
    section = ServerSettings(address="127.0.0.1:0")
    server = MemoryServer(
        section,
        memories,
        Client.callers(),
        ServiceRegistry(
            models=models,
            resolver=resolver,
            memory_extractor=memory_extractor,
            ingester=ingester,
            dreamer=dreamer,
            retrainer=retrainer,
            predicates=store.predicates,
        ),
    )
    address = await server.start()
    token_file(tmp_path, OPERATOR).write_text("operator\n", encoding="ascii")
    async with grpc.aio.insecure_channel(address) as channel:
        yield Operator(Client(channel), address, tmp_path)
    await server.stop()
