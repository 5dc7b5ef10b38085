from __future__ import annotations

import asyncio
import json
from hashlib import sha256

import grpc
import pytest

from festinger.api.v1 import memory_service_pb2 as pb
from tests.shim.conftest import POSITIONS, SAMPLES, chat, load
from tests.shim.conversations import BLOCK, FORMATS, lines, without_ours

RESULT = "X-Festinger-Recollection"
FACT, OTHER = "gnommoweb: [type] repo", "dobby: [type] elf"
IDS = ["chat", "parts", "flattened", "completion", "responses", "anthropic"]


def line(text, *, hint=False):
    """Return a line of the memory's answer."""
    kinds = pb.RecollectResponse.Line
    return pb.RecollectResponse.Line(
        concept=text.removeprefix("? ").partition(":")[0],
        text=text,
        digest=sha256(text.encode()).digest()[:8],
        kind=kinds.KIND_HINT if hint else kinds.KIND_RECOLLECTION,
    )


def block(*texts):
    """Return the block of some lines."""
    return "\n".join(["<recollection>", *texts, "</recollection>"])


class Agent:
    """A client that sends its conversation in a format, and what the model was given."""

    def __init__(self, http, shim, ollama, memory, form=FORMATS[0]):
        self.http, self.shim, self.ollama, self.memory = http, shim, ollama, memory
        self.format = form
        self.messages = [("system", "Be brief.")]
        self.result = ""

    async def says(self, text, *told, role="user"):
        """
        The prompt that the model is given when somebody says something, and the memory
        answers with these lines.
        """
        self.messages.append((role, text))
        return await self.sends(*told)

    async def sends(self, *told, **more):
        """Return the prompt that the model is given of the conversation as it is."""
        self.memory.lines = [line(text) for text in told]
        self.memory.block = block(*told) if told else ""
        body = self.format.encode(self.messages) | more
        answer = await self.http.post(self.shim.url + self.format.path, json=body)
        await answer.read()
        self.result = answer.headers[RESULT]
        given = self.format.decode(self.ollama.prompts[-1].json)
        assert without_ours(given) == self.messages
        return given

    def replies(self, text):
        """Note what the model answered."""
        self.messages.append(("assistant", text))


@pytest.fixture(autouse=True)
def sticky(memory):
    """The position of these tests."""
    memory.position = POSITIONS.POSITION_STICKY


@pytest.fixture
def agent(http, shim, ollama, memory):
    """A client of /api/chat."""
    return Agent(http, shim, ollama, memory)


@pytest.fixture(params=FORMATS, ids=IDS)
def speaker(request, http, shim, ollama, memory):
    """A client in each format."""
    return Agent(http, shim, ollama, memory, request.param)


# Where blocks stand


async def test_first_block_heads_the_system_message(speaker):
    """The block of the first request stands before the system text, then and ever after."""
    head = ("system", f"{block(FACT)}\n\nBe brief.")

    first = await speaker.says("Hello gnommoweb", FACT)
    assert (first, speaker.result) == ([head, ("user", "Hello gnommoweb")], "full")

    speaker.replies("Hi.")
    second = await speaker.says("And now?")
    assert (second[0], speaker.result) == (head, "replay")


async def test_stale_answer_is_partial(speaker, memory):
    """The block of a server that is cut off from its database is counted apart."""
    memory.stale = True

    await speaker.says("Hello gnommoweb", FACT)

    assert speaker.result == "partial"


async def test_news_follow_the_newest_message(speaker):
    """A later block stands behind the user's message, then and ever after."""
    await speaker.says("Hello gnommoweb", FACT)
    speaker.replies("Hi.")
    second = await speaker.says("Who is dobby?", OTHER)
    assert speaker.result == "full"
    speaker.replies("An elf.")
    third = await speaker.says("Thanks.")

    assert second[-1] == ("user", f"Who is dobby?\n\n{block(OTHER)}")
    assert third[: len(second)] == second
    assert third[-1] == ("user", "Thanks.")
    assert speaker.result == "replay"


async def test_nothing_told_is_nothing_touched(speaker, ollama):
    """Without anything to tell, the body goes on byte for byte (D7)."""
    speaker.messages.append(("user", "Grüße 😀"))
    raw = json.dumps(speaker.format.encode(speaker.messages), indent=3).encode()
    url = speaker.shim.url + speaker.format.path
    for _ in range(2):
        answer = await speaker.http.post(url, data=raw)
        assert answer.headers[RESULT] == "none"
        assert ollama.prompts[-1].body == raw


async def test_first_news_after_silence_follow_the_message(speaker):
    """
    If the first request told nothing, the system text, which the model has read, stays
    as it is.
    """
    await speaker.says("Hello")
    speaker.replies("Hi.")
    given = await speaker.says("gnommoweb?", FACT)

    assert given[0] == ("system", "Be brief.")
    assert given[-1] == ("user", f"gnommoweb?\n\n{block(FACT)}")


async def test_system_message_is_made_once_and_kept(agent, ollama):
    """A system message that was made stands in every later request, with the model's own."""
    ollama.knobs.systems["llama3"] = "You are Mario."
    agent.messages.clear()
    for number in range(3):
        agent.messages.append(("user", f"gnommoweb {number}"))
        agent.memory.lines, agent.memory.block = [line(FACT)], block(FACT)
        body = agent.format.encode(agent.messages)
        await agent.http.post(f"{agent.shim.url}/api/chat", json=body)
        given = ollama.prompts[-1].json["messages"]
        assert given[0]["content"] == f"{block(FACT)}\n\nYou are Mario."
        assert given[1:] == body["messages"]
        agent.replies("Yes.")


async def test_plain_completion(http, shim, ollama, memory):
    """
    A prompt with no system text beside it begins with the block; what is known later
    follows it.
    """
    memory.lines, memory.block = [line(FACT)], block(FACT)
    body = {"model": "llama3", "prompt": "gnommoweb?", "stream": False}
    begun = f"{block(FACT)}\n\ngnommoweb?"
    for result in ("full", "replay"):
        answer = await http.post(f"{shim.url}/v1/completions", json=body)
        assert ollama.prompts[-1].json == {**body, "prompt": begun}
        assert answer.headers[RESULT] == result

    memory.lines, memory.block = [line(FACT), line(OTHER)], block(FACT, OTHER)
    await http.post(f"{shim.url}/v1/completions", json=body)

    assert ollama.prompts[-1].json["prompt"] == f"{begun}\n\n{block(OTHER)}"


async def test_plain_generate(http, shim, ollama, memory):
    """A plain prompt is a conversation of one message, which may be asked again."""
    memory.lines, memory.block = [line(FACT)], block(FACT)
    body = {"model": "llama3", "prompt": "gnommoweb?", "stream": False}
    for result in ("full", "replay"):
        answer = await http.post(f"{shim.url}/api/generate", json=body)
        assert ollama.prompts[-1].json == {**body, "system": block(FACT)}
        assert answer.headers[RESULT] == result


async def test_tool_results_are_only_followed(speaker, memory):
    """
    After a tool's result blocks are put back and nothing is added, for some renderers
    look at the last user message; what it mentions is told with the next one.
    """
    before = await speaker.says("Look at gnommoweb", FACT)
    speaker.replies('{"tool_name": "shell", "tool_args": {}}')
    given = await speaker.says("dobby", OTHER, role="tool")
    assert (given[: len(before)], given[-1]) == (before, ("tool", "dobby"))
    assert speaker.result == "replay"
    speaker.replies("I saw dobby.")

    given = await speaker.says("Who is that?", OTHER)

    asked = [(turn.text, turn.seen) for turn in memory.recollects[-1].turns]
    assert ("dobby", True) in asked
    assert given[-1] == ("user", f"Who is that?\n\n{block(OTHER)}")


async def test_agent_zero(http, shim, ollama, memory):
    """
    A block stands behind the envelope and before the EXTRAS, which change with every
    request; and it stands there when they are gone.
    """
    if not SAMPLES.exists():
        pytest.skip("NO SAMPLES: ../shared/samples is not there")
    prompts = []
    for number, told in ((1, ""), (1, FACT), (2, OTHER), (3, "")):
        memory.lines = [line(told)] if told else []
        memory.block = block(told) if told else ""
        sample = load(SAMPLES / "agent-zero" / f"turn{number}.json")
        headers = dict(sample["headers"])
        await http.post(f"{shim.url}/api/generate", data=sample["raw"], headers=headers)
        prompts.append(ollama.prompts[-1].json["prompt"])

    untold, told, *later = prompts
    envelope = '"attachments": []}'
    assert told == untold.replace(envelope, f"{envelope}\n\n{block(FACT)}")
    assert f"{block(FACT)}\n[EXTRAS]" in told
    for prompt in later:
        assert prompt.startswith(told.partition("\n[EXTRAS]")[0])
        assert len(BLOCK.findall(prompt)) == 1


async def test_parts_are_followed_behind_the_last(http, shim, ollama, memory):
    """Of several text parts, each of which becomes a message, the last is followed."""
    parts = [
        {"type": "text", "text": "gnommoweb"},
        {"type": "text", "text": "is what? "},
    ]
    image = {"type": "image_url", "image_url": {"url": "data:"}}
    body = chat("Hello", "Hi", "x", system="Be brief.")
    await http.post(
        f"{shim.url}/v1/chat/completions", json=chat("Hello", system="Be brief.")
    )
    body["messages"][-1]["content"] = [*parts, image]
    memory.lines, memory.block = [line(FACT)], block(FACT)
    await http.post(f"{shim.url}/v1/chat/completions", json=body)

    last = {"type": "text", "text": f"is what?\n\n{block(FACT)} "}
    assert ollama.prompts[-1].json["messages"][-1]["content"] == [parts[0], last, image]


async def test_rest_of_the_body_is_the_same_bytes(agent, http, shim, ollama, memory):
    """Numbers, escapes and spaces beside the blocks are not rewritten."""
    raw = (
        r'{ "model":"m", "options": {"seed": 12345678901234567890123, "e": 1E5},'
        r' "messages": [ {"content": "s\u00fc\/", "role":"system"},'
        r'{"role":"user","content":"a\ud83d\ude00 \ud800\n"}%s ] }'
    )
    more = (
        r',{"role":"assistant","content":"\u0062"},{"role":"user","content":"c\u0020"}'
    )
    for part, told in (("", FACT), (more, OTHER)):
        memory.lines, memory.block = [line(told)], block(told)
        await http.post(f"{shim.url}/api/chat", data=(raw % part).encode())

    quoted = [json.dumps(f"{block(it)}")[1:-1] for it in (FACT, OTHER)]
    expected = raw % more.replace(r"c\u0020", rf"c\n\n{quoted[1]}\u0020")
    expected = expected.replace(r"s\u00fc", rf"{quoted[0]}\n\ns\u00fc")
    assert ollama.prompts[-1].body.decode() == expected


RAW = {
    "/v1/completions": (
        r'{ "model":"m", "seed": 12345678901234567890123, "e": 1E5,'
        r' "prompt":"### System:\nHEADs\u00fc\/\n\n### User:\na\ud83d\ude00\n\n%s" }',
        r"### Assistant:\n\u0062\n\n### User:\ncNEWS\u0020\n\n",
        r"BLOCK\n\n",
    ),
    "/v1/responses": (
        r'{ "model":"m", "instructions": "HEADs\u00fc\/", "e": 1E5,'
        r' "input" : [ {"role":"user","content":"a\ud83d\ude00 \ud800\n"}%s ] }',
        r',{"role":"assistant","content":"\u0062"},{"type":"message","role":"user",'
        r' "content":[{"type":"input_text", "text":"cNEWS\u0020"}]}',
        r"BLOCK\n\n",
    ),
    "/v1/messages": (
        r'{ "model":"m", "system": [ HEAD{"type":"text", "text":"s\u00fc\/"}], "e": 1E5,'
        r' "messages": [ {"content":"a\ud83d\ude00 \ud800\n", "role":"user"}%s ] }',
        r',{"role":"assistant","content":"\u0062"},{"role":"user",'
        r' "content":[{"type":"text", "text":"cNEWS\u0020"}]}',
        r'{"type":"text","text":"BLOCK\n\n"},',
    ),
}
"""By route: a body, what is said later in it, and how a block stands at its head."""


@pytest.mark.parametrize("path", RAW)
async def test_blocks_are_the_same_bytes_again(http, shim, ollama, memory, path):
    """Each block is put back to the byte, and nothing beside it is rewritten."""
    raw, more, head = RAW[path]
    head, news = (
        how.replace("BLOCK", json.dumps(block(told))[1:-1])
        for how, told in ((head, FACT), (r"\n\nBLOCK", OTHER))
    )
    sent = []
    for part, told in (("", FACT), (more, OTHER), (more, OTHER)):
        memory.lines, memory.block = [line(told)], block(told)
        body = (raw % part).replace("HEAD", "").replace("NEWS", "")
        await http.post(shim.url + path, data=body.encode())
        sent.append(ollama.prompts[-1].body.decode())

    begun, gone_on = ((raw % part).replace("HEAD", head) for part in ("", more))
    assert sent == [begun, *[gone_on.replace("NEWS", news)] * 2]


@pytest.mark.parametrize("known", [True, False])
async def test_content_block_that_comes_back(http, shim, ollama, memory, known):
    """A content block that was made for ours comes back as it was, or goes with it."""
    brief = {"type": "text", "text": "Be brief."}
    made = {"type": "text", "text": f"{block(FACT)}\n\n"}
    said = [{"role": "user", "content": "gnommoweb"}]
    body = {"model": "m", "system": [brief], "messages": said}
    if known:
        memory.lines, memory.block = [line(FACT)], block(FACT)
        await http.post(f"{shim.url}/v1/messages", json=body)
        assert ollama.prompts[-1].json["system"] == [made, brief]
        memory.lines, memory.block = [], ""
    raw = json.dumps({**body, "system": [made, brief]}, indent=1).encode()
    await http.post(f"{shim.url}/v1/messages", data=raw)

    if known:
        assert ollama.prompts[-1].body == raw
    else:
        assert ollama.prompts[-1].json["system"] == [brief]


# What the memory is asked


async def test_only_what_is_new_is_asked_about(agent, memory):
    """Turns at known positions were answered there; the lines that stand are sent instead."""
    await agent.says("Hello gnommoweb", FACT)
    agent.replies("Hi.")
    await agent.says("And now?")

    assert memory.turns == [("assistant", "Hi.", False), ("user", "And now?", False)]
    (told,) = memory.recollects[-1].told
    assert (told.concept, told.text, told.kept, told.hint) == (
        "gnommoweb",
        FACT,
        True,
        False,
    )


async def test_same_line_is_told_once(agent):
    """A line is told again only if it says something else than the last about its concept."""
    await agent.says("gnommoweb", FACT)
    agent.replies("Yes.")
    same = await agent.says("gnommoweb?", FACT)
    assert lines(same) == [FACT]
    agent.replies("Yes.")
    more = "gnommoweb: [geography] ramanujan [type] repo"
    other = await agent.says("gnommoweb!", more)

    assert lines(other) == [FACT, more]


async def test_hint_is_asked_once(agent, memory):
    """A session's hints are not given twice, also where their block is gone."""
    hint = "? dobby: no recollection.\n  gutask …\n  gutask …"
    agent.messages.append(("user", "dobby"))
    memory.lines, memory.block = [line(hint, hint=True)], block(hint)
    body = agent.format.encode(agent.messages)
    await agent.http.post(f"{agent.shim.url}/api/chat", json=body)
    agent.replies("Who?")
    await agent.says("dobby!")
    (standing,) = memory.recollects[-1].told
    agent.replies("Yes.")
    await agent.says("Go on.")
    agent.messages[:2] = [("system", "Be kind."), ("user", "A summary.")]
    await agent.says("dobby?")

    assert (standing.hint, standing.text) == (True, hint)
    (gone,) = memory.recollects[-1].told
    assert (gone.concept, gone.hint, gone.text) == ("dobby", True, "")


# What no longer holds


async def changed(agent, new):
    """
    The prompt that the model is given when the first line that stands gives way to
    another.
    """
    line_now = line(new) if new else None
    agent.memory.changes = [pb.RecollectResponse.Change(told_index=0, line=line_now)]
    try:
        return await agent.says("Anything else?")
    finally:
        agent.memory.changes = []


async def test_false_line_is_rewritten_at_once(speaker):
    """Truth outranks the cache: the earlier block says what is known now, and stays so."""
    await speaker.says("gnommoweb and dobby", FACT, OTHER)
    speaker.replies("Yes.")
    new = "gnommoweb: [type] container"
    given = await changed(speaker, new)
    assert given[0][1].startswith(block(OTHER, new))
    assert speaker.result == "full"
    speaker.replies("No.")

    again = await speaker.says("Good.")

    assert again[: len(given)] == given


async def test_false_line_goes_where_nothing_is_known(speaker):
    """A block without lines is no block."""
    await speaker.says("gnommoweb", FACT)
    speaker.replies("Yes.")
    given = await changed(speaker, None)

    assert given == speaker.messages
    assert speaker.result == "none"


async def test_rewritten_line_is_said_once(agent, memory):
    """If two blocks told of a concept, the present facts stand in one of them."""
    more = "gnommoweb: [geography] ramanujan [type] repo"
    await agent.says("gnommoweb", FACT)
    agent.replies("Yes.")
    await agent.says("gnommoweb", more)
    agent.replies("Yes.")
    agent.messages.append(("user", "gnommoweb!"))
    now = "gnommoweb: [geography] ramanujan"
    memory.changes = [
        pb.RecollectResponse.Change(told_index=index, line=line(now))
        for index in (0, 1)
    ]
    given = await agent.sends(now)

    assert lines(given) == [now]
    assert given[0][1].startswith(block(now))


async def test_true_line_is_not_said_again_by_a_rewritten_one(agent, memory):
    """A false line that becomes what stands elsewhere goes."""
    more = "gnommoweb: [geography] ramanujan [type] repo"
    await agent.says("gnommoweb", FACT)
    agent.replies("Yes.")
    await agent.says("gnommoweb", more)
    agent.replies("Yes.")
    agent.messages.append(("user", "Hm."))
    memory.changes = [pb.RecollectResponse.Change(told_index=1, line=line(FACT))]

    assert lines(await agent.sends()) == [FACT]


# Conversations that branch, are cut, or come back


async def test_repeated_request(agent):
    """
    A request that is sent again has the same bytes; what is known by then, and was not,
    follows its message.
    """
    first = await agent.says("gnommoweb and dobby", FACT)
    again = await agent.sends(FACT)
    assert (again, agent.result) == (first, "replay")

    more = await agent.sends(FACT, OTHER)

    assert more == [*first[:-1], ("user", f"gnommoweb and dobby\n\n{block(OTHER)}")]
    assert agent.result == "full"
    assert await agent.sends(FACT, OTHER) == more
    assert agent.result == "replay"


async def test_branches_keep_their_blocks(agent):
    """An edited message starts a branch; each has its own blocks, also in turn."""
    await agent.says("Hello")
    agent.replies("Hi.")
    common = list(agent.messages)
    first = await agent.says("gnommoweb?", FACT)
    agent.messages[:] = [*common]
    second = await agent.says("dobby?", OTHER)

    assert second[-1] == ("user", f"dobby?\n\n{block(OTHER)}")
    for given in (first, second, first, second):
        agent.messages[:] = without_ours(given)
        agent.replies("Yes.")
        assert (await agent.says("And?"))[: len(given)] == given


async def test_edited_history_is_asked_about_again(agent, memory):
    """
    Behind an edit nothing stands, so that all of it is looked up, teaching nothing
    twice.
    """
    await agent.says("Hello")
    agent.replies("Hi.")
    await agent.says("gnommoweb?", FACT)
    agent.replies("Yes.")
    agent.messages[2] = ("assistant", "Hello!")
    given = await agent.says("Go on.", FACT)

    assert memory.turns == [
        ("assistant", "Hello!", False),
        ("user", "gnommoweb?", True),
        ("assistant", "Yes.", False),
        ("user", "Go on.", False),
    ]
    assert given[-1] == ("user", f"Go on.\n\n{block(FACT)}")


async def test_compaction_tells_again_what_matters(agent):
    """If a history was cut, the blocks in it are gone; the system text's is not."""
    await agent.says("Hello gnommoweb", FACT)
    agent.replies("Hi.")
    await agent.says("dobby?", OTHER)
    agent.replies("Yes.")
    await agent.says("Go on.")
    agent.replies("Well.")
    agent.messages[1:3] = []
    given = await agent.says("dobby!", FACT, OTHER)

    assert lines(given[:1]) == [FACT]
    assert given[-1] == ("user", f"dobby!\n\n{block(OTHER)}")


async def test_second_conversation_has_its_own(agent, http, shim, ollama, memory):
    """The block of one session does not stand in another's prompts."""
    await agent.says("gnommoweb", FACT)
    other = Agent(http, shim, ollama, memory)
    given = await other.says("Hello")

    assert given == other.messages


async def test_stored_blocks_are_not_doubled(speaker):
    """A client that stores what was sent, and brings our blocks back, does no harm."""
    await speaker.says("gnommoweb", FACT)
    speaker.replies("Yes.")
    stored = await speaker.says("dobby", OTHER)
    speaker.replies("Yes.")
    given = await speaker.says("Go on.")
    own = speaker.messages
    speaker.messages = [*stored, *own[len(stored) :]]
    body = speaker.format.encode(speaker.messages)

    await speaker.http.post(speaker.shim.url + speaker.format.path, json=body)

    assert speaker.format.decode(speaker.ollama.prompts[-1].json) == given


async def test_stale_stored_blocks_go(speaker):
    """
    Blocks that come back to a shim that does not know them are taken out: nobody can
    say whether they hold.
    """
    old = block("gnommoweb: [type] thing")
    speaker.messages = [
        ("system", f"{old}\n\nBe brief."),
        ("user", f"Hello\n\n{old}\n\n{old}"),
    ]
    body = speaker.format.encode(speaker.messages)

    await speaker.http.post(speaker.shim.url + speaker.format.path, json=body)

    given = speaker.format.decode(speaker.ollama.prompts[-1].json)
    assert given == [("system", "Be brief."), ("user", "Hello")]


async def test_section_that_was_made_goes_with_its_block(http, shim, ollama):
    """A flattened prompt that comes back with a section of ours is as it was."""
    prompt = f"### System:\n{block(FACT)}\n\n### User:\nHello\n\n"
    body = {"model": "llama3", "prompt": prompt, "stream": False}
    await http.post(f"{shim.url}/api/generate", json=body)

    assert ollama.prompts[-1].json["prompt"] == "### User:\nHello\n\n"


async def test_two_requests_at_once(http, shim, ollama, memory):
    """Requests of one session that come together are both told, alike."""
    memory.delay = 0.05
    memory.lines, memory.block = [line(FACT)], block(FACT)
    body = chat("gnommoweb", system="Be brief.")
    posts = (http.post(f"{shim.url}/api/chat", json=body) for _ in range(2))
    await asyncio.gather(*posts)

    first, second = (prompt.body for prompt in ollama.prompts)
    assert first == second
    assert first.count(b"[type] repo") == 1


async def test_forgotten_session_starts_anew(http, start_shim, ollama, memory):
    """
    A session that was dropped costs one miss of the prefix cache: what matters is told
    at the head again, and stays there.
    """
    agent = Agent(http, await start_shim(sessions_max=1), ollama, memory)
    await agent.says("Hello")
    agent.replies("Hi.")
    before = await agent.says("gnommoweb?", FACT)
    agent.replies("Yes.")
    await http.post(f"{agent.shim.url}/api/chat", json=chat("elsewhere"))
    given = await agent.says("Go on.", FACT)
    agent.replies("Well.")

    assert lines(before[-1:]) == lines(given[:1]) == lines(given) == [FACT]
    assert (await agent.says("And?"))[: len(given)] == given


# Without the memory


@pytest.mark.parametrize("how", ["down", "slow"])
async def test_memory_away_replays(speaker, memory, how):
    """Blocks are put back without the memory: their bytes are the shim's own (D8)."""
    before = await speaker.says("gnommoweb", FACT)
    speaker.replies("Yes.")
    memory.abort = grpc.StatusCode.UNAVAILABLE if how == "down" else None
    if how == "slow":
        memory.delay, speaker.shim._memory.budget_seconds = 60.0, 0.1
    given = await speaker.says("dobby", OTHER)
    assert given[: len(before)] == before
    assert (given[-1], speaker.result) == (("user", "dobby"), "replay")
    memory.abort, memory.delay = None, 0.0
    speaker.shim._memory.budget_seconds = 5.0
    speaker.replies("Who?")

    after = await speaker.says("dobby!", OTHER)

    assert after[:-1] == [*given, ("assistant", "Who?")]
    assert after[-1] == ("user", f"dobby!\n\n{block(OTHER)}")
    answer = await speaker.http.get(f"{speaker.shim.url}/festinger/health")
    assert (await answer.json())["shim"]["recollections"][f"missed:memory-{how}"] == 1


async def test_memory_away_from_the_start(agent, memory):
    """
    A conversation that began without the memory is told at its end, so that the model
    reads nothing twice.
    """
    memory.abort = grpc.StatusCode.UNAVAILABLE
    given = await agent.says("gnommoweb", FACT)
    assert (given, agent.result) == (agent.messages, "skipped:memory-down")
    memory.abort = None
    agent.replies("What?")

    given = await agent.says("gnommoweb!", FACT)

    assert given[:-1] == agent.messages[:-1]
    assert given[-1] == ("user", f"gnommoweb!\n\n{block(FACT)}")


async def test_slow_modelfile(http, shim, ollama, memory):
    """If the model's own SYSTEM is not known in time, the block follows the message."""
    memory.lines, memory.block = [line(FACT)], block(FACT)
    ollama.knobs.systems["llama3"] = "You are Mario."
    ollama.knobs.show_delay = 0.5
    answer = await http.post(f"{shim.url}/api/chat", json=chat("gnommoweb"))

    assert answer.headers[RESULT] == "full"
    (message,) = ollama.prompts[-1].json["messages"]
    assert message["content"] == f"gnommoweb\n\n{block(FACT)}"


# Loops

LOOP = "X-Festinger-Loop"
AGAIN = "I should look at the configuration again to be sure that it is right."


async def test_notice_of_a_loop_beside_a_block(speaker):
    """
    A notice ends the newest message, behind a block that is new; without the notice,
    which is not the client's, the block stands there in the next request.
    """
    await speaker.says("gnommoweb", FACT)
    for _ in range(3):
        speaker.replies(AGAIN)
        await speaker.says("Go on.")
    speaker.replies(AGAIN)
    speaker.messages.append(("user", "Go on."))
    speaker.memory.lines = [line(OTHER)]
    body = speaker.format.encode(speaker.messages)
    url = speaker.shim.url + speaker.format.path
    answer = await speaker.http.post(url, json=body)
    *before, (_, last) = speaker.format.decode(speaker.ollama.prompts[-1].json)
    assert answer.headers[LOOP] == "repeat:forbid"
    told = f"Go on.\n\n{block(OTHER)}"
    assert last.startswith(f"{told}\n\n")
    assert len(last) > len(told) + 20
    speaker.replies("Fine.")

    after = await speaker.says("Thanks.")

    assert after[:-2] == [*before, ("user", told)]
    assert lines(after) == [FACT, OTHER]


async def test_shorter_history_keeps_what_was_told(speaker):
    """If repetitions are left out of a request, every block of the session is in it."""
    await speaker.says("gnommoweb", FACT)
    url = speaker.shim.url + speaker.format.path
    for number in range(5):
        speaker.replies(AGAIN)
        speaker.messages.append(("user", "Go on."))
        speaker.memory.lines = [line(OTHER)] if number == 2 else []
        body = speaker.format.encode(speaker.messages)
        answer = await speaker.http.post(url, json=body)
    given = speaker.format.decode(speaker.ollama.prompts[-1].json)

    assert answer.headers[LOOP] == "repeat:truncate"
    assert len(given) < len(speaker.messages)
    assert lines(given) == [FACT, OTHER]


# Other positions


async def test_position_that_changes(agent, memory):
    """With another position the ledger is forgotten, and the request has one block."""
    await agent.says("gnommoweb", FACT)
    agent.replies("Yes.")
    memory.position = POSITIONS.POSITION_OFF
    given = await agent.says("And?", OTHER)
    assert (given, agent.result) == (agent.messages, "skipped:off")
    memory.position = POSITIONS.POSITION_SYSTEM
    agent.replies("Yes.")
    given = await agent.says("dobby", OTHER)

    assert lines(given) == [OTHER]
    assert len(memory.turns) == 6


# Room


def long(*concepts):
    """Return lines of 100 bytes."""
    return [f"{it}: [type] {'x' * (92 - len(it))}" for it in concepts]


async def test_block_leaves_the_prompt_within_its_context(agent):
    """Near the limit that the request names there are fewer lines, doubts first."""
    doubt = "dog: [type?] pet — conflict pending"
    agent.messages.append(("user", "x" * 2700))
    told = [*long("ant", "bee", "cat"), doubt]
    given = await agent.sends(*told, options={"num_ctx": 1000})

    assert lines(given) == [told[0], doubt]
    assert agent.result == "full"


async def test_no_room_at_all(agent, memory):
    """A prompt that fills its context is left alone, and told when there is room again."""
    agent.messages.append(("user", "x" * 2990))
    given = await agent.sends(FACT, options={"num_ctx": 1000})
    assert (given, agent.result) == (agent.messages, "skipped:budget")

    given = await agent.sends(FACT, options={"num_ctx": 2000})

    assert lines(given) == [FACT]


async def test_blocks_that_no_longer_fit(agent):
    """Earlier blocks go as well before they make the prompt too long."""
    await agent.says("gnommoweb", FACT)
    agent.messages.append(("assistant", "x" * 2900))
    given = await agent.says("Go on.", *long("ant"))
    assert lines(given) == [FACT, *long("ant")]

    given = await agent.sends(*long("ant"), options={"num_ctx": 1000})

    assert (given, agent.result) == (agent.messages, "skipped:budget")


async def test_models_own_context(agent, ollama):
    """
    Without an option the model's own setting counts; it is asked for once, and only
    where a prompt could be too long.
    """
    ollama.knobs.contexts["llama3"] = 2100
    await agent.says("Hello", FACT)
    assert [r.path for r in ollama.requests] == ["/api/chat"]
    agent.messages.append(("assistant", "x" * 6100))
    given = await agent.says("Who is dobby?", OTHER)
    await agent.sends(OTHER)

    assert lines(given) == [FACT]
    assert agent.result == "replay"
    assert [r.path for r in ollama.requests].count("/api/show") == 1


@pytest.mark.parametrize(
    "position", [POSITIONS.POSITION_SYSTEM, POSITIONS.POSITION_RECENT]
)
async def test_room_at_other_positions(agent, memory, position):
    """A block that is made anew has as many lines as fit."""
    memory.position = position
    agent.messages = [("system", "Be brief."), ("user", "x" * 2700)]
    told = long("ant", "bee", "cat")
    memory.lines, memory.block = [line(text) for text in told], block(*told)
    body = agent.format.encode(agent.messages)
    for context, count in ((1020, 2), (980, 1), (900, 0)):
        body["options"] = {"num_ctx": context}
        answer = await agent.http.post(f"{agent.shim.url}/api/chat", json=body)
        given = agent.format.decode(agent.ollama.prompts[-1].json)
        assert lines(given) == told[:count]
        assert answer.headers[RESULT] == ("full" if count else "skipped:budget")


async def test_turn_that_a_busy_memory_did_not_read_is_still_new(agent, memory):
    """The prompt passes as it came, and the memory is sent the turn again with the next."""
    memory.busy_seconds = 0.05
    given = await agent.says("gnommoweb is a repo")
    assert agent.result == "skipped:memory-busy"
    assert given == agent.messages
    agent.replies("I see.")
    memory.busy_seconds = 0.0
    await asyncio.sleep(0.1)

    await agent.says("and now?")

    turns = [(text, seen) for role, text, seen in memory.turns if role == "user"]
    assert turns == [("gnommoweb is a repo", False), ("and now?", False)]
