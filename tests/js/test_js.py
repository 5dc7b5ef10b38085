"""The official JavaScript clients, through the shim, with and without a recollection."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest

from tests.apart import ROOT, require
from tests.js.driver import ENVIRONMENT, Answer, Node
from tests.shim.conftest import BLOCK
from tests.waiting import until

REPLY = "one two three"
CALL = ("weather", {"city": "Oslo"})
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
PARAMETERS = {"type": "object", "properties": {"city": {"type": "string"}}}
FUNCTION = {
    "type": "function",
    "function": {"name": "weather", "parameters": PARAMETERS},
}
SYSTEM = {"role": "system", "content": "Be brief."}
USER = {"role": "user", "content": "Grüß dich 😀"}


@dataclass(frozen=True)
class Case:
    """Task of a client.

    Attributes:
        client: Which one.
        call: Its function.
        args: What it is called with, without `model`.
    """

    client: str
    call: str
    args: dict[str, Any]

    @property
    def streams(self) -> bool:
        """Return whether the answer is a stream."""
        return "stream" in self.args


def ollama_case(call: str = "chat", **args: Any) -> Case:
    """Return a call of Ollama's client."""
    if call == "chat":
        args = {"messages": [SYSTEM, USER], **args}
    return Case("ollama", call, args)


def openai_case(user: Any = USER["content"], **args: Any) -> Case:
    """Return a call of OpenAI's client."""
    messages = [SYSTEM, {"role": "user", "content": user}]
    return Case("openai", "chat.completions.create", {"messages": messages, **args})


def anthropic_case(user: Any = USER["content"], **args: Any) -> Case:
    """Return a call of Anthropic's client."""
    given = {"max_tokens": 100, "system": "Be brief."}
    given["messages"] = [{"role": "user", "content": user}]
    return Case("anthropic", "messages.create", {**given, **args})


GPT_IMAGE = {
    "type": "image_url",
    "image_url": {"url": f"data:image/png;base64,{PIXEL}"},
}
CLAUDE_IMAGE = {
    "type": "image",
    "source": {"type": "base64", "media_type": "image/png", "data": PIXEL},
}
WHERE = {"type": "text", "text": "Where is it?"}

CASES = {
    "ollama-chat": ollama_case(),
    "ollama-stream": ollama_case(stream=True),
    "ollama-tools": ollama_case(tools=[FUNCTION]),
    "ollama-tools-stream": ollama_case(tools=[FUNCTION], stream=True),
    "ollama-images": ollama_case(messages=[SYSTEM, {**USER, "images": [PIXEL]}]),
    "ollama-format": ollama_case(format=PARAMETERS, options={"temperature": 0.0}),
    "ollama-think": ollama_case(think="high", keep_alive="5m"),
    "ollama-generate": ollama_case("generate", prompt="Hello", system="Be brief."),
    "ollama-generate-stream": ollama_case(
        "generate", prompt="Hello", system="Be brief.", stream=True
    ),
    "openai-chat": openai_case(),
    "openai-stream": openai_case(stream=True),
    "openai-tools": openai_case(tools=[FUNCTION]),
    "openai-images": openai_case([WHERE, GPT_IMAGE]),
    "openai-responses": Case(
        "openai", "responses.create", {"instructions": "Be brief.", "input": "Hello"}
    ),
    "anthropic-chat": anthropic_case(),
    "anthropic-stream": anthropic_case(stream=True),
    "anthropic-tools": anthropic_case(
        tools=[{"name": "weather", "input_schema": PARAMETERS}]
    ),
    "anthropic-images": anthropic_case([CLAUDE_IMAGE, WHERE]),
}

# What differs from one answer to the next.
VOLATILE = {"id", "created", "created_at", "completed_at", "item_id", "_request_id"}
VOLATILE |= {"total_duration", "load_duration", "prompt_eval_duration", "eval_duration"}


@pytest.fixture
async def node():
    """A Node.js."""
    require(ENVIRONMENT, "Node.js", "test-js")
    async with Node() as node:
        yield node


async def ask(node: Node, url: str, case: Case, abort_after: int = 0) -> Answer:
    """Make the call of a case."""
    args = {"model": "llama3", **case.args}
    return await node.ask(case.client, url, case.call, args, abort_after)


def lasting(value: Any) -> Any:
    """Return an answer without what differs from one to the next."""
    if isinstance(value, dict):
        return {k: lasting(v) for k, v in value.items() if k not in VOLATILE}
    if isinstance(value, list):
        return [lasting(element) for element in value]
    return value


def without_counts(value: Any) -> Any:
    """Return an answer without the tokens of the prompt, which a block adds to."""
    counts = {"usage", "prompt_eval_count"}
    if isinstance(value, dict):
        return {k: without_counts(v) for k, v in value.items() if k not in counts}
    if isinstance(value, list):
        return [without_counts(element) for element in value]
    return value


@pytest.mark.parametrize("name", ["ollama", "openai", "@anthropic-ai/sdk"])
def test_versions(name):
    """The tested version is that of the lock file, and its hash is in it."""
    require(ENVIRONMENT, "Node.js", "test-js")
    lock = json.loads((ROOT / "tests/js/package-lock.json").read_text())
    package = f"node_modules/{name}"
    installed = json.loads(
        (ENVIRONMENT / "clients" / package / "package.json").read_text()
    )

    assert installed["version"] == lock["packages"][package]["version"]
    assert lock["packages"][package]["integrity"].startswith("sha512-")


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
async def test_nothing_to_tell(node, shim, ollama, case):
    """Ollama is given the same bytes as without us, and its answer arrives the same."""
    ollama.knobs.reply, ollama.knobs.calls = REPLY, calls_of(case)
    direct = await ask(node, ollama.url, case)
    through = await ask(node, shim.url, case)

    assert lasting(vars(through)) == lasting(vars(direct))
    assert through.error is None
    assert ("Oslo" if calls_of(case) else "three") in str(vars(through))
    alone, behind = ollama.prompts
    assert (behind.method, behind.path) == (alone.method, alone.path)
    assert behind.body == alone.body
    for header in ("Content-Type", "Accept", "User-Agent", "Authorization"):
        assert behind.header(header) == alone.header(header)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
async def test_told(node, shim, ollama, memory, case):
    """The block is the only difference in what Ollama is given; the answer is as ever."""
    memory.block = BLOCK
    ollama.knobs.reply, ollama.knobs.calls = REPLY, calls_of(case)
    direct = await ask(node, ollama.url, case)
    through = await ask(node, shim.url, case)

    assert without_counts(lasting(vars(through))) == without_counts(
        lasting(vars(direct))
    )
    alone, behind = ollama.prompts
    written = json.dumps(f"{BLOCK}\n\n", ensure_ascii=False)[1:-1].encode()
    assert behind.body.count(written) == 1
    assert behind.body.replace(written, b"") == alone.body


def calls_of(case: Case) -> tuple[Any, ...]:
    """Return the calls that the model makes in a case."""
    return (CALL,) if "tools" in case.args else ()


STREAMS = {name: case for name, case in CASES.items() if case.streams}


@pytest.mark.parametrize("block", ["", BLOCK], ids=["nothing", "block"])
@pytest.mark.parametrize("case", STREAMS.values(), ids=STREAMS)
async def test_abort(node, shim, ollama, memory, case, block):
    """A stream that the client aborts is aborted at the model too."""
    memory.block = block
    ollama.knobs.reply, ollama.knobs.hold_after = REPLY, 2
    answer = await ask(node, shim.url, case, abort_after=1)

    assert len(answer.chunks) < len(REPLY.split()) + 1
    await until(lambda: ollama.cancelled)
    assert len(ollama.cancelled) == 1


@pytest.mark.parametrize("client", ["ollama", "openai", "anthropic"])
async def test_error_of_the_upstream(node, shim, ollama, client):
    """The upstream's errors are the client's own."""
    ollama.knobs.status = 404
    answer = await ask(node, shim.url, CASES[f"{client}-chat"])

    assert answer.status == 404
    assert "as told" in str(answer.error)


@pytest.mark.parametrize("client", ["ollama", "openai", "anthropic"])
async def test_upstream_is_away(node, shim, ollama, client):
    """The shim's own errors say what to do, in the client's own."""
    await ollama.stop()
    answer = await ask(node, shim.url, CASES[f"{client}-chat"])

    assert answer.status == 502
    assert "ollama serve" in str(answer.error)


@pytest.mark.parametrize("case", STREAMS.values(), ids=STREAMS)
async def test_broken_stream(node, shim, ollama, case):
    """A stream that breaks is an error, not an ending."""
    ollama.knobs.reply, ollama.knobs.cut_after = REPLY, 1
    answer = await ask(node, shim.url, case)

    assert "broke" in str(answer.error)


async def test_tool_round_trip(node, shim, ollama, memory):
    """A tool's result is answered, and goes to the memory as a tool's."""
    ollama.knobs.reply, ollama.knobs.calls = REPLY, (CALL,)
    first = await ask(node, shim.url, CASES["ollama-tools"])
    result = {"role": "tool", "content": "sunny", "tool_name": "weather"}
    messages = [SYSTEM, USER, first.whole["message"], result]
    second = await ask(node, shim.url, ollama_case(messages=messages, tools=[FUNCTION]))

    assert second.whole["message"]["content"] == REPLY
    assert ("tool", "sunny", False) in memory.turns


async def test_other_calls(node, start_shim, ollama):
    """A route that is not enriched works as well."""
    url = (await start_shim(model_changes=True)).url
    asked: list[tuple[str, Any]] = [
        ("list", {}),
        ("ps", {}),
        ("version", {}),
        ("show", {"model": "llama3"}),
        ("embed", {"model": "m", "input": "text"}),
        ("copy", {"source": "a", "destination": "b"}),
        ("delete", {"model": "m"}),
        ("pull", {"model": "m"}),
        ("pull", {"model": "m", "stream": True}),
    ]
    for call, args in asked:
        direct = await node.ask("ollama", ollama.url, call, args)
        through = await node.ask("ollama", url, call, args)

        assert lasting(vars(through)) == lasting(vars(direct))
        assert through.error is None
        alone, behind = ollama.requests[-2:]
        assert (behind.path, behind.body) == (alone.path, alone.body)
