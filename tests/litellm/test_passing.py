"""With nothing to tell, LiteLLM does not notice that anything is in front of Ollama."""

from __future__ import annotations

import re

import pytest

from tests.apart import ROOT
from tests.litellm.cases import CASES, rehearse
from tests.litellm.conftest import Festinger
from tests.litellm.driver import FLATTENED, OPENAI, LiteLLM, Provider

pytestmark = pytest.mark.asyncio(loop_scope="session")

HEADERS = ("Content-Type", "Accept", "User-Agent", "Authorization")


async def test_version(litellm: LiteLLM) -> None:
    """The tested version is that of the lock file."""
    lock = ROOT / "requirements" / f"litellm-{litellm.environment}.lock"
    pinned = re.search(r"^litellm==(\S+)", lock.read_text(), re.MULTILINE)

    assert pinned
    assert litellm.version == pinned[1]


@pytest.mark.parametrize("function", ["completion", "acompletion"])
@pytest.mark.parametrize("case", CASES)
async def test_nothing_to_tell(
    litellm: LiteLLM, festinger: Festinger, provider: Provider, case: str, function: str
) -> None:
    """Ollama is given the same bytes as without us, and its answer arrives the same."""
    expected = rehearse(festinger.ollama, provider, case)
    direct = await litellm.ask(
        function, **provider.at(festinger.ollama.url), **CASES[case]
    )
    through = await litellm.ask(function, **provider.at(festinger.url), **CASES[case])

    assert through == direct
    assert through.error is None
    assert expected in str(through.parts)
    alone, behind = festinger.ollama.prompts
    assert behind.path == alone.path == provider.route
    assert behind.body == alone.body
    for name in HEADERS:
        assert behind.header(name) == alone.header(name)


@pytest.mark.parametrize("function", ["embedding", "aembedding"])
@pytest.mark.parametrize("provider", [FLATTENED, OPENAI], ids=lambda it: it.name)
async def test_embeddings(
    litellm: LiteLLM,
    festinger: Festinger,
    provider: Provider,
    function: str,
) -> None:
    """Texts to embed are no prompts: they pass, and teach nothing."""
    texts = ["gnommoweb is a repo", "Grüß dich 😀"]
    arguments = {**provider.at(festinger.ollama.url), "input": texts}
    direct = await litellm.ask(function, **arguments)
    arguments |= provider.at(festinger.url)
    through = await litellm.ask(function, **arguments)
    await festinger.written()

    assert through == direct
    assert through.parts == [{"vectors": [[0.5, 0.25]]}]
    alone, behind = festinger.ollama.requests
    assert (behind.path, behind.body) == (alone.path, alone.body)
    assert await festinger.facts() == []
