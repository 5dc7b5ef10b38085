"""Common parts of each framework's suite; it runs in `.venv-adapters`, beside a server."""

from __future__ import annotations

import ast
import os
import re
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from festinger.adapters import AgentMemory, Contradicted
from festinger.client import Client
from festinger.errors import ConceptNotFound

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "how-to" / "frameworks.md").read_text(encoding="utf-8")

# Nothing is sent anywhere, from the first import on.
os.environ.update(
    LANGSMITH_TRACING="false",
    LITELLM_LOCAL_MODEL_COST_MAP="true",
    OPENAI_AGENTS_DISABLE_TRACING="1",
    OPENAI_API_KEY="none",
)


@pytest.fixture(scope="session")
def client() -> Iterator[Client]:
    """A client of the server, which is shared: each test has names of its own."""
    with Client.from_environment() as client:
        yield client


@pytest.fixture
def found() -> list[Contradicted]:
    """The contradictions that prompts stated."""
    return []


@pytest.fixture
def memory(client: Client, found: list[Contradicted]) -> AgentMemory:
    """The memory of a project of the test's own."""
    project = f"project {uuid4().hex[:8]}"
    return AgentMemory(client, project=project, on_contradiction=found.append)


@pytest.fixture
def name() -> str:
    """A name that the memory does not know."""
    return f"zork{uuid4().hex[:6]}"


def code_of(heading: str) -> str:
    """Return the example of a heading of the page."""
    (code,) = re.findall(
        rf"^## {heading}\n[^#]*?```python\n(.*?)```", PAGE, re.DOTALL | re.MULTILINE
    )
    return str(code)


@pytest.fixture
def example() -> Callable[..., Awaitable[dict[str, Any]]]:
    """
    Run the example of a heading of the page, behind the one that they begin with; what
    they have left in their variables.
    """

    async def run(heading: str, **names: Any) -> dict[str, Any]:
        for each in ("The memory", heading):
            code = code_of(each)
            flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
            compiled = compile(code, each, "exec", flags, dont_inherit=True)
            if (waiting := eval(compiled, names)) is not None:
                await waiting
        return names

    return run


@pytest.fixture
def held(client: Client, name: str) -> Callable[[], str]:
    """Wait until a value of the name is held: a prompt is written behind its answer."""

    def parent() -> str:
        for _ in range(500):
            with suppress(ConceptNotFound):
                if edges := client.concept(name).edges:
                    return edges[0].parent
            time.sleep(0.02)
        raise AssertionError(f"nothing is held of {name}")

    return parent
