"""These tests run if they are named, as `make test-litellm` does.

They need environments of their own, one for each version of LiteLLM.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import pytest
import pytest_asyncio

from festinger.api.v1.candidate_service_pb2 import ListCandidatesRequest
from festinger.api.v1.concept_service_pb2 import GetConceptRequest, ListConceptsRequest
from festinger.api.v1.conflict_service_pb2 import ListConflictsRequest
from festinger.app import serving, shimming
from festinger.config import Settings
from festinger.credentials import LOCAL, read_token
from festinger.maintenance import add_tenant
from festinger.standin import StandIn
from tests.apart import ignore_unless_named, require, tell_if_left_out
from tests.conftest import fastest_place
from tests.litellm.driver import (
    DEADLINE_SECONDS,
    ENVIRONMENTS,
    PROVIDERS,
    VERSIONS,
    LiteLLM,
    Provider,
)
from tests.serving import Client

HERE = Path(__file__).parent

BARRIER = "barrier"

Fact = tuple[str, str, str]
"""Concept, parent and dimension."""

_numbers = itertools.count(1)


pytest_ignore_collect = ignore_unless_named(HERE)
pytest_terminal_summary = tell_if_left_out(HERE, "LiteLLM not tried: make test-litellm")


@pytest.fixture(scope="session", params=VERSIONS)
def environment(request: pytest.FixtureRequest) -> str:
    """The name of an environment that is there."""
    name: str = request.param
    require(ENVIRONMENTS / name, f"LiteLLM ({name})", "test-litellm")
    return name


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def litellm(environment: str) -> AsyncIterator[LiteLLM]:
    """A LiteLLM, for all tests of its version, as in an agent that keeps running."""
    async with LiteLLM(environment) as litellm:
        yield litellm


@pytest.fixture(params=PROVIDERS, ids=lambda provider: provider.name)
def provider(request: pytest.FixtureRequest) -> Provider:
    """A way to Ollama."""
    chosen: Provider = request.param
    return chosen


@pytest.fixture(scope="session")
def data_dir() -> Iterator[Path]:
    """A directory that the user can enter that Postgres runs as, unlike pytest's own."""
    directory = Path(tempfile.mkdtemp(prefix="festinger-litellm-", dir=fastest_place()))
    directory.chmod(0o711)
    yield directory
    shutil.rmtree(directory, ignore_errors=True)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def served(data_dir: Path) -> AsyncIterator[Settings]:
    """A memory server on a Postgres of its own; the settings lead to it."""
    settings = Settings.model_validate(
        {"data_dir": data_dir, "server": {"address": "127.0.0.1:0"}}
    )
    async with serving(settings) as running:
        section = settings.server.model_copy(update={"address": running.server})
        yield settings.model_copy(update={"server": section})


@dataclass
class Festinger:
    """An empty memory, a shim over it, and a stand-in for Ollama behind the shim."""

    settings: Settings
    url: str
    ollama: StandIn
    client: Client

    @property
    def tenant(self) -> str:
        """The name of the memory."""
        return self.settings.shim.tenant

    @property
    def _who(self) -> tuple[tuple[str, str], ...]:
        """The metadata of a person on this machine."""
        token = read_token(self.settings.data_dir, LOCAL)
        assert token
        return Client.as_(token, tenant=self.tenant)

    @property
    def given(self) -> list[str]:
        """The prompts that the model was given, as canonical JSON, members in order."""
        return [json.dumps(prompt.json) for prompt in self.ollama.prompts]

    async def written(self) -> None:
        """Wait until what was stated so far is held: statements are written in order."""
        fact = f"{BARRIER} -isa sentinel"
        await self.client.states(fact, *self._who)

    async def facts(self) -> list[Fact]:
        """Return the held facts."""
        request = ListConceptsRequest(placed=True)
        response = await self._call(self.client.concepts.ListConcepts, request)
        return [
            (edge.concept, edge.parent, edge.dimension)
            for concept in response.concepts
            for edge in concept.edges
            if edge.concept != BARRIER
        ]

    async def encounters(self, token: str) -> int:
        """Return the number of times that a word was met."""
        request = GetConceptRequest(token=token)
        try:
            response = await self._call(self.client.concepts.GetConcept, request)
        except grpc.aio.AioRpcError as error:
            if error.code() is grpc.StatusCode.NOT_FOUND:
                return 0
            raise
        count: int = response.concept.encounter_count
        return count

    async def candidates(self) -> list[Fact]:
        """Return the statements that wait for a person."""
        request = ListCandidatesRequest()
        response = await self._call(self.client.candidates.ListCandidates, request)
        triples = [candidate.triple for candidate in response.candidates]
        return [(it.concept, it.parent, it.dimension) for it in triples]

    async def conflicts(self) -> list[Any]:
        """Return the conflicts that wait for a decision."""
        request = ListConflictsRequest()
        response = await self._call(self.client.conflicts.ListConflicts, request)
        return list(response.conflicts)

    async def gutask(self, *words: str) -> dict[str, Any]:
        """Return the output of the real command with `--json`."""
        process = await asyncio.create_subprocess_exec(
            Path(sys.executable).with_name("gutask"),
            "--server",
            self.settings.server.address,
            "--tenant",
            self.tenant,
            *words,
            "--json",
            env=os.environ | {"FESTINGER_DATA_DIR": str(self.settings.data_dir)},
            stdout=asyncio.subprocess.PIPE,
        )
        output, _ = await process.communicate()
        printed: dict[str, Any] = json.loads(output)
        return printed

    async def _call(self, method: Any, request: Any) -> Any:
        return await method(
            request,
            metadata=self._who,
            timeout=DEADLINE_SECONDS,
        )


@pytest_asyncio.fixture(loop_scope="session")
async def festinger(served: Settings) -> AsyncIterator[Festinger]:
    """Festinger in front of a stand-in, with a memory of the test's own."""
    tenant = f"test-{next(_numbers)}"
    await add_tenant(served, tenant)
    async with (
        StandIn() as ollama,
        grpc.aio.insecure_channel(served.server.address) as channel,
    ):
        section = served.shim.model_copy(
            update={
                "address": "127.0.0.1:0",
                "upstream": ollama.url,
                "tenant": tenant,
                # A test on a busy machine must not fail open.
                "memory_milliseconds_max": 5000,
                "drain_seconds": 1.0,
            }
        )
        settings = served.model_copy(update={"shim": section})
        async with shimming(settings) as running:
            url = f"http://{running.shim}"
            yield Festinger(settings, url, ollama, Client(channel))
