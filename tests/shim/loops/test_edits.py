from __future__ import annotations

import json

import pytest

from festinger.config import LoopRule, LoopRung, LoopSettings
from festinger.shim.loops import dialects, edits, own_answers
from festinger.shim.loops.rules import Loop, find
from festinger.shim.loops.transcript import Transcript
from festinger.shim.loops.turns import turns_of
from festinger.shim.proxy.endings import LINE_BYTES_MAX
from tests.shim.conftest import BLOCK
from tests.shim.loops.talks import DIALECTS, Do, Say, Step, User

SETTINGS = LoopSettings()
TASK = User("Do it.")
READ = Do("read_file", {"path": "a"}, "text")
LOOK = Do("look", {}, "nothing")
WORK = Do("work", {"n": 1}, "done")
TEXT = "Notice: stop."


def turns(body):
    """Return the turns of a request, the newest first."""
    return turns_of(dialects.read(body), (), SETTINGS.speech_characters)


def loop_of(body):
    """Return the loop in a request."""
    return find(turns(body), SETTINGS)


def acts(body):
    """Return the acts of a request, oldest first."""
    return [turn.act.names for turn in reversed(turns(body))]


# Leaving out


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_last_time_stays(dialect):
    """Of five times the last one stays, with its result, and so does all else."""
    body = DIALECTS[dialect][1]([TASK, WORK, *[READ] * 5])
    got = json.loads(edits.leave_out(json.dumps(body).encode(), loop_of(body)))

    assert acts(got) == [("work",), ("read_file",)]
    kept = DIALECTS[dialect][1]([TASK, WORK, READ])
    assert len(json.dumps(got)) == pytest.approx(len(json.dumps(kept)), abs=9)
    assert loop_of(got) is None


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_last_round_stays(dialect):
    """Of three rounds and a half the last two turns stay."""
    body = DIALECTS[dialect][1]([TASK, WORK, *[READ, LOOK] * 3, READ])
    got = json.loads(edits.leave_out(json.dumps(body).encode(), loop_of(body)))

    assert acts(got) == [("work",), ("look",), ("read_file",)]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_what_was_told_stays(dialect):
    """Of five times that are alike but for a block of ours, only those after it go."""
    again = Say("I should look at the configuration again to be sure of it.")
    told = f"Go on.\n\n{BLOCK}"
    script: list[Step] = [TASK]
    for text in ("Go on.", "Go on.", told, "Go on.", "Go on."):
        script += [again, User(text)]
    body = DIALECTS[dialect][1](script)
    got = json.loads(edits.leave_out(json.dumps(body).encode(), loop_of(body)))

    assert len(acts(got)) == len(acts(body)) - 1
    assert json.dumps(got).count("gnommoweb") == 1


def test_the_rest_is_the_same_bytes():
    """Bytes that are not left out are not written anew."""
    kept = '{"role": "user",  "content": "\\u00fc\\/", "n": 1.0}'
    turn = '{"role":"assistant","tool_calls":[{"function":{"name":"f"}}]} , {"role":"tool","content":"r"}'
    raw = f'{{ "x": 12345678901234567890123, "messages": [{kept}, {turn}, {turn}, {turn}] , "y": 1E5 }}'
    loop = Loop(LoopRule.REPEAT, 3, 1, 3)

    first, second = turn.split(" , ")
    assert edits.leave_out(raw.encode(), loop).decode() == (
        f'{{ "x": 12345678901234567890123, "messages": [{kept},{first},{second}] , "y": 1E5 }}'
    )


# Forbidding


@pytest.mark.parametrize("dialect", DIALECTS)
def test_notice_ends_the_newest_user_message(dialect):
    """The text stands at the end of the last message in the user's role."""
    body = DIALECTS[dialect][1]([TASK, READ])
    got = json.loads(edits.append(json.dumps(body).encode(), TEXT))

    if dialect in {"agent_zero", "litellm"}:
        assert got["prompt"] == f"{body['prompt'].rstrip()}\n\n{TEXT}\n\n"
        return
    listed = got.get("messages") or got["input"]
    users = [m for m in listed if m.get("role") == "user"]
    content = users[-1]["content"]
    if dialect == "anthropic":
        assert content[-1] == {"type": "text", "text": TEXT}
        assert content[0]["type"] == "tool_result"
    else:
        assert content == f"Do it.\n\n{TEXT}"


CONTENTS = [
    ([{"type": "text", "text": "u"}], [{"type": "text", "text": f"u\n\n{TEXT}"}]),
    ([{"type": "image"}], [{"type": "image"}, {"type": "text", "text": TEXT}]),
    ([], [{"type": "text", "text": TEXT}]),
    (None, None),
]


@pytest.mark.parametrize(("content", "expected"), CONTENTS)
def test_parts(content, expected):
    """A last part of text is lengthened; after another one comes one of text."""
    body = {"messages": [{"role": "user", "content": content}]}
    got = json.loads(edits.append(json.dumps(body).encode(), TEXT))

    assert got["messages"][0]["content"] == expected


def test_items_have_types_of_their_own():
    """In /v1/responses a part of text is called `input_text`."""
    body = {"input": [{"role": "user", "content": [{"type": "input_image"}]}]}
    got = json.loads(edits.append(json.dumps(body).encode(), TEXT))

    assert got["input"][0]["content"][-1] == {"type": "input_text", "text": TEXT}


def test_section_before_the_last_answer():
    """In a flattened prompt the newest user section may have an answer after it."""
    prompt = "### User:\nu\n\n### Assistant:\nbegun"
    got = json.loads(edits.append(json.dumps({"prompt": prompt}).encode(), TEXT))

    assert got["prompt"] == f"### User:\nu\n\n{TEXT}\n\n### Assistant:\nbegun"


def test_nobody_to_speak_for():
    """Without a message of the user's nothing is said."""
    raw = b'{"messages":[{"role":"assistant","content":"a"}]}'

    assert edits.append(raw, TEXT) == raw


# Warming

OPTIONS = [
    ({}, {"temperature": 1.2}),
    ({"options": None}, {"temperature": 1.2}),
    ({"options": {}}, {"temperature": 1.2}),
    ({"options": {"temperature": 0}}, {"temperature": 0.4}),
    ({"options": {"temperature": None}}, {"temperature": 1.2}),
    ({"options": {"temperature": 1.1}}, {"temperature": 1.2}),
    ({"options": {"temperature": 1.9}}, {"temperature": 1.9}),
    ({"options": {"temperature": "hot"}}, {"temperature": "hot"}),
    ({"options": {"seed": 1, "temperature": 2}}, {"seed": 42, "temperature": 2}),
    ({"options": {"num_ctx": 9}}, {"num_ctx": 9, "temperature": 1.2}),
    ({"options": 5}, 5),
]


@pytest.mark.parametrize(("body", "expected"), OPTIONS)
def test_options(body, expected):
    """
    The temperature rises, never over its limit, and never falls; nothing else but a
    pinned seed is changed.
    """
    raw = json.dumps(body).encode()
    got = json.loads(edits.warm(raw, SETTINGS, native=True, seed=42))

    assert got["options"] == expected


def test_all_at_once():
    """Rungs that are in force together leave a body that can be read."""
    for _, write in DIALECTS.values():
        body = write([TASK, *[READ] * 5])
        raw = json.dumps(body).encode()
        loop = loop_of(body)
        got = edits.apply_mitigation(
            raw, loop, set(LoopRung), SETTINGS, native=False, seed=1
        )
        assert json.loads(got)["temperature"] == 1.2
        assert acts(json.loads(got)) == [("read_file",)]
        assert b"`read_file` 5 times" in got


# Reading streams


def spoken(data, size):
    """Return the text of a stream that comes in pieces of a size."""
    transcript = Transcript()
    said: dict[str, str] = {}
    for start in range(0, len(data), size):
        for channel, text in transcript.feed(data[start : start + size]):
            said[channel] = said.get(channel, "") + text
    return said, transcript


def lines(*values):
    """Return lines of JSON."""
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def events(*values):
    """Server-sent events."""
    return b"".join(b"data: " + json.dumps(v).encode() + b"\n\n" for v in values)


STREAMS = [
    (lines({"message": {"content": "a", "thinking": "t"}}, {"message": {"content": "b"}}, {"done": True}), {"answer": "ab", "thoughts": "t"}, True),
    (lines({"response": "a"}, {"response": "b", "done": False}), {"answer": "ab"}, False),
    (lines({"error": "x"}), {}, True),
    (events({"choices": [{"delta": {"content": "a"}}]}, {"choices": [{"delta": {"content": "b", "reasoning": "t"}}]}) + b"data: [DONE]\n\n", {"answer 0": "ab", "thoughts 0": "t"}, True),
    (events({"choices": [{"index": 1, "text": "a"}]}), {"answer 1": "a"}, False),
    (b"event: content_block_delta\n" + events({"type": "content_block_delta", "delta": {"type": "text_delta", "text": "a"}}, {"type": "message_stop"}), {"answer": "a"}, True),
    (events({"type": "response.output_text.delta", "delta": "a"}, {"type": "response.function_call_arguments.delta", "delta": "b"}), {"response.output_text.delta": "a"}, False),
    (b"\xff\xfe\n[1]\n{broken\n" + lines({"message": 5}, {"choices": 5}, {"delta": 5}), {}, False),
    (lines({"response": "a"}) + b'{"response":}\n' + lines({"response": "b"}), {"answer": "ab"}, False),
    (b'{"response":"' + b"x" * LINE_BYTES_MAX + b'"}\n' + lines({"response": "a"}), {"answer": "a"}, False),
]  # fmt: skip


@pytest.mark.parametrize(("data", "expected", "finished"), STREAMS, ids=range(10))
def test_streams(data, expected, finished):
    """
    The answer's text is read on every route, in whatever pieces it comes; tool calls
    and nonsense are passed over.
    """
    for size in (7, 4096, len(data)):
        if size == 7 and len(data) > LINE_BYTES_MAX:
            continue
        said, transcript = spoken(data, size)
        assert said == expected
        assert transcript.finished == finished
        assert transcript.at_seam


def test_seams():
    """Within a line or an event nothing may be put in."""
    seams = []
    transcript = Transcript()
    for piece in (b'{"a":', b"1}\n", b"event: x\n", b"data: {}\n", b"\n"):
        list(transcript.feed(piece))
        seams.append(transcript.at_seam)

    assert seams == [False, True, False, False, True]


# Ending

ROUTES = ["/api/chat", "/api/generate", "/v1/chat/completions", "/v1/messages"]


@pytest.mark.parametrize("path", ROUTES)
def test_answers_of_our_own_are_complete(path):
    """A message in place of an answer is a stream that ends as the protocol wants it."""
    asked = {"model": "m", "stream": True}
    answer = own_answers.answer(path, asked, "why", enveloped=False)
    assert answer is not None
    kind, body = answer
    said, transcript = spoken(body, 10_000)

    assert set(said.values()) == {"why"}
    assert transcript.finished
    assert kind == (own_answers.NDJSON if path.startswith("/api") else own_answers.SSE)


@pytest.mark.parametrize("path", ROUTES)
def test_whole_answers_of_our_own(path):
    """The same in one piece of JSON, for those who do not stream."""
    asked = {"model": "m", "stream": False}
    answer = own_answers.answer(path, asked, "why", enveloped=False)
    assert answer is not None
    kind, body = answer

    assert kind == "application/json"
    assert json.loads(body)["model"] == "m"
    assert b'"why"' in body


def test_no_answer_of_our_own():
    """If there is no such message, the error stands."""
    assert own_answers.answer("/v1/responses", {}, "why", enveloped=False) is None


def test_speech_that_repeats():
    """Announcements are left out with the nudges that followed them."""
    speech = Say("I will now look at the README and then put all of it in order.")
    body = DIALECTS["openai"][1]([TASK, *[speech, User("Go on.")] * 4])
    got = json.loads(edits.leave_out(json.dumps(body).encode(), loop_of(body)))

    said = [m["content"] for m in got["messages"][1:]]
    assert said == ["Do it.", speech.text, "Go on."]
