"""The official clients, through the shim, with and without a recollection."""

from __future__ import annotations

import base64
import json
from typing import Any

import anthropic
import httpx
import ollama as ollama_client
import openai
import pytest

from tests.shim.conftest import BLOCK

PIXEL = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00"
    b"\x00\x00\x1f\x15\xc4\x89"
)
MESSAGES = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Grüß dich 😀"},
]


@pytest.fixture(params=["", BLOCK], ids=["nothing", "block"], autouse=True)
def told(request, memory, ollama):
    """With and without something to tell."""
    memory.block = request.param
    ollama.knobs.reply = "one two three"
    return request.param


def check(ollama, told):
    """The model was given the block and the client's own words."""
    text = ollama.prompts[-1].body.decode()
    assert (json.dumps(told)[1:-1] in text) is bool(told) or not told
    assert "Be brief." in text


@pytest.fixture
async def client(shim):
    """Ollama's client."""
    client = ollama_client.AsyncClient(host=shim.url)
    yield client
    await client._client.aclose()


@pytest.fixture
async def gpt(shim):
    """OpenAI's client."""
    async with openai.AsyncOpenAI(base_url=f"{shim.url}/v1", api_key="ollama") as gpt:
        yield gpt


@pytest.fixture
async def claude(shim):
    """Anthropic's client."""
    async with anthropic.AsyncAnthropic(base_url=shim.url, api_key="ollama") as claude:
        yield claude


async def test_ollama_chat(client, ollama, told):
    """`chat` of the official client works."""
    answer = await client.chat("llama3", MESSAGES)

    assert answer.message.content == "one two three"
    check(ollama, told)


async def test_ollama_stream(client, ollama, told):
    """A stream arrives word by word."""
    stream = await client.chat("llama3", MESSAGES, stream=True)
    words = [part.message.content async for part in stream]

    assert words == ["one ", "two ", "three ", ""]
    check(ollama, told)


async def test_ollama_tools(client, ollama, told):
    """Tools are called, and their results answered."""
    ollama.knobs.calls = (("weather", {"city": "Oslo"}),)

    def weather(city: str) -> str:
        """Tell the weather."""
        return city

    first = await client.chat("llama3", MESSAGES, tools=[weather])
    messages = [*MESSAGES, first.message, {"role": "tool", "content": "sunny"}]
    second = await client.chat("llama3", messages, tools=[weather])

    assert first.message.tool_calls[0].function.arguments == {"city": "Oslo"}
    assert second.message.content == "one two three"
    check(ollama, told)


async def test_ollama_images(client, ollama, told):
    """Images pass."""
    messages = [MESSAGES[0], {**MESSAGES[1], "images": [PIXEL]}]
    await client.chat("llama3", messages)

    assert ollama.prompts[-1].json["messages"][-1]["images"]
    check(ollama, told)


async def test_ollama_generate(client, ollama, told):
    """`generate` works, streaming too."""
    answer = await client.generate("llama3", "hello", system="Be brief.")
    stream = await client.generate("llama3", "hello", system="Be brief.", stream=True)

    assert answer.response == "one two three"
    assert [p.response async for p in stream] == ["one ", "two ", "three ", ""]
    check(ollama, told)


async def test_ollama_error(client, ollama):
    """The upstream's errors are the client's exceptions."""
    ollama.knobs.status = 404
    with pytest.raises(ollama_client.ResponseError, match="as told"):
        await client.chat("llama3", MESSAGES)


async def test_ollama_broken_stream(client, ollama):
    """A stream that breaks raises, with words."""
    ollama.knobs.cut_after = 1
    with pytest.raises(ollama_client.ResponseError, match="broke"):
        async for _ in await client.chat("llama3", MESSAGES, stream=True):
            pass


async def test_ollama_other_calls(start_shim, ollama):
    """A route that is not enriched works as well."""
    client = ollama_client.AsyncClient(host=(await start_shim(model_changes=True)).url)
    assert (await client.list()).models[0].model == "stand-in:latest"
    assert (await client.embed("m", "text")).embeddings == [[0.5, 0.25]]
    assert (await client.show("llama3")).template
    assert (await client.pull("m")).status == "success"
    assert [p.status async for p in await client.pull("m", stream=True)] == [
        "working",
        "success",
    ]
    await client.delete("m")
    await client.copy("a", "b")
    await client.ps()
    await client._client.aclose()


async def test_ollama_refused_call(client, ollama):
    """A refusal says what to do, in the client's own exception."""
    with pytest.raises(ollama_client.ResponseError, match=r"shim\.model_changes"):
        await client.pull("m")


async def test_ollama_sync(shim, ollama, told):
    """The synchronous client works, streaming too."""
    import asyncio

    def work():
        client = ollama_client.Client(host=shim.url)
        answer = client.chat("llama3", MESSAGES)
        words = [
            p.message.content for p in client.chat("llama3", MESSAGES, stream=True)
        ]
        client._client.close()
        return answer.message.content, words

    said, words = await asyncio.to_thread(work)

    assert said == "one two three"
    assert words == ["one ", "two ", "three ", ""]
    check(ollama, told)


async def test_openai_chat(gpt, ollama, told):
    """OpenAI's client works."""
    answer = await gpt.chat.completions.create(model="llama3", messages=MESSAGES)

    assert answer.choices[0].message.content == "one two three"
    check(ollama, told)


async def test_openai_stream(gpt, ollama, told):
    """A stream of events arrives word by word."""
    stream = await gpt.chat.completions.create(
        model="llama3", messages=MESSAGES, stream=True
    )
    words = [chunk.choices[0].delta.content async for chunk in stream]

    assert words == ["one ", "two ", "three ", None]
    check(ollama, told)


async def test_openai_tools_and_images(gpt, ollama, told):
    """Tools and content parts pass."""
    ollama.knobs.calls = (("weather", {"city": "Oslo"}),)
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
    parts = [{"type": "text", "text": "What is it?"}, image]
    answer = await gpt.chat.completions.create(
        model="llama3",
        messages=[MESSAGES[0], {"role": "user", "content": parts}],
        tools=[{"type": "function", "function": {"name": "weather"}}],
    )

    call = answer.choices[0].message.tool_calls[0]
    assert json.loads(call.function.arguments) == {"city": "Oslo"}
    assert ollama.prompts[-1].json["messages"][1]["content"] == parts
    check(ollama, told)


async def test_openai_error(gpt, ollama, shim):
    """An upstream that is away is an error with words for OpenAI's client."""
    await ollama.stop()
    with pytest.raises(openai.InternalServerError, match="ollama serve"):
        await gpt.with_options(max_retries=0).chat.completions.create(
            model="llama3", messages=MESSAGES
        )


async def test_openai_completions(gpt, ollama, told):
    """Completions of a bare prompt work, streaming too."""
    prompt = "Be brief."
    answer = await gpt.completions.create(model="llama3", prompt=prompt)
    stream = await gpt.completions.create(model="llama3", prompt=prompt, stream=True)

    assert answer.choices[0].text == "one two three"
    assert [c.choices[0].text async for c in stream] == ["one ", "two ", "three ", ""]
    check(ollama, told)


async def test_openai_responses(gpt, ollama, told):
    """Responses work, with a string and with items."""
    for given in ("Grüß dich 😀", MESSAGES[1:]):
        answer = await gpt.responses.create(
            model="llama3", instructions="Be brief.", input=given
        )

        assert answer.output_text == "one two three"
        check(ollama, told)


async def test_openai_responses_stream(gpt, ollama, told):
    """The named events of a response arrive, the last one with all of it."""
    stream = await gpt.responses.create(model="llama3", input=MESSAGES, stream=True)
    events = [event async for event in stream]

    said = [e.delta for e in events if e.type == "response.output_text.delta"]
    assert said == ["one ", "two ", "three "]
    assert events[-1].type == "response.completed"
    assert events[-1].response.output_text == "one two three"
    check(ollama, told)


async def test_openai_responses_tools(gpt, ollama, told):
    """Tools are called, and their results answered."""
    ollama.knobs.calls = (("weather", {"city": "Oslo"}),)
    tools = [{"type": "function", "name": "weather", "parameters": {}, "strict": False}]
    first = await gpt.responses.create(model="llama3", input=MESSAGES, tools=tools)
    call = first.output[0]
    given = [
        *MESSAGES,
        call.to_dict(),
        {"type": "function_call_output", "call_id": call.call_id, "output": "sunny"},
    ]
    second = await gpt.responses.create(model="llama3", input=given, tools=tools)

    assert json.loads(call.arguments) == {"city": "Oslo"}
    assert second.output_text == "one two three"
    check(ollama, told)


ASKED: dict[str, Any] = {
    "model": "llama3",
    "max_tokens": 100,
    "system": "Be brief.",
    "messages": MESSAGES[1:],
}


async def test_anthropic_messages(claude, ollama, told):
    """Anthropic's client works, with a system text and with system blocks."""
    for system in ("Be brief.", [{"type": "text", "text": "Be brief."}]):
        answer = await claude.messages.create(**{**ASKED, "system": system})

        assert answer.content[0].text == "one two three"
        check(ollama, told)


async def test_anthropic_stream(claude, ollama, told):
    """A stream of named events arrives word by word, and ends with its message."""
    async with claude.messages.stream(**ASKED) as stream:
        words = [word async for word in stream.text_stream]
        whole = await stream.get_final_message()

    assert words == ["one ", "two ", "three "]
    assert whole.stop_reason == "end_turn"
    check(ollama, told)


async def test_anthropic_tools_and_images(claude, ollama, told):
    """Tools are called and their results answered; images pass."""
    ollama.knobs.calls = (("weather", {"city": "Oslo"}),)
    data = base64.b64encode(PIXEL).decode()
    source = {"type": "base64", "media_type": "image/png", "data": data}
    parts = [{"type": "image", "source": source}, {"type": "text", "text": "Where?"}]
    asked = {**ASKED, "messages": [{"role": "user", "content": parts}]}
    tools = [{"name": "weather", "input_schema": {"type": "object"}}]
    first = await claude.messages.create(**asked, tools=tools)
    use = first.content[0]
    result = {"type": "tool_result", "tool_use_id": use.id, "content": "sunny"}
    asked["messages"] += [
        {"role": "assistant", "content": first.content},
        {"role": "user", "content": [result]},
    ]
    second = await claude.messages.create(**asked, tools=tools)

    assert use.input == {"city": "Oslo"}
    assert second.content[0].text == "one two three"
    assert ollama.prompts[-1].json["messages"][0]["content"] == parts
    check(ollama, told)


async def test_httpx_on_a_kept_connection(shim):
    """A kept connection serves many requests."""
    async with httpx.AsyncClient() as client:
        for _ in range(5):
            assert (await client.get(f"{shim.url}/api/version")).status_code == 200
