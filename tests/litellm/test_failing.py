"""When something breaks, LiteLLM says so, in our words where they are ours."""

from __future__ import annotations

import pytest

from tests.litellm.cases import CASES, REPLY
from tests.litellm.conftest import Festinger
from tests.litellm.driver import (
    CHAT,
    FLATTENED,
    OPENAI,
    LiteLLM,
    Provider,
)
from tests.waiting import until

pytestmark = pytest.mark.asyncio(loop_scope="session")

FUNCTIONS = pytest.mark.parametrize("function", ["completion", "acompletion"])


@FUNCTIONS
@pytest.mark.parametrize("case", ["plain", "stream"])
async def test_upstream_down(
    litellm: LiteLLM, festinger: Festinger, provider: Provider, case: str, function: str
) -> None:
    """Without an Ollama, LiteLLM raises what says where we looked and what to do."""
    await festinger.ollama.stop()
    answer = await litellm.ask(function, **provider.at(festinger.url), **CASES[case])

    assert answer.parts == []
    assert "APIError" in answer.kinds
    assert f"cannot reach Ollama at {festinger.ollama.url}" in (answer.error or "")
    assert "ollama serve" in (answer.error or "")


@FUNCTIONS
@pytest.mark.parametrize("status", [404, 500])
async def test_upstream_refuses(
    litellm: LiteLLM,
    festinger: Festinger,
    provider: Provider,
    status: int,
    function: str,
) -> None:
    """Ollama's own errors arrive as without us."""
    festinger.ollama.knobs.status = status
    case = CASES["plain"]
    direct = await litellm.ask(function, **provider.at(festinger.ollama.url), **case)
    through = await litellm.ask(function, **provider.at(festinger.url), **case)

    assert through == direct
    assert "as told" in (through.error or "")


@FUNCTIONS
@pytest.mark.parametrize("provider", [FLATTENED, CHAT], ids=lambda it: it.name)
async def test_stream_of_lines_breaks(
    litellm: LiteLLM, festinger: Festinger, provider: Provider, function: str
) -> None:
    """An answer that breaks off is an error in our words, after what was said."""
    knobs = festinger.ollama.knobs
    knobs.reply, knobs.cut_after = REPLY, 2
    case = CASES["stream"]
    answer = await litellm.ask(function, **provider.at(festinger.url), **case)

    assert answer.text.split() == ["one", "two"]
    assert "broke before the answer was complete" in (answer.error or "")


@FUNCTIONS
async def test_stream_of_events_breaks(
    litellm: LiteLLM, festinger: Festinger, function: str
) -> None:
    """There LiteLLM is no more silent than without us: 1.79.3's async client always is."""
    knobs = festinger.ollama.knobs
    knobs.reply, knobs.cut_after = REPLY, 2
    case = CASES["stream"]
    direct = await litellm.ask(function, **OPENAI.at(festinger.ollama.url), **case)
    through = await litellm.ask(function, **OPENAI.at(festinger.url), **case)

    assert through.text.split() == ["one", "two"]
    assert through.error or not direct.error


async def test_client_leaves(
    litellm: LiteLLM, festinger: Festinger, provider: Provider
) -> None:
    """Words arrive while the model still works, and it stops when its client is gone."""
    knobs = festinger.ollama.knobs
    knobs.reply, knobs.hold_after = REPLY, 2
    request = provider.at(festinger.url) | CASES["stream"]
    await litellm.leave("completion", ["one", "two"], **request)
    await until(lambda: festinger.ollama.cancelled)

    assert festinger.ollama.cancelled == [provider.route]
