from __future__ import annotations

import json
import sys

import pytest

from festinger.config import LoopRule, LoopSettings
from festinger.shim.loops import dialects, rules
from festinger.shim.loops.turns import normalised, similarity, turns_of, words_of
from festinger.shim.recollection.agent_zero import CallNotation as Notation
from tests.shim.conftest import BLOCK, SAMPLES, load
from tests.shim.loops.talks import DIALECTS, Do, Say, Script, User, ollama

SETTINGS = LoopSettings()
TASK = User("Do it.")


def turns(body):
    """Return the turns of a request, the newest first."""
    polling = frozenset(SETTINGS.polling_tools)
    return turns_of(dialects.read(body), polling, SETTINGS.speech_characters)


def newest(said, heard=None):
    """Return the newest turn of a chat in which somebody said something."""
    heard = heard or {"role": "tool", "content": "ok"}
    return turns({"messages": [{"role": "assistant", **said}, heard]})[0]


def spoken(text):
    """Return the act of a text."""
    return newest({"content": text}).act


# Real requests

ROUNDTRIPS = [
    "litellm.ollama.tool_roundtrip.json",
    "litellm.ollama_chat.tool_roundtrip.json",
    "litellm.openai.tool_roundtrip.json",
    "ollama-python.chat_tool_roundtrip.2.json",
    "v1.79.3/litellm.ollama.tool_roundtrip.json",
    "v1.79.3/litellm.openai.tool_roundtrip.json",
]


@pytest.mark.parametrize("name", ROUNDTRIPS)
def test_captured_calls(name):
    """
    The same call, as real clients sent it in six ways, is the same act with the
    same outcome.
    """
    if not SAMPLES.exists():
        pytest.skip("NO SAMPLES: ../shared/samples is not there")
    (turn,) = turns(json.loads(load(SAMPLES / name)["raw"]))

    assert turn.act.text == 'get_weather {"city": "Oslo"}'
    assert turn.outcome.text == "tool: sunny"


def test_captured_agent_zero():
    """
    Of Agent Zero's turns the tool and its arguments count, not the thoughts, nor what
    hangs on the last message.
    """
    if not SAMPLES.exists():
        pytest.skip("NO SAMPLES: ../shared/samples is not there")
    raw = load(SAMPLES / "agent-zero" / "turn3.json")["raw"]
    last, first = turns(json.loads(raw))

    assert [t.act.names for t in (first, last)] == [("code_execution_tool",)] * 2
    assert "ls gnommoweb" in first.act.text
    assert "thoughts" not in first.act.text
    assert first.outcome.text == "tool: README.md\nDockerfile"
    assert last.outcome.text == "tool: Gnommoweb is a container of Glitch University"


# What is an act

ZERO = '{"thoughts": ["%s"], "tool_name": "t", "tool_args": {"a": 1}}'

SAME_ACTS = [
    (ZERO % "one", ZERO % "two"),
    (ZERO % "one", "```json\n" + ZERO % "one" + "\n```"),
    (ZERO % "one", "I will call it now.\n" + ZERO % "two"),
    ("<think>So.</think> Now I am going to read the file, all of it.", "<think>Well.</think> Now I am going to read the file, all of it."),
    ("Now I am going to read the file,\n\nall of it.", "Now I am going  to read the file, all of it."),
    ("Now I am going to read the file, all of it.", f"{BLOCK}\n\nNow I am going to read the file, all of it."),
    ("At 2026-11-21 20:12:33 I read the whole of the file again.", "At 2026-11-21 20:13:07 I read the whole of the file again."),
]  # fmt: skip

OTHER_ACTS = [
    (ZERO % "one", (ZERO % "one").replace("1", "2")),
    (ZERO % "one", (ZERO % "one").replace('"t"', '"u"')),
    ("Now I am going to read file 1, all of it, again.", "Now I am going to read file 2, all of it, again."),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), SAME_ACTS)
def test_same_acts(one, other):
    """Thoughts, fences, spaces, our own blocks and the time make no difference."""
    assert spoken(one).key == spoken(other).key != ""


@pytest.mark.parametrize(("one", "other"), OTHER_ACTS)
def test_other_acts(one, other):
    """Names, arguments and numbers do."""
    assert spoken(one).key != spoken(other).key


def test_short_speech_is_no_act():
    """A word or two are never a repetition."""
    assert spoken("Done.").key == ""


def test_length_of_speech_is_a_setting():
    """A lower setting has short answers met as well."""
    messages = [
        {"role": "assistant", "content": "Still working on it."},
        {"role": "user", "content": "Go on."},
    ]
    talk = dialects.read({"messages": messages})

    usual, (turn,) = (
        turns_of(talk, (), SETTINGS.speech_characters),
        turns_of(talk, (), 10),
    )

    assert (usual[0].act.key, bool(turn.act.key)) == ("", True)


def test_response_is_speech():
    """A text of Agent Zero to its user is no call."""
    text = "It is done, and the README is in order as it should be."
    said = {"tool_name": "response", "tool_args": {"text": text}}

    assert spoken(json.dumps(said)).names == ()
    assert spoken(json.dumps(said)).text == text


def test_identical_calls_count_once():
    """The same call several times in one turn is one call."""
    call = {"function": {"name": "f", "arguments": {"a": 1}}}
    once, twice = (newest({"tool_calls": [call] * n}).act for n in (1, 2))

    assert once.key == twice.key


def test_old_function_call():
    """Arguments that are no JSON are compared as they are."""
    call = {"function": {"name": "f", "arguments": "{broken"}}

    assert newest({"tool_calls": [call]}).act.text == 'f "{broken"'


POLLS = [
    ("wait", {}),
    ("Wait", {"seconds": 1}),
    ("code_execution_tool", {"runtime": "output", "session": 0}),
    ("shell", {"code": "sleep 10; make check"}),
    ("python", {"code": "time.sleep(5)\nprint(state())"}),
]
WORKS = [
    ("shell", {"code": "make sleepers"}),
    ("code_execution_tool", {"runtime": "terminal"}),
    ("waiter", {}),
]


@pytest.mark.parametrize(("name", "arguments"), [*POLLS, *WORKS])
def test_polling(name, arguments):
    """Named tools, and calls that sleep, may be made again and again."""
    call = {"function": {"name": name, "arguments": arguments}}

    assert newest({"tool_calls": [call]}).act.polls == ((name, arguments) in POLLS)


# What is an outcome

FAILED = [
    "Error: x",
    "  error executing the tool",
    "Traceback (most recent call last):\n  File",
    "bash: zork: command not found",
    "cat: x: No such file or directory",
    "x\n" * 900 + "ValueError: bad",
    "process exited with code 2",
    '{"error": "denied"}',
]
WORKED = [
    "ok",
    "0 errors, 0 warnings",
    '{"error": null, "rows": 3}',
    '{"is_error": false}',
    "exit code 0",
    "The page is about error handling.",
]


@pytest.mark.parametrize("text", [*FAILED, *WORKED])
def test_failures(text):
    """Failures are told from results that only mention them."""
    heard = {"role": "tool", "content": text}

    assert newest({"content": "x"}, heard).outcome.failed == (text in FAILED)


def test_failure_by_the_protocol():
    """A result that is marked as an error is one, whatever it says."""
    result = {"type": "tool_result", "content": "no", "is_error": True}
    heard = {"role": "user", "content": [result]}

    assert newest({"content": "x"}, heard).outcome.failed


def test_warning_is_a_failure():
    """Agent Zero warns of what it cannot read, and of repetition."""
    heard = {"role": "user", "content": '{"system_warning": "You said that already."}'}

    assert newest({"content": "x"}, heard).outcome.failed
    assert not newest({"content": "x"}, heard).outcome.by_user


def test_images_are_results():
    """Two screenshots that differ are two results."""
    outcomes = [
        newest(
            {"content": "x"},
            {
                "role": "user",
                "content": [{"type": "image_url", "image_url": {"url": url}}],
            },
        ).outcome
        for url in ("data:a", "data:a", "data:b")
    ]

    assert outcomes[0].same(outcomes[1])
    assert not outcomes[0].same(outcomes[2])


ALIKE = [
    ("built in 1.24s", "built in 0.98s"),
    ("at 2026-11-21T20:12:33.123Z", "at 2026-11-21T20:12:34.001Z"),
    ("object at 0x7f02c28a6200", "object at 0x7f02c28a6300"),
    ("id 123e4567-e89b-12d3-a456-426614174000", "id 223e4567-e89b-12d3-a456-426614174000"),
    ("took 12 ms", "took 7 ms"),
]  # fmt: skip
UNLIKE = [
    ("3 failed", "2 failed"),
    ("pod 12s", "pod 27s"),
    ("page 1.5", "page 1.6"),
    ("2026-11-21", "2026-11-22"),
    ("port 8080", "port 8081"),
]


@pytest.mark.parametrize(("one", "other"), [*ALIKE, *UNLIKE])
def test_what_changes_by_itself(one, other):
    """Times, durations and addresses do; counts, ages and days are news."""
    assert (normalised(one) == normalised(other)) == ((one, other) in ALIKE)


def test_numbers_are_news():
    """Texts of the same words with another number are not alike."""
    words = "one two three four five six seven eight nine ten eleven "
    texts = [words_of(words + more) for more in ("a", "b", "7", "8")]

    assert similarity(texts[0], texts[1]) == 11 / 13
    assert similarity(texts[2], texts[3]) == 0


# The wire


def test_a_begun_answer_is_no_turn():
    """The assistant's last message may be one that the client wants continued."""
    body = {"messages": [{"role": "user", "content": "u"}, {"role": "assistant"}]}

    assert turns(body) == []


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"messages": None},
        {"messages": [1, None, {"role": 1}, {"role": "user"}, {}]},
        {"messages": [{"role": "assistant", "tool_calls": [1, {"function": 2}]}] * 2},
        {"input": "text"},
        {"prompt": "plain"},
        {"messages": [{"role": "assistant", "content": [1]}, {"role": "user"}]},
    ],
)
def test_odd_bodies(body):
    """A request that no client sends is read without an error."""
    assert rules.find(turns(body), SETTINGS) is None


def test_system_messages_are_not_in_turn():
    """A system message that a client hangs on the end is no result."""
    script = [TASK, *[Do("f", {}, "r")] * 3]
    body = ollama(script)
    body["messages"].append({"role": "system", "content": "It is 20:12:33."})

    loop = rules.find(turns(body), SETTINGS)
    assert loop is not None
    assert loop.rule is LoopRule.REPEAT


def test_notation_is_known():
    """Whoever calls in Agent Zero's way reads it as well."""
    body = DIALECTS["agent_zero"][1]([TASK, Do("f", {}, "r")])

    assert turns(body)[0].said.notation is Notation.AGENT_ZERO


# What it costs


def steps(script, dialect):
    """Return the number of functions called to look for a loop."""
    body = DIALECTS[dialect][1](script)
    count = 0

    def note(frame, event, argument):
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(note)
    try:
        rules.find(turns(body), SETTINGS)
    finally:
        sys.setprofile(None)
    return count


def looped(count):
    """Return the same turn, over and over."""
    return [TASK, *[Do("f", {"a": 1}, "the result " * 20)] * count]


def worked(count):
    """Turns that differ."""
    return [TASK, *(Do("f", {"a": n}, f"the result {n}") for n in range(count))]


def rounds(count):
    """Return two turns in turn."""
    pair = [Do("f", {}, "r"), Do("g", {}, "s")]
    return [TASK, *(pair * count)[:count]]


def said(count):
    """Announcement that are almost the same."""
    script: Script = [TASK]
    for n in range(count):
        script += [Say(f"I am sorry for that, I will now look at it again {n}."), TASK]
    return script


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("make", [looped, worked, rounds, said])
def test_work_grows_with_the_history_and_not_faster(make, dialect):
    """Twice the history costs at most twice the steps."""
    small, large = steps(make(200), dialect), steps(make(400), dialect)

    assert large <= 2.1 * small


@pytest.mark.parametrize("dialect", ["ollama", "openai", "anthropic"])
def test_ordinary_turns_are_hardly_looked_at(dialect):
    """If the newest act differs from those before it, old ones are not opened."""
    few, many = steps(worked(20), dialect), steps(worked(90), dialect)

    assert (many - few) / 70 < 40


def test_huge_results_are_compared_as_they_are():
    """A result of megabytes is not searched for times."""
    huge = "2026-11-21 20:12:33 x " * 50_000
    body = ollama([TASK, *[Do("f", {}, huge)] * 3])
    other = ollama([TASK, *(Do("f", {}, f"{huge}{n}") for n in range(3))])

    assert rules.find(turns(body), SETTINGS) is not None
    assert rules.find(turns(other), SETTINGS) is None
