from __future__ import annotations

import json

import pytest

from festinger.api.v1 import memory_service_pb2 as pb
from tests.shim.conftest import BLOCK, POSITIONS, SAMPLES, chat, load
from tests.waiting import becomes

RESULT = "X-Festinger-Recollection"


async def ask(http, shim, body, path="/api/chat", **headers):
    """Send a prompt and wait for the whole answer."""
    answer = await http.post(f"{shim.url}{path}", json=body, headers=headers)
    await answer.read()
    return answer


def upstream_body(ollama):
    """Return the request that the model was given last."""
    return ollama.prompts[-1].json


# Where the block goes


async def test_block_heads_the_system_message(http, shim, ollama, memory):
    """The block and an empty line come before the system message's text."""
    memory.block = BLOCK
    answer = await ask(http, shim, chat("hello", system="Be brief."))

    first, second = upstream_body(ollama)["messages"]
    assert first == {"role": "system", "content": f"{BLOCK}\n\nBe brief."}
    assert second == {"role": "user", "content": "hello"}
    assert answer.headers[RESULT] == "full"
    assert float(answer.headers["X-Festinger-Added-Ms"]) >= 0


async def test_system_message_is_made(http, shim, ollama, memory):
    """Without a system message one is put at the front."""
    memory.block = BLOCK
    await ask(http, shim, chat("hello"))

    first, second = upstream_body(ollama)["messages"]
    assert first == {"role": "system", "content": BLOCK}
    assert second["role"] == "user"


async def test_late_system_message_is_used(http, shim, ollama, memory):
    """A system message that is not the first is the one that gets the block."""
    memory.block = BLOCK
    body = chat("hello")
    body["messages"].append({"role": "system", "content": "late"})
    await ask(http, shim, body)

    assert [m["content"] for m in upstream_body(ollama)["messages"]] == [
        "hello",
        f"{BLOCK}\n\nlate",
    ]


async def test_empty_system_message_gets_the_block_alone(http, shim, ollama, memory):
    """An empty system message becomes the block."""
    memory.block = BLOCK
    body = chat("hello")
    body["messages"].insert(0, {"role": "system", "content": ""})
    await ask(http, shim, body)

    assert upstream_body(ollama)["messages"][0]["content"] == BLOCK


async def test_modelfile_system_is_kept(http, shim, ollama, memory):
    """A system message that is made keeps the model's own SYSTEM after the block."""
    memory.block = BLOCK
    ollama.knobs.systems["llama3"] = "You are Mario."
    await ask(http, shim, chat("hello"))
    await ask(http, shim, chat("hello again"))

    assert upstream_body(ollama)["messages"][0]["content"] == (
        f"{BLOCK}\n\nYou are Mario."
    )
    assert [r.path for r in ollama.requests].count("/api/show") == 1


async def test_modelfile_is_not_asked_for_in_vain(http, shim, ollama, memory):
    """If a system message is there, the upstream is not asked for the model's own."""
    memory.block = BLOCK
    ollama.knobs.systems["llama3"] = "You are Mario."
    await ask(http, shim, chat("hello", system="Be brief."))

    assert [r.path for r in ollama.requests] == ["/api/chat"]


async def test_modelfile_is_asked_again_after_a_change(
    http, start_shim, ollama, memory
):
    """Creating a model through the shim makes it forget what it knew."""
    shim = await start_shim(model_changes=True)
    memory.block = BLOCK
    await ask(http, shim, chat("hello"))
    ollama.knobs.systems["llama3"] = "You are Mario."
    await ask(http, shim, {"model": "llama3"}, "/api/create")
    await ask(http, shim, chat("hello again"))

    assert upstream_body(ollama)["messages"][0]["content"].endswith("Mario.")


async def test_slow_modelfile_costs_the_block_once(http, shim, ollama, memory):
    """
    An agent does not lose its persona, nor waits long, where the upstream is slow to
    say; once it has said, a request has both.
    """
    memory.block = BLOCK
    ollama.knobs.systems["llama3"] = "You are Mario."
    ollama.knobs.show_delay = 0.5
    answer = await ask(http, shim, chat("hello"))
    assert answer.headers[RESULT] == "skipped:modelfile-unknown"
    assert upstream_body(ollama) == chat("hello")

    async def result():
        return (await ask(http, shim, chat("hello"))).headers[RESULT]

    await becomes(result, "full")
    assert "Mario" in upstream_body(ollama)["messages"][0]["content"]


async def test_plain_generate(http, shim, ollama, memory):
    """A plain prompt gets a `system` field, with the model's own SYSTEM in it."""
    memory.block = BLOCK
    ollama.knobs.systems["llama3"] = "You are Mario."
    body = {"model": "llama3", "prompt": "hello", "stream": False}
    await ask(http, shim, body, "/api/generate")

    assert upstream_body(ollama) == {**body, "system": f"{BLOCK}\n\nYou are Mario."}


async def test_generate_with_system(http, shim, ollama, memory):
    """The block heads the `system` field that is there."""
    memory.block = BLOCK
    body = {"model": "llama3", "prompt": "hello", "system": "s", "stream": False}
    await ask(http, shim, body, "/api/generate")

    assert upstream_body(ollama) == {**body, "system": f"{BLOCK}\n\ns"}


async def test_flattened_prompt(http, shim, ollama, memory):
    """In a flattened prompt the block heads the first system section."""
    memory.block = BLOCK
    prompt = "### System:\nBe brief.\n\n### User:\nhello\n\n"
    body = {"model": "llama3", "prompt": prompt, "stream": False}
    await ask(http, shim, body, "/api/generate")

    assert upstream_body(ollama)["prompt"] == (
        f"### System:\n{BLOCK}\n\nBe brief.\n\n### User:\nhello\n\n"
    )
    assert "system" not in upstream_body(ollama)


async def test_flattened_prompt_without_system(http, shim, ollama, memory):
    """A flattened prompt without a system section gets one in front."""
    memory.block = BLOCK
    body = {"model": "llama3", "prompt": "### User:\nhello\n\n", "stream": False}
    await ask(http, shim, body, "/api/generate")

    assert upstream_body(ollama)["prompt"] == (
        f"### System:\n{BLOCK}\n\n### User:\nhello\n\n"
    )


async def test_openai_parts(http, shim, ollama, memory):
    """In a system message of parts the first text part gets the block."""
    memory.block = BLOCK
    parts = [{"type": "text", "text": "Be"}, {"type": "text", "text": "brief."}]
    body = chat("hello", system="x")
    body["messages"][0]["content"] = parts
    await ask(http, shim, body, "/v1/chat/completions")

    assert upstream_body(ollama)["messages"][0]["content"] == [
        {"type": "text", "text": f"{BLOCK}\n\nBe"},
        {"type": "text", "text": "brief."},
    ]


async def test_developer_message_is_a_system_message(http, shim, ollama, memory):
    """A developer message gets the block where there is no system message."""
    memory.block = BLOCK
    body = chat("hello", system="x")
    body["messages"][0]["role"] = "developer"
    await ask(http, shim, body, "/v1/chat/completions")

    assert upstream_body(ollama)["messages"][0]["content"] == f"{BLOCK}\n\nx"


async def test_recent_heads_the_newest_user_message(http, shim, ollama, memory):
    """Position `recent` puts the block before the newest user message's text."""
    memory.block, memory.position = BLOCK, POSITIONS.POSITION_RECENT
    await ask(http, shim, chat("one", "two", "three", system="s"))

    assert [m["content"] for m in upstream_body(ollama)["messages"]] == [
        "s",
        "one",
        "two",
        f"{BLOCK}\n\nthree",
    ]


async def test_recent_spares_tool_turns(http, shim, ollama, memory):
    """After a tool's result nothing is put in at position `recent`."""
    memory.block, memory.position = BLOCK, POSITIONS.POSITION_RECENT
    body = chat("one", "two")
    body["messages"].append({"role": "tool", "content": "result"})
    answer = await ask(http, shim, body)

    assert upstream_body(ollama) == body
    assert answer.headers[RESULT] == "none"


async def test_recent_takes_the_first_text_part(http, shim, ollama, memory):
    """At position `recent` an image before the text stays where it is."""
    memory.block, memory.position = BLOCK, POSITIONS.POSITION_RECENT
    image = {"type": "image_url", "image_url": {"url": "data:"}}
    body = chat("x")
    body["messages"][0]["content"] = [image, {"type": "text", "text": "what?"}]
    await ask(http, shim, body, "/v1/chat/completions")

    assert upstream_body(ollama)["messages"][0]["content"] == [
        image,
        {"type": "text", "text": f"{BLOCK}\n\nwhat?"},
    ]


async def test_position_off(http, shim, ollama, memory):
    """Position `off` tells nothing."""
    memory.block, memory.position = BLOCK, POSITIONS.POSITION_OFF
    answer = await ask(http, shim, chat("hello"))

    assert upstream_body(ollama) == chat("hello")
    assert answer.headers[RESULT] == "skipped:off"


async def test_unknown_position_is_system(http, shim, ollama, memory, capsys):
    """A position that the shim does not know is taken for `system`, with one warning."""
    memory.block, memory.position = BLOCK, 99
    await ask(http, shim, chat("hello", system="s"))
    await ask(http, shim, chat("hello", system="s"))

    assert upstream_body(ollama)["messages"][0]["content"] == f"{BLOCK}\n\ns"
    assert capsys.readouterr().out.count("position_unknown") == 1


@pytest.mark.parametrize(
    "position", [POSITIONS.POSITION_SYSTEM, POSITIONS.POSITION_RECENT]
)
async def test_earlier_block_is_replaced(http, shim, ollama, memory, position):
    """A client that sends our own block back does not end up with two."""
    memory.block, memory.position = BLOCK, position
    old = "<recollection>\nold: [type] thing\n</recollection>"
    await ask(http, shim, chat(f"{old}\n\nhello", system=f"{old}\n\nBe brief."))

    text = json.dumps(upstream_body(ollama))
    changed = "Be brief." if position == POSITIONS.POSITION_SYSTEM else "hello"
    assert text.count("gnommoweb") == 1
    assert json.dumps(f"{BLOCK}\n\n{changed}") in text


async def test_rest_of_the_body_is_the_same_bytes(http, shim, ollama, memory):
    """Numbers, escapes, spaces and unknown fields are not rewritten."""
    memory.block = BLOCK
    raw = (
        '{ "model" : "llama3", "options": {"seed": 12345678901234567890123, "t": 1.0,'
        ' "e": 1E5, "z": -0}, "messages": [ {"content": "s\\u00fc\\/", "role":"system",'
        ' "x": null}, {"role":"user","content":"ü \\ud83d\\ude00 \\ud800"} ], "stream"'
        ': false, "n": 1, "n": 2 }'
    )
    await http.post(f"{shim.url}/api/chat", data=raw.encode())

    block = json.dumps(BLOCK + "\n\n", ensure_ascii=False)[1:-1]
    assert ollama.prompts[-1].body.decode() == raw.replace("s\\u", f"{block}s\\u")


# What the memory is asked


async def test_roles_and_texts(http, shim, memory):
    """Every role is sent; images and tool calls are not."""
    body = {
        "model": "llama3",
        "messages": [
            {"role": "System", "content": "sys"},
            {"role": "user", "content": "u", "images": ["AAAA"]},
            {"role": "assistant", "content": "", "tool_calls": [{"function": {}}]},
            {"role": "tool", "content": "t"},
            {"role": "assistant", "content": "a"},
            {"role": "function", "content": "f"},
            {"role": "thinking", "content": "?"},
        ],
    }
    await ask(http, shim, body)

    assert memory.turns == [
        ("system", "sys", False),
        ("user", "u", False),
        ("tool", "t", False),
        ("assistant", "a", False),
        ("tool", "f", False),
        ("system", "?", False),
    ]


async def test_agent_zero(http, shim, ollama, memory):
    """
    Of three requests of Agent Zero the memory gets each new text once, out of its
    envelope, without thoughts and extras.
    """
    if not SAMPLES.exists():
        pytest.skip("NO SAMPLES: ../shared/samples is not there")
    memory.block = BLOCK
    sent = []
    for number in (1, 2, 3):
        sample = load(SAMPLES / "agent-zero" / f"turn{number}.json")
        headers = dict(sample["headers"])
        await http.post(f"{shim.url}/api/generate", data=sample["raw"], headers=headers)
        sent.append(memory.turns)
        system = ollama.prompts[-1].json["prompt"]
        assert system.startswith(f"### System:\n{BLOCK}\n\nYou are a helpful agent.")

    system = sent[0][0][1]
    assert system.startswith("You are a helpful agent.")
    assert system.endswith("code_execution_tool is a tool for terminals.")
    asked = "gnommoweb is a repo of Glitch University. Please update its README."
    assert sent == [
        [("system", system, False), ("user", asked, False)],
        [
            ("system", system, True),
            ("user", asked, True),
            ("tool", "README.md\nDockerfile", False),
        ],
        [
            ("system", system, True),
            ("user", asked, True),
            ("tool", "README.md\nDockerfile", True),
            ("tool", "Gnommoweb is a container of Glitch University", False),
        ],
    ]


async def test_seen_messages_keep_their_digests(http, shim, memory):
    """A message is new once, and is named alike in every request of its session."""
    await ask(http, shim, chat("one"))
    await ask(http, shim, chat("one", "two", "three"))

    first, second = memory.recollects
    assert [t.seen for t in first.turns] == [False]
    assert [t.seen for t in second.turns] == [True, False, False]
    digests = [t.digest for t in second.turns]
    assert digests[0] == first.turns[0].digest
    assert len(set(digests)) == 3
    assert all(0 < len(digest) <= 32 for digest in digests)


async def test_repeated_message_is_new_once(http, shim, memory):
    """The same text twice in one conversation teaches once."""
    await ask(http, shim, chat("yes", "no", "yes"))

    assert [t[2] for t in memory.turns] == [False, False, True]


async def test_own_blocks_are_no_part_of_a_message(http, shim, memory):
    """A message is the same with and without a block of ours in it."""
    await ask(http, shim, chat("one"))
    await ask(http, shim, chat(f"{BLOCK}\n\none"))

    assert memory.turns == [("user", "one", True)]


@pytest.mark.parametrize(
    ("answer", "count"),
    [
        (b"", 0),
        (b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n", 0),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 1),
    ],
)
async def test_told_is_what_reached_a_model(
    http, start_shim, raw_upstream, memory, answer, count
):
    """A block that an upstream never took does not count as told."""
    line = pb.RecollectResponse.Line
    memory.block, memory.position = BLOCK, POSITIONS.POSITION_RECENT
    memory.lines = [line(concept="dobby", digest=b"abcdefgh", kind=line.KIND_HINT)]
    raw_upstream.answer, raw_upstream.closes = answer or b"?", True
    shim = await start_shim(upstream=raw_upstream.url)
    await ask(http, shim, chat("one"))
    await ask(http, shim, chat("one", "two", "three"))

    first, second = memory.recollects
    assert (len(first.told), len(second.told)) == (0, count)


async def test_told_is_sent_back(http, shim, memory):
    """A session's block is repeated in its next request, hints as such."""
    line = pb.RecollectResponse.Line
    memory.block = BLOCK
    memory.lines = [
        line(concept="gnommoweb", digest=b"12345678", kind=line.KIND_RECOLLECTION),
        line(concept="dobby", digest=b"abcdefgh", kind=line.KIND_HINT),
    ]
    await ask(http, shim, chat("one"))
    await ask(http, shim, chat("one", "two", "three"))
    await ask(http, shim, chat("another"))

    told = [[(t.concept, t.digest, t.hint) for t in r.told] for r in memory.recollects]
    assert told == [
        [],
        [("gnommoweb", b"12345678", False), ("dobby", b"abcdefgh", True)],
        [],
    ]


async def test_who_asks(http, shim, memory):
    """
    The principal comes from the bearer token, never the token itself, the prefix of
    the path or the header; else it is `local`.
    """
    await ask(http, shim, chat("one"))
    await ask(http, shim, chat("one"), "/as/bob/api/chat")
    await ask(http, shim, chat("one"), **{"X-Festinger-Subject": "alice"})
    await ask(http, shim, chat("one"), "/as/bob/api/chat", Authorization="Bearer k")

    names = [
        (m["festinger-principal"], m["festinger-subject"]) for m in memory.metadata
    ]
    assert names[:3] == [("local", "local"), ("bob", "bob"), ("alice", "alice")]
    principal, subject = names[3]
    assert principal == "key-8254c329a928"
    assert subject == "bob"
    assert all(m["authorization"] == "Bearer secret" for m in memory.metadata)
    assert all(m["festinger-tenant"] == "default" for m in memory.metadata)


async def test_anthropics_key_is_a_token(http, shim, memory, ollama):
    """
    A key in `X-Api-Key` names the same principal as the same token, and goes on to the
    upstream; where both are sent, the token counts.
    """
    path = "/v1/messages"
    body = {**chat("one"), "max_tokens": 9}
    for headers in (
        {"X-Api-Key": "k"},
        {"Authorization": "Bearer k"},
        {"Authorization": "Bearer k", "X-Api-Key": "other"},
        {"X-Api-Key": "  "},
    ):
        answer = await http.post(f"{shim.url}{path}", json=body, headers=headers)
        assert answer.status == 200

    principals = [it["festinger-principal"] for it in memory.metadata]
    assert principals == ["key-8254c329a928"] * 3 + ["local"]
    assert ("X-Api-Key", "k") in ollama.prompts[0].headers


async def test_prefix_is_not_forwarded(http, shim, ollama):
    """`/as/NAME` is for the shim only."""
    await http.get(f"{shim.url}/as/bob/api/tags")
    await http.get(f"{shim.url}/as/bob")

    assert [r.path for r in ollama.requests] == ["/api/tags", "/"]


@pytest.mark.parametrize("name", ["key-8254c329a928", "-x", "a" * 65, "a%20b"])
async def test_unusable_name(http, shim, ollama, name):
    """A name that would pass for a token's, or is none, is refused."""
    answer = await http.post(f"{shim.url}/as/{name}/api/chat", json=chat("one"))

    assert answer.status == 400
    assert ollama.requests == []


async def test_long_prompt_is_read_up_to_its_limit(http, start_shim, ollama, memory):
    """The newest text is read first; all of it is forwarded."""
    shim = await start_shim(scan_characters_max=1000)
    old, new = "old " * 200, "new " * 200
    await ask(http, shim, chat(old, "answer", new, system="system " * 200))

    (_, cut, _), *rest = memory.turns
    assert rest == [("assistant", "answer", False), ("user", new.strip(), False)]
    assert cut == ("old " * 49).strip()
    assert upstream_body(ollama)["messages"][1]["content"] == old


async def test_unprintable_text(http, shim, ollama, memory):
    """Halves of surrogate pairs and NUL are read as what cannot be read."""
    raw = b'{"model":"m","messages":[{"role":"user","content":"a\\ud800b\\u0000c"}]}'
    await http.post(f"{shim.url}/api/chat", data=raw)

    assert memory.turns == [("user", "a\ufffdb\ufffdc", False)]
    assert ollama.prompts[-1].body == raw


# What stays as it is

UNTOUCHED = [
    ("/api/chat", {"model": "m", "messages": []}, "empty"),
    ("/api/chat", {"model": "m"}, "empty"),
    ("/api/chat", {"model": "m", "messages": [{"role": "user", "content": ""}]}, "empty"),
    ("/api/chat", {"model": "m", "messages": {}}, "unreadable"),
    ("/api/chat", {"model": "m", "messages": ["x"]}, "unreadable"),
    ("/api/chat", {"model": "m", "messages": [{"role": "user", "content": 5}]}, "unreadable"),
    ("/api/chat", {"model": "m", "messages": [{"role": 1, "content": "x"}]}, "unreadable"),
    ("/api/chat", {"model": 5, "messages": [{"role": "user", "content": "x"}]}, "unreadable"),
    ("/api/chat", {"messages": [{"role": "user", "content": "x"}]}, "unreadable"),
    ("/api/chat", {"model": "m", "Messages": [{"role": "user", "content": "x"}]}, "unreadable"),
    ("/api/chat", [1], "unreadable"),
    ("/api/generate", {"model": "m", "prompt": ""}, "empty"),
    ("/api/generate", {"model": "m", "keep_alive": 0}, "empty"),
    ("/api/generate", {"model": "m", "prompt": "x", "raw": True}, "raw"),
    ("/api/generate", {"model": "m", "prompt": "x", "suffix": "y"}, "suffix"),
    ("/api/generate", {"model": "m", "prompt": ["x"]}, "unreadable"),
    ("/api/generate", {"model": "m:cloud", "prompt": "x"}, "cloud"),
    ("/api/generate", {"model": "r/gpt-oss:120b-cloud", "prompt": "x"}, "cloud"),
    ("/v1/chat/completions", {"model": "m", "messages": [{"role": "user", "content": ["x"]}]}, "unreadable"),
    ("/api/chat", {"model": "m", "messages": [{"role": "user", "content": "x"}] * 5001}, "too-many"),
    ("/api/generate", {"model": "m", "prompt": "### User:\nx\n\n### Assistant:\nx\n\n" * 2501}, "too-many"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "body", "why"), UNTOUCHED, ids=range(len(UNTOUCHED)))
async def test_untouched(http, shim, ollama, memory, path, body, why):
    """
    A request that cannot or may not be enriched reaches the upstream as it is, and the
    memory is not asked.
    """
    memory.block = BLOCK
    answer = await ask(http, shim, body, path)

    assert answer.headers[RESULT] == f"skipped:{why}"
    assert ollama.requests[-1].json == body
    assert memory.recollects == []


NOT_JSON = [
    b"{",
    b"\xff\xfe",
    b'{"model":"m","messages":[{"role":"user","content":"\xff"}]}',
    b"NaN",
    b"[" * 200_000,
    b'{"model":"m","messages":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    b"\xef\xbb\xbf{}",
]


@pytest.mark.parametrize("body", NOT_JSON, ids=range(len(NOT_JSON)))
async def test_not_json(http, shim, ollama, body):
    """A body that is not JSON is the upstream's to refuse, byte for byte."""
    answer = await http.post(f"{shim.url}/api/chat", data=body)

    assert answer.headers[RESULT] == "skipped:not-json"
    assert ollama.requests[-1].body == body
    assert answer.status == 400


async def test_huge_integer(http, shim, ollama, memory):
    """An integer of thousands of digits does not keep a prompt from being read."""
    raw = b'{"model":"m","n":%b,"messages":[{"role":"user","content":"hi"}]}' % (
        b"9" * 9999
    )
    await http.post(f"{shim.url}/api/chat", data=raw)

    assert memory.turns == [("user", "hi", False)]


async def test_off_switch(http, shim, ollama, memory):
    """`X-Festinger: off` passes a request through."""
    memory.block = BLOCK
    answer = await ask(http, shim, chat("hello"), **{"X-Festinger": "off"})

    assert answer.headers[RESULT] == "skipped:off"
    assert memory.recollects == []
    assert ollama.requests[-1].header("X-Festinger") is None


async def test_cloud_model_if_allowed(http, start_shim, ollama, memory):
    """Cloud models are enriched if the configuration says so."""
    memory.block = BLOCK
    shim = await start_shim(cloud_models=True)
    answer = await ask(http, shim, chat("hello", model="m:cloud"))

    assert answer.headers[RESULT] == "full"


async def test_other_methods_on_enriched_paths(http, shim, ollama, memory):
    """Only POST is enriched."""
    answer = await http.put(f"{shim.url}/api/chat", json=chat("hello"))

    assert RESULT not in answer.headers
    assert memory.recollects == []


async def test_defect_does_not_stop_the_agent(http, shim, ollama, memory, monkeypatch):
    """A defect of the shim's own costs the block, not the request."""
    monkeypatch.setattr("festinger.shim.steps.session.lower_forged", None)
    answer = await ask(http, shim, chat("hello"))

    assert answer.status == 200
    assert answer.headers[RESULT] == "skipped:error"
