from __future__ import annotations

import json
import zipfile

import pytest

from festinger.cli.memories.formats.files import files_of
from festinger.cli.memories.formats.registry import format_of, messages_of
from festinger.core.language.turns import Role

SAID = 1_750_000_000.0
ISO = "2025-06-15T15:06:40Z"
"""The same moment."""
EDITOR = "# Context from my IDE setup:\n\n## Open tabs:\n- a.py\n\n"


def write(path, *objects, lines=False):
    """Return a file with JSON: an array, or an object a line."""
    dumped = [json.dumps(it) for it in objects]
    path.write_text("\n".join(dumped) if lines else f"[{','.join(dumped)}]", "utf-8")
    return path


def read(path):
    """Return the name of a file's format, and its messages."""
    return format_of(path).name, list(messages_of(path))


def chatgpt(**nodes):
    """A conversation as ChatGPT exports it: nodes by name, each with parent, role and text."""
    mapping = {
        name: {
            "id": name,
            "parent": parent,
            "children": [],
            "message": {
                "author": {"role": role},
                "create_time": SAID,
                "content": {"content_type": "text", "parts": [text]},
            },
        }
        for name, (parent, role, text) in nodes.items()
    }
    return {"conversation_id": "c-1", "title": "T", "mapping": mapping}


def test_chatgpt_branch_that_was_shown_last_is_read(tmp_path):
    """A message that was edited away is not."""
    conversation = chatgpt(
        root=(None, "system", ""),
        a=("root", "user", "prod is on pg 14"),
        b=("root", "user", "prod is on pg 15"),
        c=("b", "assistant", "Noted."),
    )
    path = write(tmp_path / "conversations.json", conversation | {"current_node": "c"})

    name, messages = read(path)

    assert name == "chatgpt"
    assert [(it.role, it.text, it.session, it.said) for it in messages] == [
        (Role.USER, "prod is on pg 15", "c-1", SAID),
        (Role.ASSISTANT, "Noted.", "c-1", SAID),
    ]


def test_circle_of_chatgpt_nodes_ends(tmp_path):
    """Each node is read once."""
    conversation = chatgpt(a=("b", "user", "one"), b=("a", "user", "two"))
    path = write(tmp_path / "c.json", conversation | {"current_node": "a"})

    assert [it.text for it in read(path)[1]] == ["two", "one"]


def test_claude_export_is_read_without_attachments(tmp_path):
    """Nobody typed those."""
    message = {
        "uuid": "m-1",
        "sender": "human",
        "text": "prod is on pg 14",
        "content": [{"type": "text", "text": "prod is on pg 14"}],
        "created_at": ISO,
        "attachments": [{"file_name": "a.txt", "extracted_content": "a log"}],
    }
    answer = {"uuid": "m-2", "sender": "assistant", "text": "Noted.", "created_at": ISO}
    conversation = {"uuid": "c-2", "name": "T", "chat_messages": [message, answer]}
    path = write(tmp_path / "conversations.json", conversation)

    name, messages = read(path)

    assert name == "claude"
    assert [(it.role, it.text, it.session, it.said) for it in messages] == [
        (Role.USER, "prod is on pg 14", "c-2", SAID),
        (Role.ASSISTANT, "Noted.", "c-2", SAID),
    ]


def test_claude_code_log_has_only_what_was_typed(tmp_path):
    """Results of tools, commands and sub-agents' prompts are in it under the same type."""
    about = {"sessionId": "s-1", "cwd": "/home/nan/shop", "timestamp": ISO}

    def entry(content, **more):
        message = {"role": "user", "content": content}
        return {"type": "user", **about, "message": message, **more}

    path = write(
        tmp_path / "s-1.jsonl",
        {"type": "summary", "summary": "Work", "leafUuid": "x"},
        entry("prod is on pg 14"),
        entry([{"type": "text", "text": "and staging on 15"}]),
        entry([{"type": "tool_result", "tool_use_id": "t", "content": "a log"}]),
        entry("look for it", isSidechain=True),
        entry("a caveat", isMeta=True),
        entry("<command-name>/clear</command-name>"),
        lines=True,
    )

    name, messages = read(path)

    assert name == "claude-code"
    assert [it.text for it in messages] == ["prod is on pg 14", "and staging on 15"]
    assert {(it.project, it.session, it.said) for it in messages} == {
        ("shop", "s-1", SAID)
    }


def test_codex_log_has_only_what_was_typed(tmp_path):
    """Not what the program says of the environment in the person's name."""

    def item(role, kind, text):
        payload = {
            "type": "message",
            "role": role,
            "content": [{"type": kind, "text": text}],
        }
        return {"timestamp": ISO, "type": "response_item", "payload": payload}

    path = write(
        tmp_path / "rollout.jsonl",
        {
            "timestamp": ISO,
            "type": "session_meta",
            "payload": {"id": "s-2", "cwd": "/home/nan/shop"},
        },
        item("user", "input_text", "<environment_context>…</environment_context>"),
        item("user", "input_text", "<skill>\n<name>x</name>\n…\n</skill>"),
        item("user", "input_text", "# AGENTS.md instructions for /shop\n\n…"),
        item("user", "input_text", "prod is on pg 14"),
        item("assistant", "output_text", "Noted."),
        item("user", "input_text", f"{EDITOR}## My request for Codex:\nuse <b>"),
        {"timestamp": ISO, "type": "event_msg", "payload": {"type": "token_count"}},
        lines=True,
    )

    name, messages = read(path)

    assert name == "codex"
    assert [(it.role, it.text) for it in messages] == [
        (Role.USER, "prod is on pg 14"),
        (Role.ASSISTANT, "Noted."),
        (Role.USER, "\nuse <b>"),
    ]
    assert (messages[0].project, messages[0].session) == ("shop", "s-2")


@pytest.mark.parametrize(
    "about",
    [
        {"source": {"subagent": {"thread_spawn": {"parent_thread_id": "s-1"}}}},
        {"thread_source": "subagent"},
        {"parent_thread_id": "s-1"},
    ],
)
def test_codex_log_of_a_subagent_has_no_words_of_a_person(tmp_path, about):
    """Another agent tells it what to do."""
    message = {"type": "message", "role": "user", "content": "prod is on pg 14"}
    path = write(
        tmp_path / "rollout.jsonl",
        {"type": "session_meta", "payload": {"id": "s-2", **about}},
        {"type": "response_item", "payload": message},
        {"type": "response_item", "payload": message | {"role": "assistant"}},
        lines=True,
    )

    assert [it.role for it in read(path)[1]] == [Role.ASSISTANT]


def test_folder_of_logs_is_read_without_those_of_subagents(tmp_path):
    """Packed ones are read, too."""
    for name in ("a/a.jsonl", "a/subagents/b.jsonl", "c.jsonl.zst", "d.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()

    found = [it.name for it in files_of([tmp_path])]

    assert found == ["a.jsonl", "c.jsonl.zst"]


def test_memories_of_a_claude_export_are_read(tmp_path):
    """Paragraphs and items, without the headings."""
    memory = {
        "conversations_memory": "**Work context**\n\nNan runs the shop.\n\n- Prod is on pg 14.",
        "project_memories": {"p-1": "The shop moves to Kassel."},
        "account_uuid": "u",
    }
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", "[]")
        archive.writestr("memories.json", json.dumps([memory]))

    name, messages = read(path)

    assert name == "claude"
    assert [it.text for it in messages] == [
        "Nan runs the shop.",
        "Prod is on pg 14.",
        "The shop moves to Kassel.",
    ]


def test_lists_of_messages_are_read(tmp_path):
    """Also without a program's name: with role and content."""
    path = write(
        tmp_path / "chat.json",
        {"role": "user", "content": "prod is on pg 14", "name": "nan", "time": ISO},
        {"role": "assistant", "content": [{"type": "text", "text": "Noted."}]},
    )

    name, messages = read(path)

    assert name == "chat"
    assert (messages[0].speaker, messages[0].said) == ("nan", SAID)
    assert [it.text for it in messages] == ["prod is on pg 14", "Noted."]
