from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.config import RetoldSettings
from festinger.shim.recollection import agent_zero, client_summaries
from festinger.shim.recollection.client_summaries import KNOWN, ClientTextPrefixes
from festinger.shim.recollection.segments import (
    ParsedPrompt,
    SegmentRole,
    SystemTextCreation,
    make_segment,
)
from festinger.shim.recollection.sessions import Sessions
from festinger.shim.wire import ROUTES, ForwardUnchanged
from festinger.shim.wire import generate as generate_wire
from tests.shim.conftest import chat, load, samples
from tests.shim.recollection.test_segments import BOB, CALL, EXTRAS, envelope, result

FACT = "gnommoweb is a repo of Glitch University."

# The first words of each client's message, with what it goes on with.
SUMMARIES = [
    "This session is being continued from a previous conversation that ran out of "
    f"context. The summary below covers the earlier portion.\n\nSummary:\n1. {FACT}",
    "Another language model started to solve this problem and produced a summary of "
    f"its thinking process. You also have access to its tools.\n{FACT}",
    f"Here is a summary of the conversation to date:\n\n{FACT}",
    f"[Transcript: /tmp/1.json]\nHere is a summary of the conversation to date:\n{FACT}",
    f"I spoke to you previously about a number of things.\nI said that {FACT}",
]

ERRANDS = [
    "### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat "
    f"history.\n### Chat History:\n<chat_history>\nUSER: {FACT}\n</chat_history>",
    "### Task:\nGenerate 1-3 broad tags categorizing the main themes of the chat "
    f"history.\n### Chat History:\n<chat_history>\nUSER: {FACT}\n</chat_history>",
    "### Task:\nYou are an autocompletion system. Continue the text in `<text>`.\n"
    f"### Context:\n<chat_history>\n</chat_history>\n<text>{FACT}</text>",
    f'Query: History:\nUSER: """{FACT}"""\nQuery: {FACT}',
    "Your task is to reflect the speaker's likely facial expression through a fitting "
    f"emoji.\n\nMessage: ```{FACT}```",
    "Your task is to create a detailed summary of the conversation so far, paying close "
    f"attention to the user's explicit requests. {FACT}",
    "CRITICAL: Respond with TEXT ONLY.\n\nYour task is to create a detailed summary of "
    f"the conversation so far. {FACT}",
    '<explicit_instructions type="summarize_task">\nThe current conversation is rapidly '
    f"running out of context. {FACT}",
    "You are performing a CONTEXT CHECKPOINT COMPACTION. Create a handoff summary for "
    f"another LLM. {FACT}",
]

SYSTEMS = [
    "# AI role\nYou are AI summarization assistant\nYou are provided with a "
    "conversation history",
    "# AI role\n- You are a chat naming assistant\n- Your role is to suggest a name",
    "# AI role\n- You are an AI assistant being part of a larger RAG system based on",
    "# AI's job\n1. The AI receives a MESSAGE from USER and short conversation HISTORY",
    "# AI's job\n1. The AI receives enumerated list of MEMORIES, a MESSAGE from USER",
    "# Assistant's job\n1. The assistant receives a HISTORY of conversation",
    "# Assistant's job\n1. The assistant receives a markdown ruleset of AGENT's",
    "# Memory Consolidation Analysis System\n\nYou are an intelligent memory",
    "# Memory Keyword Extraction System\n\nYou are a specialized keyword extraction",
    "# Provide a JSON summary of given messages\n- From the messages you are given",
    "You are a title generator. You output ONLY a thread title. Nothing else.",
    "You are a helpful AI assistant tasked with summarizing conversations.",
    "Analyze if this message indicates a new conversation topic. If it does, extract",
    "*Briefly* summarize this partial conversation about programming.",
]

# What people write, with the same words in it.
OWN = [
    FACT,
    f"Summary: {FACT}",
    f"Write a summary. {FACT}",
    f"Here is a summary of gnommoweb: {FACT}",
    f"### Task:\nFix the build. {FACT}",
    f"Our <chat_history> tag is broken. {FACT}",
    f"Why does it say 'This session is being continued from a previous conversation'? {FACT}",
    f"I spoke to you previously about a number of things. {FACT}",
    f"Generate a title for my page. {FACT}",
    f"Query: what is dobby? {FACT}",
    f"The conversation history says so: {FACT}",
    "x" * 400 + f"\nHere is a summary of the conversation to date: {FACT}",
]


def said(
    *texts: str, system: str = "", words: ClientTextPrefixes = KNOWN
) -> list[bool]:
    """Return which of these segments, user and assistant in turn, are retold."""
    roles = [SegmentRole.USER, SegmentRole.ASSISTANT]
    segments = [make_segment(SegmentRole.SYSTEM, system)] if system else []
    segments += [make_segment(roles[i % 2], text) for i, text in enumerate(texts)]
    marked = client_summaries.mark(
        ParsedPrompt("m", tuple(segments), SystemTextCreation()), words
    )
    return [s.by_client for s in marked.segments if s.role is not SegmentRole.SYSTEM]


def flattened(*sections: tuple[str, str]) -> list[tuple[str, str, bool]]:
    """Roles, texts and marks of a flattened prompt's segments that say something."""
    prompt = "".join(f"### {role}:\n{text}\n\n" for role, text in sections)
    marked = client_summaries.mark(
        generate_wire.read({"model": "m", "prompt": prompt}), KNOWN
    )
    return [(s.role.value, s.text, s.by_client) for s in marked.segments if s.text]


@pytest.mark.parametrize("text", SUMMARIES + ERRANDS)
def test_clients_own_message_is_retold(text):
    """A summary or an errand is known by its first words; the user's words are not it."""
    assert said(text, "Ok.", FACT) == [True, False, False]


@pytest.mark.parametrize("text", SUMMARIES)
def test_summary_in_the_assistants_role_is_retold(text):
    """A summary is one whoever speaks it."""
    assert said("Hello.", text) == [False, True]


@pytest.mark.parametrize("text", ERRANDS)
def test_assistants_do_not_ask_errands(text):
    """An assistant that repeats an errand's words is an assistant."""
    assert said("Hello.", text) == [False, False]


@pytest.mark.parametrize("system", SYSTEMS)
def test_nothing_of_an_errand_is_the_users(system):
    """If the system text is a utility call's, nothing in the request teaches."""
    assert said(FACT, "Ok.", FACT, system=system) == [True, True, True]


@pytest.mark.parametrize("text", OWN)
def test_users_words_are_the_users(text):
    """A user who speaks of summaries, titles and tasks still teaches."""
    assert said(text, system="You are a helpful assistant.") == [False]


@given(st.lists(st.text(max_size=300), min_size=1, max_size=6), st.text(max_size=300))
def test_no_generated_conversation_is_retold(texts, system):
    """Only a client's own words mark anything."""
    assert not any(said(*texts, system=system))


@given(st.text(max_size=200), st.sampled_from(SUMMARIES + ERRANDS))
def test_what_follows_the_words_does_not_matter(more, begun):
    """A summary is one whatever it says."""
    assert said(begun + more) == [True]


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.stem)
def test_samples_are_the_users(sample):
    """In what real clients sent, nothing is taken for retold."""
    captured = load(sample)
    if captured["path"] not in ROUTES:
        return
    try:
        prompt = ROUTES[captured["path"]](json.loads(captured["raw"]))
    except ForwardUnchanged:
        return
    assert not any(s.by_client for s in client_summaries.mark(prompt, KNOWN).segments)


# Agent Zero

SUMMARY = f"The user said that {FACT} The agent read it."

LAYOUTS: list[tuple[list[tuple[str, str]], list[tuple[str, str, bool]]]] = [
    # A summary of earlier topics is bare, and merged with the message after it,
    (
        [("User", f"{SUMMARY}\n{envelope('u')}{EXTRAS}")],
        [("user", SUMMARY, True), ("user", "u", False)],
    ),
    # or with another summary.
    (
        [("User", f"{SUMMARY}\n{SUMMARY}\n{envelope('u')}")],
        [("user", f"{SUMMARY}\n{SUMMARY}", True), ("user", "u", False)],
    ),
    (
        [("User", SUMMARY), ("Assistant", "a"), ("User", envelope("u"))],
        [("user", SUMMARY, True), ("assistant", "a", False), ("user", "u", False)],
    ),
    # Within a topic it has an envelope of its own.
    (
        [("User", f'{envelope("u")}\n{{"messages_summary": "{SUMMARY}"}}')],
        [("user", "u", False), ("system", SUMMARY, False)],
    ),
    # After an envelope bare text may be the user's.
    (
        [("User", f"{envelope('u')}\nbare")],
        [("user", "u", False), ("user", "bare", False)],
    ),
    # Without envelopes everything may be.
    ([("User", SUMMARY)], [("user", SUMMARY, False)]),
    ([("User", 'a\n{"tool_name": 1}')], [("user", 'a\n{"tool_name": 1}', False)]),
    (
        [("User", 'a\n{"tool_name": 1}\n{"user_message": "u"}')],
        [("user", 'a\n{"tool_name": 1}', True), ("user", "u", False)],
    ),
    ([("User", f"a\n{result('r')}")], [("user", "a", False), ("tool", "r", False)]),
    # A call's result cannot put on an envelope behind its first line.
    (
        [("Assistant", CALL), ("User", f"r\n{envelope(FACT)}")],
        [("tool", f"r\n{envelope(FACT)}", False)],
    ),
]


@pytest.mark.parametrize(("sections", "expected"), LAYOUTS)
def test_agent_zeros_summaries(sections, expected):
    """A text that stands bare before Agent Zero's envelopes is a summary."""
    assert flattened(*sections) == expected


@given(st.lists(st.sampled_from('[]{}\n"uae: \\'), max_size=60).map("".join))
def test_seams_lose_nothing(text):
    """A message is split into all of its text, whatever it looks like."""
    sections = flattened(("User", f"a{text}\n{envelope('u')}"))

    assert sections[-1] == ("user", "u", False)
    assert [t for _, t, _ in sections[:-1]] == [f"a{text}".strip()]


def test_many_seams_take_few_steps(monkeypatch):
    """However many lines look like an envelope, a hundred are opened."""
    opened: list[int] = []
    reading = agent_zero.decoded

    def counting(text: str, start: int) -> tuple[object, int]:
        opened.append(start)
        return reading(text, start)

    monkeypatch.setattr(agent_zero, "decoded", counting)
    list(agent_zero.open_message('a\n{"tool_name": [' * 10_000, seams=True))

    assert len(opened) == agent_zero.ENVELOPES_MAX


# Settings


def test_operators_words():
    """Further words are looked for beside the known ones."""
    settings = RetoldSettings(
        summaries=("Bisher geschah:",), errands=("Titel bitte:",), systems=("Du kürzt",)
    )
    words = ClientTextPrefixes.of(settings)

    assert said("Bisher geschah: x", words=words) == [True]
    assert said("Titel bitte: x", words=words) == [True]
    assert said("x", system="Du kürzt Gespräche.", words=words) == [True]
    assert said(SUMMARIES[0], words=words) == [True]
    assert said("Bisher geschah: x") == [False]


def test_known_words_can_be_done_without():
    """An operator can switch the known words off."""
    words = ClientTextPrefixes.of(RetoldSettings(known=False))

    assert said(SUMMARIES[0], words=words) == [False]
    assert said(FACT, system=SYSTEMS[0], words=words) == [False]


def test_empty_words_mark_nothing():
    """An empty phrase, with which everything begins, is none."""
    assert said(FACT, words=ClientTextPrefixes.of(RetoldSettings(summaries=("",)))) == [
        False
    ]


# Conversations


def test_summary_keeps_the_session():
    """One message that was kept beside a summary is enough to know the conversation."""
    sessions = Sessions(sessions_max=9, idle_seconds=100)

    def find(*texts: str) -> str:
        roles = [SegmentRole.USER, SegmentRole.ASSISTANT]
        segments = [make_segment(roles[i % 2], text) for i, text in enumerate(texts)]
        prompt = client_summaries.mark(
            ParsedPrompt("m", tuple(segments), SystemTextCreation()), KNOWN
        )
        session = sessions.find(BOB, prompt, None)
        session.see([s for s in prompt.segments if not s.by_client])
        return session.id

    first = find("one", "two", "three")
    other = find("six", "seven", "nine")

    assert find(SUMMARIES[0], "Ok.", "three", "four", "five") == first
    assert find(SUMMARIES[1], "Ok.", "eight") not in {first, other}
    assert find("no summary", "Ok.", "nine", "no", "more") != other


async def post(http, shim, body, **headers):
    """Send a prompt."""
    answer = await http.post(f"{shim.url}/api/chat", json=body, headers=headers)
    assert answer.status == 200


def taught(memory):
    """Roles and texts of what the memory was to learn from in all requests."""
    return [
        (memory_role(turn), turn.text)
        for request in memory.recollects
        for turn in request.turns
        if not turn.seen
    ]


def memory_role(turn):
    """Return the speaker of a turn."""
    name = type(turn).Role.Name(turn.role)
    return name.removeprefix("ROLE_").lower()


@pytest.mark.parametrize("summary", SUMMARIES)
async def test_compaction_counts_nothing_twice(http, shim, memory, summary):
    """After a compaction only what the user says then is new."""
    await post(http, shim, chat(FACT, "Noted.", "And dobby?", system="s"))
    compacted = chat(summary, "Ok.", "And dobby?", "A worker.", "Thanks!", system="s")
    await post(http, shim, compacted)
    await post(http, shim, compacted)

    texts = [text for role, text in taught(memory) if role == "user"]
    assert texts == [FACT, "And dobby?", "Thanks!"]


@pytest.mark.parametrize("system", SYSTEMS)
async def test_utility_call_before_the_message(http, shim, memory, system):
    """A client that asks for a title first does not keep the message from teaching."""
    named = {"X-Festinger-Session": "one"}
    await post(http, shim, chat(FACT, system=system), **named)
    await post(http, shim, chat(FACT, system="You are helpful."), **named)

    assert [it for it in taught(memory) if it[0] != "system"] == [("user", FACT)]
    # The server does not remember the first one as read, either.
    first, second = memory.recollects
    assert first.turns[-1].text == second.turns[-1].text == FACT
    assert not first.turns[-1].digest
    assert second.turns[-1].digest


@pytest.mark.parametrize("errand", ERRANDS)
async def test_errands_teach_nothing(http, shim, memory, errand):
    """An errand is looked up as the framework's own text, and is no question of the user's."""
    await post(http, shim, chat(errand))

    assert taught(memory) == []
    assert memory.turns == [("system", errand, True)]


async def test_words_change_with_the_configuration(http, shim, memory):
    """A changed phrase is looked for from the next request on."""
    settings = RetoldSettings(summaries=("So far:",))
    shim.apply(shim._settings.model_copy(update={"retold": settings}))
    await post(http, shim, chat("So far: x"))

    assert taught(memory) == []
