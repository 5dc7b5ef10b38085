from __future__ import annotations

import asyncio
import json

import aiohttp
import anthropic as anthropic_client
import grpc
import ollama as ollama_client
import openai as openai_client
import pytest

from festinger.api.v1 import memory_service_pb2 as pb
from tests.shim.conftest import BLOCK, POSITIONS, chat
from tests.shim.loops.corpus.work import edit_and_run
from tests.shim.loops.talks import DIALECTS, Do, Say, User, requests
from tests.waiting import until

LOOP, RESULT = "X-Festinger-Loop", "X-Festinger-Recollection"
KEY = {"Authorization": "Bearer x"}
OFF = {"X-Festinger-Loops": "off"}

TASK = User("Read the README.")
READ = Do("read_file", {"path": "README.md"}, "# Title")
LOOK = Do("look", {}, "nothing")

ENRICHED = ["ollama", "openai", "agent_zero", "litellm"]
"""The dialects whose routes are enriched."""

SENTENCE = "I should look at the configuration again to be sure that it is right. "


async def ask(http, shim, script, dialect="ollama", *, headers=None, **more):
    """Send the request at the end of a script; its answer is read."""
    path, write = DIALECTS[dialect]
    body = {**write(script), **more}
    answer = await http.post(f"{shim.url}{path}", json=body, headers=headers)
    await answer.read()
    return answer


async def play(http, shim, script, dialect="ollama", **more):
    """Send all the requests of a conversation; their loop headers."""
    answers = [
        await ask(http, shim, part, dialect, **more) for part in requests(script)
    ]
    return [answer.headers.get(LOOP) for answer in answers]


def temperature(body):
    """Return the temperature that a request asks for."""
    return body.get("options", body).get("temperature")


def calls_of(body):
    """Return the number of times that a request's history reads the file."""
    return json.dumps(body).count("README.md")


# Rung by rung


@pytest.mark.parametrize("dialect", ENRICHED)
async def test_a_loop_is_met_rung_by_rung(http, shim, ollama, dialect):
    """
    From the third repeat on each request is met with one rung more, and the fourth
    rung forwards nothing.
    """
    script = [TASK, READ, READ]
    assert await play(http, shim, script, dialect) == [None] * 3

    rungs, bodies = [], []
    for _ in range(4):
        script.append(READ)
        answer = await ask(http, shim, script, dialect)
        rungs.append(answer.headers.get(LOOP))
        bodies.append(ollama.prompts[-1].json)

    assert rungs == [
        "repeat:temperature",
        "repeat:forbid",
        "repeat:truncate",
        "repeat:stop",
    ]
    assert answer.status == 409
    assert len(ollama.prompts) == 3 + 3
    assert [temperature(body) for body in bodies] == [1.2] * 4
    notices = ["`read_file` 4 times" in json.dumps(body) for body in bodies[:2]]
    assert notices == [False, True]
    assert [calls_of(body) for body in bodies[:3]] == [3, 4, 1]


@pytest.mark.parametrize("dialect", ENRICHED)
async def test_a_changing_result_is_no_loop(http, shim, ollama, dialect):
    """
    An agent that edits and runs, and sees other results, is left alone: not a byte is
    changed.
    """
    script = edit_and_run()

    assert set(await play(http, shim, script, dialect)) == {None}
    assert ollama.prompts[-1].json == DIALECTS[dialect][1](script)


async def test_a_loop_that_ends_resets_the_ladder(http, shim):
    """After something else the ladder begins anew."""
    first = await play(http, shim, [TASK, *[READ] * 4])
    again = await play(http, shim, [TASK, *[READ] * 4, LOOK, *[READ] * 3])

    assert first[-2:] == ["repeat:temperature", "repeat:forbid"]
    assert again[5:] == [None, None, None, "repeat:temperature"]


async def test_a_new_message_sets_it_free(http, shim):
    """A stopped conversation goes on once the user says something new."""
    script = [TASK, *[READ] * 6]
    assert (await play(http, shim, script))[-1] == "repeat:stop"

    answer = await ask(http, shim, [*script, User("Read the other file.")])
    assert answer.status == 200
    assert LOOP not in answer.headers


@pytest.mark.parametrize("dialect", ENRICHED)
async def test_sending_again_is_no_repeat(http, shim, ollama, dialect):
    """A client that sends the very same request again meets the same rung."""
    script = [TASK, *[READ] * 4]
    await play(http, shim, script, dialect)
    rungs = [
        (await ask(http, shim, script, dialect)).headers.get(LOOP) for _ in range(5)
    ]

    assert rungs == ["repeat:forbid"] * 5


async def test_sending_the_first_request_again(http, shim, ollama):
    """A prompt without a history can be sent as often as one likes."""
    rungs = [(await ask(http, shim, [TASK])).headers.get(LOOP) for _ in range(8)]

    assert set(rungs) == {None}


async def test_a_question_beside_the_conversation(http, shim):
    """A framework's own question within the session does not reset the ladder."""
    name = {"X-Festinger-Session": "s"}
    script = [TASK, *[READ] * 3]
    await ask(http, shim, script, headers=name)
    await ask(http, shim, [User("Give this chat a title.")], headers=name)
    answer = await ask(http, shim, [*script, READ], headers=name)

    assert answer.headers[LOOP] == "repeat:forbid"


async def test_a_round_is_one_repeat(http, shim):
    """In a cycle the ladder is climbed by rounds, not by turns."""
    rungs = await play(http, shim, [TASK, *[READ, LOOK] * 5])

    assert rungs[6:] == [
        "cycle:temperature",
        "cycle:temperature",
        "cycle:forbid",
        "cycle:forbid",
        "cycle:truncate",
    ]


async def test_cap(http, start_shim, ollama):
    """Too many turns are first forbidden to go on, and then stopped."""
    shim = await start_shim(loops={"turns_max": 5})
    script = [TASK, *(Do("read", {"n": n}, f"{n}") for n in range(6))]

    assert (await play(http, shim, script))[4:] == [None, "cap:forbid", "cap:stop"]
    assert "5 turns since the user last spoke" in ollama.prompts[-1].body.decode()


# What is changed


async def test_pinned_seed_is_changed(http, shim, ollama):
    """A pinned seed would say the same again; another one is sent."""
    options = {"seed": 7, "temperature": 0, "num_ctx": 8192}
    await ask(http, shim, [TASK, *[READ] * 3], options=options)

    sent = ollama.prompts[-1].json["options"]
    assert sent.pop("seed") != 7
    assert sent == {"temperature": 0.4, "num_ctx": 8192}


async def test_openai_options_are_at_the_top(http, shim, ollama):
    """On /v1 temperature and seed are members of the body."""
    more = {"seed": 7, "temperature": 0.5}
    await ask(http, shim, [TASK, *[READ] * 3], "openai", **more)

    sent = ollama.prompts[-1].json
    assert sent["temperature"] == 0.9
    assert sent["seed"] != 7
    assert "options" not in sent


async def test_no_seed_is_invented(http, shim, ollama):
    """If the client pins no seed, none is sent."""
    await ask(http, shim, [TASK, *[READ] * 3])

    assert ollama.prompts[-1].json["options"] == {"temperature": 1.2}


async def test_together_with_a_recollection(http, shim, ollama, memory):
    """The hint and the prohibition both reach the model."""
    memory.block = BLOCK
    await play(http, shim, [TASK, *[READ] * 4])

    messages = ollama.prompts[-1].json["messages"]
    assert messages[0]["content"].startswith(BLOCK)
    assert messages[1]["content"].startswith("Read the README.\n\nNotice: you called")


async def test_without_a_memory(http, start_shim, ollama):
    """Loops are met also where the memory is away."""
    shim = await start_shim(server="127.0.0.1:1")

    assert (await play(http, shim, [TASK, *[READ] * 3]))[-1] == "repeat:temperature"
    assert temperature(ollama.prompts[-1].json) == 1.2


@pytest.mark.parametrize("away", [False, True], ids=["answers", "is away"])
async def test_what_is_stopped_tells_nothing(http, start_shim, memory, ollama, away):
    """
    A request that is not forwarded was not told anything, whether or not the memory
    answered: the next one is.
    """
    shim = await start_shim(loops={"rungs": ["stop"]})
    kinds = pb.RecollectResponse.Line
    hint = kinds(concept="dobby", text="? dobby", digest=b"d", kind=kinds.KIND_HINT)
    memory.position = POSITIONS.POSITION_STICKY
    memory.lines, memory.block = [hint], "a block"
    memory.abort = grpc.StatusCode.UNAVAILABLE if away else None
    script = [TASK, *[READ] * 3]
    stopped = await ask(http, shim, script)
    memory.abort = None
    answer = await ask(http, shim, [*script, User("Read the other file.")])

    assert stopped.status == 409
    assert stopped.headers[RESULT] == "skipped:loop"
    assert list(memory.recollects[-1].told) == []
    assert answer.headers[RESULT] == "full"
    assert "? dobby" in json.dumps(ollama.prompts[-1].json)


# How it ends


async def test_error_in_the_shape_of_ollama(http, shim):
    """Ollama's clients read a plain `error`, and do not try a 409 again."""
    script = [TASK, *[READ] * 6]
    await play(http, shim, script[:-1])
    messages = DIALECTS["ollama"][1](script)["messages"]

    async with ollama_client.AsyncClient(host=shim.url) as client:
        with pytest.raises(ollama_client.ResponseError) as error:
            await client.chat("m", messages)
    assert error.value.status_code == 409
    assert "called `read_file` 6 times in a row" in error.value.error


async def test_error_in_the_shape_of_openai(http, shim):
    """OpenAI's package raises a ConflictError with the reason, and does not try again."""
    body = DIALECTS["openai"][1]([TASK, *[READ] * 6])

    async with openai_client.AsyncOpenAI(
        base_url=f"{shim.url}/v1", api_key="x"
    ) as client:
        with pytest.raises(openai_client.ConflictError) as error:
            await client.chat.completions.create(**body)
    assert "stopped by Festinger" in str(error.value)
    health = await http.get(f"{shim.url}/festinger/health")
    assert (await health.json())["shim"]["loops"] == {"repeat:stop": 1}


async def test_error_in_the_shape_of_anthropic(http, shim):
    """Anthropic's package does the same."""
    body = DIALECTS["anthropic"][1]([TASK, *[READ] * 6])

    async with anthropic_client.AsyncAnthropic(
        base_url=shim.url, api_key="x"
    ) as client:
        with pytest.raises(anthropic_client.ConflictError) as error:
            await client.messages.create(**body)
    assert "stopped by Festinger" in str(error.value)
    health = await http.get(f"{shim.url}/festinger/health")
    assert (await health.json())["shim"]["loops"] == {"repeat:stop": 1}


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("dialect", ENRICHED)
async def test_a_message_instead(http, start_shim, ollama, dialect, stream):
    """If so configured the agent gets an answer that says why, and no error."""
    shim = await start_shim(loops={"stop_with": "message"})
    script = [TASK, *[READ] * 6]
    rungs = await play(http, shim, script, dialect, stream=stream)
    answer = await ask(http, shim, script, dialect, stream=stream)

    assert rungs[-1] == answer.headers[LOOP] == "repeat:stop"
    assert answer.status == 200
    assert len(ollama.prompts) == 6
    assert "stopped by Festinger" in (text := await answer.text())
    assert ('\\"tool_name\\": \\"response\\"' in text) == (dialect == "agent_zero")


async def test_the_message_is_one_for_the_clients(http, start_shim):
    """The official clients read the message as an answer, streamed and whole."""
    shim = await start_shim(loops={"stop_with": "message"})
    script = [TASK, *[READ] * 6]
    await play(http, shim, script)
    await play(http, shim, script, "openai", headers=KEY)

    messages = DIALECTS["ollama"][1](script)["messages"]
    async with ollama_client.AsyncClient(host=shim.url) as client:
        whole = await client.chat("m", messages)
        parts = [p async for p in await client.chat("m", messages, stream=True)]
    assert "stopped by" in (whole.message.content or "")
    assert parts[-1].done
    async with openai_client.AsyncOpenAI(
        base_url=f"{shim.url}/v1", api_key="x"
    ) as other:
        body = DIALECTS["openai"][1](script)
        completion = await other.chat.completions.create(**body)
        stream = await other.chat.completions.create(**body, stream=True)
        chunks = [chunk async for chunk in stream]
    assert "stopped by" in completion.choices[0].message.content
    assert "stopped by" in chunks[0].choices[0].delta.content


# Switches


async def test_off_for_a_request(http, shim, ollama):
    """`X-Festinger-Loops: off` leaves a request alone, and is not forwarded."""
    script = [TASK, *[READ] * 9]

    assert set(await play(http, shim, script, headers=OFF)) == {None}
    assert ollama.prompts[-1].json == DIALECTS["ollama"][1](script)
    assert ollama.prompts[-1].header("X-Festinger-Loops") is None


async def test_a_rule_off_for_a_request(http, shim):
    """A client does without single rules."""
    headers = {"X-Festinger-Loops": "no-repeat, no-near"}

    assert set(await play(http, shim, [TASK, *[READ] * 6], headers=headers)) == {None}


async def test_unknown_switch(http, shim, ollama):
    """A setting without meaning is refused, with the valid ones."""
    answer = await ask(http, shim, [TASK], headers={"X-Festinger-Loops": "no-zork"})

    assert answer.status == 400
    assert "no-repeat" in await answer.text()
    assert ollama.prompts == []


@pytest.mark.parametrize(
    "loops", [{"enabled": False}, {"rules": ["near", "cap"]}, {"repeats": 50}]
)
async def test_off_in_the_configuration(http, start_shim, loops):
    """The configuration switches all or a rule off, or makes it lenient."""
    shim = await start_shim(loops=loops)

    assert set(await play(http, shim, [TASK, *[READ] * 6])) == {None}


async def test_a_rung_off(http, start_shim, ollama):
    """A rung that is switched off is not climbed."""
    shim = await start_shim(loops={"rungs": ["forbid"]})
    rungs = await play(http, shim, [TASK, *[READ] * 6])

    assert rungs[3:] == ["repeat:forbid"] * 4
    assert "options" not in ollama.prompts[-1].json


async def test_all_rungs_off(http, start_shim, ollama):
    """Without a rung loops are only told of."""
    shim = await start_shim(loops={"rungs": []})
    script = [TASK, *[READ] * 6]

    assert (await play(http, shim, script))[-1] == "repeat:none"
    assert ollama.prompts[-1].json == DIALECTS["ollama"][1](script)


async def test_polling_tool(http, start_shim):
    """A tool that the configuration names may say the same again and again."""
    shim = await start_shim(loops={"polling_tools": ["Read_File"]})

    assert set(await play(http, shim, [TASK, *[READ] * 6])) == {None}


# What is seen of it


async def test_counted_and_logged(http, shim, capsys):
    """Every activation is counted and logged, and no text of the conversation is."""
    await play(http, shim, [TASK, *[READ] * 4])
    answer = await http.get(f"{shim.url}/festinger/health")

    assert (await answer.json())["shim"]["loops"] == {
        "repeat:forbid": 1,
        "repeat:temperature": 1,
    }
    logged = [line for line in capsys.readouterr().out.splitlines() if "loop" in line]
    assert len(logged) == 2
    assert "rung=forbid" in logged[1].replace("\x1b[35m", "").replace(
        "\x1b[0m", ""
    ) or ('"rung": "forbid"' in logged[1])
    assert "README" not in "".join(logged)


async def test_defect_does_not_stop_the_agent(http, shim, ollama, monkeypatch):
    """A defect of the search costs the search, not the request."""
    monkeypatch.setattr("festinger.shim.loops.rules.find", None)
    answer = await ask(http, shim, [TASK, *[READ] * 6])

    assert answer.status == 200
    assert answer.headers["X-Festinger-Recollection"] == "none"


# Answers that repeat themselves


async def test_endless_answer_is_cut(http, shim, ollama):
    """A stream that repeats itself ends with an error's line, and the upstream is left."""
    ollama.knobs.reply = SENTENCE * 400
    answer = await http.post(f"{shim.url}/api/chat", json=chat("hi", stream=True))
    *said, last = (await answer.read()).splitlines()

    assert "said the same again" in json.loads(last)["error"]
    assert not any(json.loads(line)["done"] for line in said)
    text = "".join(json.loads(line)["message"]["content"] for line in said)
    assert (SENTENCE * 400).startswith(text)
    # A chunk that came together with others is cut off with them.
    assert len(text) < len(SENTENCE) * 100
    await until(lambda: ollama.cancelled)


async def test_what_is_passed_on_is_the_upstreams(http, shim, ollama):
    """Up to the cut the bytes are the upstream's, and come as they came."""
    ollama.knobs.reply = SENTENCE * 400
    body = chat("hi", stream=True)
    direct = await (await http.post(f"{ollama.url}/api/chat", json=body)).read()
    through = await (await http.post(f"{shim.url}/api/chat", json=body)).read()

    *kept, _ = through.splitlines(keepends=True)
    assert direct.startswith(b"".join(kept))


async def test_endless_answer_to_the_official_client(shim, ollama):
    """Ollama's client raises the error in the middle of the stream."""
    ollama.knobs.reply = SENTENCE * 400
    async with ollama_client.AsyncClient(host=shim.url) as client:
        with pytest.raises(ollama_client.ResponseError, match="said the same again"):
            async for _ in await client.generate("m", "hi", stream=True):
                pass


async def test_endless_answer_to_the_openai_client(shim, ollama):
    """OpenAI's client raises the event's error, and there is no `[DONE]`."""
    ollama.knobs.reply = SENTENCE * 400
    async with openai_client.AsyncOpenAI(
        base_url=f"{shim.url}/v1", api_key="x", max_retries=0
    ) as client:
        stream = await client.chat.completions.create(
            model="m", messages=[{"role": "user", "content": "hi"}], stream=True
        )
        with pytest.raises(openai_client.APIError, match="said the same again"):
            async for _ in stream:
                pass


async def test_endless_thoughts_of_agent_zero(http, shim, ollama):
    """Thoughts in Agent Zero's JSON are listened to; a program that it writes is not."""
    body = {**DIALECTS["agent_zero"][1]([TASK]), "stream": True}
    last = []
    for name in ("thoughts", "code"):
        ollama.knobs.reply = json.dumps({name: [SENTENCE] * 100})
        answer = await http.post(f"{shim.url}/api/generate", json=body)
        last.append(json.loads((await answer.read()).splitlines()[-1]))

    assert "error" in last[0]
    assert last[1]["done"]


async def test_cut_stream_of_events_breaks_off(http, shim, ollama):
    """A client that does not read errors in events sees the connection broken."""
    ollama.knobs.reply = SENTENCE * 400
    url, got = f"{shim.url}/v1/chat/completions", bytearray()

    async def read():
        async with http.post(url, json=chat("hi", stream=True)) as answer:
            async for piece in answer.content.iter_any():
                got.extend(piece)

    with pytest.raises(aiohttp.ClientPayloadError):
        await read()
    assert b"[DONE]" not in got
    assert json.loads(got.split(b"data: ")[-1])["error"]["type"] == "api_error"


async def test_long_answer_without_repetition(http, shim, ollama):
    """A long answer that gets on is not cut."""
    ollama.knobs.reply = " ".join(f"word{n}" for n in range(3000))
    answer = await http.post(f"{shim.url}/api/chat", json=chat("hi", stream=True))

    assert json.loads((await answer.read()).splitlines()[-1])["done"]


@pytest.mark.parametrize(
    ("loops", "headers"),
    [({"rules": ["repeat"]}, {}), ({}, OFF), ({}, {"X-Festinger-Loops": "no-answer"})],
)
async def test_answers_left_alone(http, start_shim, ollama, loops, headers):
    """Cutting is a rule like the others, and can be switched off like them."""
    shim = await start_shim(loops=loops)
    ollama.knobs.reply = SENTENCE * 100
    answer = await http.post(
        f"{shim.url}/api/chat", json=chat("hi", stream=True), headers=headers
    )

    assert json.loads((await answer.read()).splitlines()[-1])["done"]


async def test_whole_answers_are_not_cut(http, shim, ollama):
    """An answer that comes in one piece is passed on as it is."""
    ollama.knobs.reply = SENTENCE * 100
    answer = await http.post(f"{shim.url}/api/chat", json=chat("hi"))

    assert (await answer.json())["message"]["content"] == SENTENCE * 100


async def test_cut_waits_for_the_end_of_the_line(http, start_shim, raw_upstream):
    """The error's line does not stand in the middle of another."""
    raw_upstream.answer = (
        b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n"
    )
    shim = await start_shim(upstream=raw_upstream.url)
    answer = await http.post(f"{shim.url}/api/chat", json=chat("hi", stream=True))
    line = json.dumps({"message": {"content": SENTENCE * 20}, "done": False}).encode()
    end = b'\n{"message":{"content":"'
    for piece in (line + end, b'so"},"done":false}\n'):
        raw_upstream.send(b"%x\r\n%b\r\n" % (len(piece), piece))
        await asyncio.sleep(0.05)
    lines = (await answer.read()).splitlines()

    assert [list(json.loads(line)) for line in lines] == [
        ["message", "done"],
        ["message", "done"],
        ["error"],
    ]


async def test_an_answer_that_is_complete_is_not_cut(http, start_shim, raw_upstream):
    """Once the upstream has said that it is done, there is nothing to cut."""
    lines = json.dumps({"message": {"content": SENTENCE * 20}, "done": False})
    body = f'{lines}\n{{"done":true}}\n'.encode()
    raw_upstream.answer = (
        b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
    )
    shim = await start_shim(upstream=raw_upstream.url)
    answer = await http.post(f"{shim.url}/api/chat", json=chat("hi", stream=True))

    assert await answer.read() == body


async def test_cut_is_counted(http, shim, ollama):
    """The health page tells how many answers were cut."""
    ollama.knobs.reply = SENTENCE * 400
    await (await http.post(f"{shim.url}/api/chat", json=chat("hi", stream=True))).read()
    answer = await http.get(f"{shim.url}/festinger/health")

    assert (await answer.json())["shim"]["loops"] == {"answer:cut": 1}


async def test_speech_is_a_turn_as_well(http, shim):
    """An agent that only announces is met as one that calls."""
    speech = Say("I will now look at the README and then put all of it in order.")

    rungs = await play(http, shim, [TASK, *[speech, User("Go on.")] * 4])
    assert rungs[-2:] == ["repeat:temperature", "repeat:forbid"]
