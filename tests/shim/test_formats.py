"""The formats of OpenAI's and Anthropic's newer routes: where a block goes, who speaks."""

from __future__ import annotations

import json

import pytest

from tests.shim.conftest import BLOCK, POSITIONS

RESULT = "X-Festinger-Recollection"
SYSTEM, RECENT = POSITIONS.POSITION_SYSTEM, POSITIONS.POSITION_RECENT
OLD = "<recollection>\nold: [type] thing\n</recollection>"
TOLD = f"{BLOCK}\n\n"

COMPLETIONS, RESPONSES, MESSAGES = "/v1/completions", "/v1/responses", "/v1/messages"


def text(said, kind="text"):
    """Return a block or part of text."""
    return {"type": kind, "text": said}


def message(role, content):
    """Return a message."""
    return {"role": role, "content": content}


async def ask(http, shim, path, body):
    """Send a prompt, not as json.dumps would by default, and return what was sent."""
    raw = json.dumps({"model": "m", "n": 0, **body}, indent=1).encode()
    raw = raw.replace(b'"n": 0', b'"n": 1.50e1, "t" : "\\u00fc\\/"')
    answer = await http.post(shim.url + path, data=raw)
    await answer.read()
    return raw, answer


def written(put):
    """Return a text, an element or a member, as it is put in."""
    if isinstance(put, str):
        return json.dumps(put)[1:-1].encode()
    dumped = json.dumps(put, separators=(",", ":"))
    return (dumped if "type" in put else dumped[1:-1]).encode()


# Body, position, and the text, element or member that is put in.
PUT = [
    (COMPLETIONS, {"prompt": "hi"}, SYSTEM, TOLD),
    (COMPLETIONS, {"prompt": "hi"}, RECENT, TOLD),
    (COMPLETIONS, {"prompt": "### User:\nhi\n\n"}, SYSTEM, f"### System:\n{TOLD}"),
    (COMPLETIONS, {"prompt": "### User:\nhi\n\n"}, RECENT, TOLD),
    (RESPONSES, {"instructions": "Be brief.", "input": "hi"}, SYSTEM, TOLD),
    (RESPONSES, {"instructions": "Be brief.", "input": "hi"}, RECENT, TOLD),
    (RESPONSES, {"input": "hi"}, SYSTEM, {"instructions": BLOCK}),
    (RESPONSES, {"input": [message("user", "hi")]}, SYSTEM, {"instructions": BLOCK}),
    (RESPONSES, {"input": [message("user", "hi"), message("system", "s")]}, SYSTEM, TOLD),
    (RESPONSES, {"input": [message("developer", [text("d", "input_text")])]}, SYSTEM, TOLD),
    (RESPONSES, {"input": [message("user", [{"type": "input_image"}, text("hi", "input_text")])]}, RECENT, TOLD),
    (MESSAGES, {"system": "Be brief.", "messages": [message("user", "hi")]}, SYSTEM, TOLD),
    (MESSAGES, {"messages": [message("user", "hi")]}, SYSTEM, {"system": BLOCK}),
    (MESSAGES, {"messages": [message("user", "hi")]}, RECENT, TOLD),
    (MESSAGES, {"system": [text("a"), text("b")], "messages": [message("user", "hi")]}, SYSTEM, text(TOLD)),
    (MESSAGES, {"system": [], "messages": [message("user", "hi")]}, SYSTEM, text(BLOCK)),
    (MESSAGES, {"messages": [message("user", [text("hi")])]}, RECENT, text(TOLD)),
    (MESSAGES, {"messages": [message("user", [{"type": "tool_result", "content": "r"}, text("hi")])]}, RECENT, text(f"\n\n{TOLD}")),
]  # fmt: skip


@pytest.mark.parametrize(("path", "body", "position", "put"), PUT, ids=range(len(PUT)))
async def test_block_is_put_in(http, shim, ollama, memory, path, body, position, put):
    """The block is put into one place, and every other byte stays."""
    memory.block, memory.position = BLOCK, position
    sent, answer = await ask(http, shim, path, body)

    before, _, after = ollama.prompts[-1].body.partition(written(put))
    assert before + after == sent or before + after.removeprefix(b",") == sent
    assert answer.headers[RESULT] == "full"
    assert answer.status == 200


async def test_place_of_the_extra_block(http, shim, ollama, memory):
    """
    A message's extra block comes after its results and before the newest text, which
    the model reads joined.
    """
    memory.block, memory.position = BLOCK, RECENT
    blocks = [{"type": "tool_result", "content": "r"}, text("a"), text("b")]
    await ask(http, shim, MESSAGES, {"messages": [message("user", blocks)]})

    got = ollama.prompts[-1].json["messages"][0]["content"]
    assert got == [*blocks[:2], text(f"\n\n{TOLD}"), blocks[2]]


async def test_earlier_block_in_a_list_is_replaced(http, shim, ollama, memory):
    """A block of ours that comes back as a text block of its own is not there twice."""
    memory.block = BLOCK
    system = [text(f"{OLD}\n\n"), text("Be brief.")]
    body = {"system": system, "messages": [message("user", "hi")]}
    await ask(http, shim, MESSAGES, body)

    assert ollama.prompts[-1].json["system"] == [text(TOLD), text("Be brief.")]


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        (RESPONSES, {"input": "hi"}, "instructions"),
        (MESSAGES, {"messages": [message("user", "hi")]}, "system"),
    ],
)
async def test_modelfile_system_is_kept(http, shim, ollama, memory, path, body, field):
    """The model's own SYSTEM, which a new field would switch off, follows the block."""
    memory.block = BLOCK
    ollama.knobs.systems = {"m": "You are a pirate."}
    await ask(http, shim, path, body)

    assert ollama.prompts[-1].json[field] == f"{TOLD}You are a pirate."


async def test_completions_keep_the_modelfile_system(http, shim, ollama, memory):
    """A block in the prompt switches no SYSTEM off, so none is put after it."""
    memory.block = BLOCK
    ollama.knobs.systems = {"m": "You are a pirate."}
    await ask(http, shim, COMPLETIONS, {"prompt": "hi"})

    assert ollama.prompts[-1].json["prompt"] == f"{TOLD}hi"


CALL = {"type": "function_call", "name": "f", "arguments": "{}", "call_id": "1"}
USE = {"type": "tool_use", "name": "f", "input": {}, "id": "1"}

SPOKEN = [
    (COMPLETIONS, {"prompt": "u"}, [("user", "u")]),
    (
        COMPLETIONS,
        {"prompt": "### System:\ns\n\n### User:\nu\n\n"},
        [("system", "s"), ("user", "u")],
    ),
    (RESPONSES, {"instructions": "s", "input": "u"}, [("system", "s"), ("user", "u")]),
    (
        RESPONSES,
        {
            "instructions": "s",
            "input": [
                message("developer", "d"),
                {"type": "message", **message("user", [text("u", "input_text")])},
                {"type": "reasoning", "summary": []},
                message("assistant", [text("a", "output_text")]),
                CALL,
                {"type": "function_call_output", "call_id": "1", "output": "t"},
                {
                    "type": "custom_tool_call_output",
                    "output": [text("t2", "input_text"), {"type": "input_image"}],
                },
                {"type": "item_reference", "id": "x"},
            ],
        },
        [
            ("system", "s"),
            ("system", "d"),
            ("user", "u"),
            ("assistant", "a"),
            ("tool", "t"),
            ("tool", "t2"),
        ],
    ),
    (
        MESSAGES,
        {
            "system": [text("s1"), text("s2")],
            "messages": [
                message("user", [{"type": "image"}, text("u1"), text("u2")]),
                message("assistant", [{"type": "thinking"}, text("a"), USE]),
                message(
                    "user",
                    [
                        {"type": "tool_result", "content": "t1"},
                        {"type": "tool_result", "content": [text("t2")]},
                        {"type": "tool_result"},
                        {"type": "web_search_tool_result", "content": {"type": "x"}},
                        text("u3"),
                    ],
                ),
            ],
        },
        [
            ("system", "s1"),
            ("system", "s2"),
            ("user", "u1"),
            ("user", "u2"),
            ("assistant", "a"),
            ("tool", "t1"),
            ("tool", "t2"),
            ("user", "u3"),
        ],
    ),
    (
        MESSAGES,
        {"system": "s", "messages": [message("user", "u")]},
        [("system", "s"), ("user", "u")],
    ),
]


@pytest.mark.parametrize(("path", "body", "turns"), SPOKEN, ids=range(len(SPOKEN)))
async def test_roles_and_texts(http, shim, memory, path, body, turns):
    """
    Every text is sent to the memory under its speaker's role; what tools gave is the
    tools'.
    """
    await ask(http, shim, path, body)

    assert [(role, said) for role, said, _ in memory.turns] == turns


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (RESPONSES, {"input": [message("user", "u"), CALL, {"type": "function_call_output", "output": "t"}]}),
        (MESSAGES, {"messages": [message("user", "u"), message("assistant", [USE]), message("user", [{"type": "tool_result", "content": "t"}])]}),
    ],
)  # fmt: skip
async def test_recent_spares_tool_turns(http, shim, ollama, memory, path, body):
    """After a tool's result nothing is put into an earlier message."""
    memory.block, memory.position = BLOCK, RECENT
    sent, answer = await ask(http, shim, path, body)

    assert answer.headers[RESULT] == "none"
    assert ollama.prompts[-1].body == sent


UNTOUCHED = [
    (COMPLETIONS, {"prompt": ""}, "empty"),
    (COMPLETIONS, {"prompt": "x", "suffix": "y"}, "suffix"),
    (COMPLETIONS, {"prompt": ["x"]}, "unreadable"),
    (COMPLETIONS, {"prompt": [1, 2]}, "unreadable"),
    (COMPLETIONS, {"Prompt": "x"}, "unreadable"),
    (RESPONSES, {"instructions": "s"}, "empty"),
    (RESPONSES, {"input": ""}, "empty"),
    (RESPONSES, {"input": []}, "empty"),
    (RESPONSES, {"input": [{"type": "reasoning"}]}, "empty"),
    (RESPONSES, {"input": {}}, "empty"),
    (RESPONSES, {"input": 5}, "unreadable"),
    (RESPONSES, {"input": ["x"]}, "unreadable"),
    (RESPONSES, {"input": [{"type": 5}]}, "unreadable"),
    (RESPONSES, {"input": [{"type": "message"}]}, "unreadable"),
    (RESPONSES, {"input": "x", "instructions": ["s"]}, "unreadable"),
    (RESPONSES, {"input": [message("user", "x")] * 5001}, "too-many"),
    (MESSAGES, {"messages": []}, "empty"),
    (MESSAGES, {"messages": [message("user", [{"type": "image"}])]}, "empty"),
    (MESSAGES, {"messages": [message("user", ["x"])]}, "unreadable"),
    (MESSAGES, {"messages": [message("user", [{"text": "x"}])]}, "unreadable"),
    (MESSAGES, {"messages": [message("user", 5)]}, "unreadable"),
    (MESSAGES, {"messages": [message("user", "x")], "system": 5}, "unreadable"),
    (MESSAGES, {"messages": [message("user", [text("x")] * 5001)]}, "too-many"),
    (MESSAGES, {"model": "m:cloud", "messages": [message("user", "x")]}, "cloud"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "body", "why"), UNTOUCHED, ids=range(len(UNTOUCHED)))
async def test_untouched(http, shim, ollama, memory, path, body, why):
    """
    A request that cannot or may not be enriched passes as it is, and the memory is not
    asked.
    """
    memory.block = BLOCK
    sent, answer = await ask(http, shim, path, body)

    assert answer.headers[RESULT] == f"skipped:{why}"
    assert ollama.requests[-1].body == sent
    assert memory.recollects == []


@pytest.mark.parametrize(
    ("path", "content_type"),
    [
        ("/api/embed", "application/json"),
        ("/api/embeddings", "application/json"),
        ("/v1/embeddings", "application/json"),
        ("/v1/audio/transcriptions", "multipart/form-data; boundary=x"),
        ("/v1/messages/count_tokens", "application/json"),
        ("/v1/images/generations", "application/json"),
        ("/unknown", "application/json"),
    ],
)
async def test_other_routes_are_never_touched(
    http, shim, ollama, memory, path, content_type
):
    """A text to be embedded or spoken is no prompt, whatever it looks like."""
    memory.block = BLOCK
    raw = b'{"model": "m", "input": "hi", "prompt": "hi", "messages": []}'
    headers = {"Content-Type": content_type}
    answer = await http.post(shim.url + path, data=raw, headers=headers)

    assert RESULT not in answer.headers
    assert ollama.requests[-1].body == raw
    assert ollama.requests[-1].header("Content-Type") == content_type
    assert memory.recollects == []
