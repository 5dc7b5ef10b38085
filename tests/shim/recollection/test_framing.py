from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.shim.recollection import client_summaries, framing
from festinger.shim.recollection.segments import ParsedPrompt, SegmentRole
from festinger.shim.wire import ROUTES
from tests.shim.conftest import POSITIONS, chat
from tests.shim.recollection.test_sticky import FACT, block, line

SAID = "gnommoweb runs on host berta since Monday."
PAGE = (
    "The tariff server moved to Falkenstein in May. Backups are kept for ninety days."
)

# What clients make of what the user wrote; documents may hold the clients' own words.
FRAMED = [
    f"<task>\n{SAID}\n</task>\n\n<environment_details>\n{PAGE}\n</environment_details>",
    f"<system-reminder>\n{PAGE}\n</system-reminder>\n{SAID}",
    f"{SAID}\n<system-reminder>\n{PAGE}\n</system-reminder>",
    f"{SAID}\n<system-reminder>\n{PAGE}",
    f'<user_message>\n{SAID}\n</user_message>\n<file_content path="a">\n{PAGE}\n'
    "</file_content>",
    f"<additional_data>\n{PAGE}\n</additional_data>\n<user_query>\n{SAID}\n</user_query>",
    f"<context>\n{PAGE}\n</context>\n\n{SAID}",
    f"{SAID}\n\nContext:\n[CONTEXT 0]:\n{PAGE}\n[END CONTEXT 0]",
    f"{SAID}\n\nContext information is below, surrounded by ---\n\n---\n{PAGE}\n---\n",
    f"Use the following pieces of context to answer the question at the end.\n\n{PAGE}\n"
    f"Question: was this asked?\n{PAGE}\n\nQuestion: {SAID}\nHelpful Answer:",
    f"Answer the question based only on the following context:\n{PAGE}\n\n"
    f"Question: {SAID}",
    f"You are an assistant for question-answering tasks. Use what follows.\n"
    f"Question: {SAID}\nContext: {PAGE}\nQuestion: was this asked?\nAnswer:",
    f"Context information is below.\n-----\n{PAGE}\n-----\nGiven the context information "
    f"and not prior knowledge, answer the query.\nQuery: {SAID}\nAnswer: ",
    "Use the following context as your learned knowledge, inside <context></context> XML "
    f"tags.\n<context>\n{PAGE}\n</context>\n\nWhen answer to user:\n- Say so.\nQuery: {SAID}",
    "Answer the following questions as best you can. You have access to these tools:\n\n"
    f"search: {PAGE}\n\nBegin!\n\nQuestion: {SAID}\nThought: I look.\nObservation: {PAGE}",
    f"\nCurrent Task: {SAID}\n\nThis is the expected criteria for your final answer: "
    f"{PAGE}\n\nBegin! This is VERY important to you\n\nThought:",
    f"[execute_command for 'cat x'] Result:\n{PAGE}\n<feedback>\n{SAID}\n</feedback>",
]

UNSAID = [
    f"[read_file for 'README.md'] Result:\n{PAGE}",
    "I have *added these files to the chat* so you can go ahead and edit them.\n\n"
    f"README.md\n{PAGE}",
]

WHOLE = [
    SAID,
    f"Our <context> tag is broken. {SAID}",
    f"Answer the question based only on what I said. {SAID}",
    f"Context: {SAID}",
    f"[sic] Result: {SAID}",
    f"Question: {SAID}",
]


def said(text: str) -> list[str]:
    """Return the user's text of a message."""
    prompt = read(text)
    return [
        it.text
        for it in prompt.segments
        if it.role is SegmentRole.USER and not it.by_client
    ]


def read(text: str) -> ParsedPrompt:
    """Return a prompt of one message."""
    return client_summaries.mark(
        ROUTES["/api/chat"](chat(text)), client_summaries.KNOWN
    )


@pytest.mark.parametrize("text", FRAMED)
def test_what_clients_add_is_not_the_users(text):
    """Documents and notes are a tool's, and only the user's words are the user's."""
    own = " ".join(said(text))

    assert SAID in own
    assert "Falkenstein" not in own
    assert "was this asked" not in own
    assert "answer" not in own.lower()


@pytest.mark.parametrize("text", UNSAID)
def test_results_and_files_are_not_the_users(text):
    """Nothing of a message that holds only what a tool brought is the user's."""
    assert said(text) == []


@pytest.mark.parametrize("text", WHOLE)
def test_what_people_write_stays_theirs(text):
    """The same words in a sentence of the user's change nothing."""
    assert said(text) == [text]


def test_an_errand_is_the_clients_with_all_that_it_quotes():
    """A title for a conversation with a document teaches nothing, the document included."""
    text = (
        "Provide a concise, 5-word-or-less title for the conversation, using title case "
        f"conventions.\n\nConversation:\nUser: {SAID}\n<context>\n{PAGE}\n</context>\n{SAID}"
    )

    assert all(it.by_client for it in read(text).segments)


@given(st.lists(st.sampled_from([*FRAMED, *UNSAID, *WHOLE, "\n", " "]), max_size=4))
def test_parts_follow_each_other(pieces):
    """However they are put together, parts are within the message, in order and not empty."""
    text = "\n".join(pieces)
    position = 0
    for part in framing.parts(text):
        assert position <= part.start < part.end <= len(text)
        assert text[part.start : part.end].strip() == text[part.start : part.end]
        position = part.end


async def test_what_is_told_stands_behind_the_users_words(http, shim, memory, ollama):
    """Before what the client added; the rest of the message stays as it is."""
    memory.position, memory.lines = POSITIONS.POSITION_STICKY, [line(FACT)]
    added = f"\n\n<environment_details>\n{PAGE}\n</environment_details>"
    url = f"{shim.url}/api/chat"
    await (await http.post(url, json=chat("Hello.", system="x"))).read()
    memory.lines = [line("dobby: [type] elf")]
    later = chat("Hello.", "Hi.", SAID + added, system="x")
    await (await http.post(url, json=later)).read()
    told = json.loads(ollama.prompts[-1].body)["messages"][-1]["content"]

    assert told.startswith(f"{SAID}\n\n<recollection>\ndobby: ")
    assert told.endswith(f"</recollection>{added}")


@pytest.mark.parametrize(
    "position", [POSITIONS.POSITION_STICKY, POSITIONS.POSITION_RECENT]
)
@pytest.mark.parametrize("route", ["/v1/messages", "/v1/chat/completions"])
@pytest.mark.parametrize("own", [0, 1])
async def test_parts_of_a_content(http, shim, memory, ollama, route, own, position):
    """
    If a client sends its notes as a text block of their own, every block stays as it
    was but for what is told, which stands beside the user's words.
    """
    note = f"<system-reminder>\n{PAGE}\n</system-reminder>"
    texts = [note, note]
    texts[own] = SAID
    content = [{"type": "text", "text": text} for text in texts]
    body = {
        "model": "llama3",
        "max_tokens": 9,
        "messages": [
            {"role": "user", "content": "Hello."},
            {"role": "assistant", "content": "Hi."},
            {"role": "user", "content": content},
        ],
    }
    memory.position, memory.lines = position, [line(FACT)]
    memory.block = block(FACT)
    await (await http.post(shim.url + route, json=body)).read()
    given = ollama.prompts[-1].json["messages"][-1]["content"]

    rest = [it["text"].replace(block(FACT), "").strip() for it in given]
    assert [text for text in rest if text] == texts
