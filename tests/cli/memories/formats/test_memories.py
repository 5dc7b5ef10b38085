from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from festinger.cli.memories.formats.records import (
    FileNote,
    FileRefusal,
    FileStatement,
)
from festinger.cli.memories.formats.registry import format_of
from festinger.cli.memories.formats.source import ImportSource
from festinger.core.language.turns import Role
from festinger.errors import UnreadableFile
from festinger.services.language.evaluating import ChatMessage

SAID = 1_750_000_000.0
ISO = "2025-06-15T15:06:40Z"
"""The same moment."""


def read(path, content=None):
    """Return the name of a file's format, and its records."""
    if content is not None:
        text = content if isinstance(content, str) else json.dumps(content)
        path.write_text(text, "utf-8")
    form = format_of(path)
    return form.name, [it.record for it in form.read(ImportSource(path))]


def said(records):
    """Return the speakers and texts of records."""
    messages = (it for it in records if isinstance(it, ChatMessage))
    return [(it.role, it.text) for it in messages]


def stated(records):
    """Return the statements of records."""
    return [
        (it.subject, it.predicate, it.value)
        for it in records
        if isinstance(it, FileStatement)
    ]


@pytest.mark.parametrize("wrap", [lambda it: it, lambda it: {"results": it}])
def test_memories_of_mem0_are_read(tmp_path, wrap):
    """As a list, and as the answer of the API."""
    memory = {
        "id": "m-1",
        "memory": "Prefers window seats",
        "user_id": "alice",
        "hash": "x",
        "metadata": None,
        "created_at": "2025-01-01T00:00:00Z",
        "updated_at": ISO,
    }

    name, records = read(tmp_path / "mem0.json", wrap([memory]))

    assert name == "mem0"
    assert records == [
        ChatMessage(Role.USER, "Prefers window seats", "alice", "", "mem0", SAID)
    ]


def test_branch_of_an_open_webui_chat_is_read(tmp_path):
    """The one that was shown last; a circle ends."""
    messages = {
        "a": {
            "id": "a",
            "parentId": None,
            "role": "user",
            "content": "prod is on pg 14",
        },
        "b": {"id": "b", "parentId": "a", "role": "assistant", "content": "Noted."},
        "c": {"id": "c", "parentId": "c", "role": "user", "content": "edited away"},
    }
    chat = {"history": {"messages": messages, "currentId": "b"}, "messages": []}

    name, records = read(tmp_path / "chats.json", [{"id": "x", "chat": chat}])

    assert name == "open-webui"
    assert said(records) == [
        (Role.USER, "prod is on pg 14"),
        (Role.ASSISTANT, "Noted."),
    ]


@pytest.mark.parametrize("key", ["messages", "messagesTree"])
def test_librechat_conversation_is_read(tmp_path, key):
    """Flat and as a tree."""
    answer = {"messageId": "b", "text": "Noted.", "isCreatedByUser": False}
    asked = {
        "messageId": "a",
        "text": "prod is on pg 14",
        "isCreatedByUser": True,
        "createdAt": ISO,
    }
    flat = [asked, answer] if key == "messages" else [asked | {"children": [answer]}]

    name, records = read(tmp_path / "c.json", {"conversationId": "c-1", key: flat})

    assert name == "librechat"
    assert said(records) == [
        (Role.USER, "prod is on pg 14"),
        (Role.ASSISTANT, "Noted."),
    ]
    assert (records[0].session, records[0].said) == ("c-1", SAID)


def test_cursor_transcript_has_what_was_typed(tmp_path):
    """Without what the program puts around it."""
    text = "<attached>a file</attached><user_query>prod is on pg 14</user_query>"
    lines = [
        {"role": "user", "message": {"content": [{"type": "text", "text": text}]}},
        {"role": "assistant", "message": {"content": [{"type": "text", "text": "OK"}]}},
    ]

    name, records = read(tmp_path / "t.jsonl", "\n".join(map(json.dumps, lines)))

    assert name == "cursor"
    assert said(records) == [(Role.USER, "prod is on pg 14"), (Role.ASSISTANT, "OK")]


@pytest.mark.parametrize("form", ["old", "new"])
def test_letta_agent_file_is_read(tmp_path, form):
    """Blocks but the persona, and messages without their envelopes."""
    blocks = [
        {"label": "persona", "value": "I am Sam."},
        {"label": "human", "value": "Name: Chad\nLikes jazz.", "updated_at": ISO},
    ]
    packed = json.dumps({"type": "user_message", "message": "prod is on pg 14"})
    beat = json.dumps({"type": "heartbeat", "reason": "timer"})
    messages = [
        {"role": "user", "content": [{"type": "text", "text": text}], "created_at": ISO}
        for text in (packed, beat)
    ]
    agent = {"name": "sam", "messages": messages}
    whole = (
        agent | {"core_memory": blocks}
        if form == "old"
        else {"agents": [agent], "blocks": blocks}
    )

    name, records = read(tmp_path / "sam.af", whole)

    assert name == "letta"
    assert said(records) == [
        (Role.USER, "Name: Chad"),
        (Role.USER, "Likes jazz."),
        (Role.USER, "prod is on pg 14"),
    ]


def test_neo4j_graph_is_read(tmp_path):
    """As `apoc.export.json` writes it, an object a line: names of nodes, and relations."""
    node = {"type": "node", "id": "0", "labels": ["Person"]}
    edge = {"id": "9", "type": "relationship", "label": "WORKS_AT"}
    lines = [
        node | {"properties": {"name": "Alice"}},
        node | {"id": "1", "labels": ["Entity"], "properties": {"name": "Acme"}},
        node | {"id": "2", "properties": {"age": 3}},
        edge | {"start": {"id": "0"}, "end": {"id": "1"}},
        edge | {"start": {"id": "0"}, "end": {"id": "2"}},
    ]

    name, records = read(tmp_path / "g.json", "\n".join(map(json.dumps, lines)))

    assert name == "graph"
    assert stated(records) == [
        ("Alice", "is a", "Person"),
        ("Alice", "works at", "Acme"),
    ]
    assert sum(isinstance(it, FileRefusal) for it in records) == 2


def test_edges_of_graphiti_and_zep_are_read(tmp_path):
    """With the sentence that states them; what is invalid now is left out."""
    edge = {
        "source_node_uuid": "u-1",
        "target_node_uuid": "u-2",
        "name": "WORKS_AT",
        "fact": "Alice works at Acme.",
        "valid_at": ISO,
        "invalid_at": None,
    }
    nodes = [
        {"uuid": "u-1", "name": "Alice", "labels": ["Entity"], "summary": ""},
        {"uuid": "u-2", "name": "Acme", "labels": ["Entity"]},
    ]

    name, records = read(
        tmp_path / "zep.json",
        {"nodes": nodes, "edges": [edge, edge | {"invalid_at": ISO}]},
    )

    assert name == "graph"
    assert records == [
        FileStatement("Alice", "works at", "Acme", "Alice works at Acme.", said=SAID),
        FileRefusal("it is not valid any more"),
    ]


@pytest.mark.parametrize(
    ("names", "record"),
    [
        (
            {"source_node_name": "Alice", "target_node_name": "Acme"},
            FileStatement(
                "Alice", "works at", "Acme", "Alice works at Acme.", said=SAID
            ),
        ),
        (
            {},
            ChatMessage(Role.USER, "Alice works at Acme.", session="graph", said=SAID),
        ),
    ],
)
def test_edge_without_its_nodes_is_read(tmp_path, names, record):
    """By the names that it has itself, or else as its sentence."""
    edge = {
        "source_node_uuid": "u-1",
        "target_node_uuid": "u-2",
        "name": "WORKS_AT",
        "fact": "Alice works at Acme.",
        "valid_at": ISO,
    }

    assert read(tmp_path / "zep.json", {"edges": [edge | names]}) == ("graph", [record])


def test_table_of_statements_is_read(tmp_path):
    """By its header, whatever the order of the columns."""
    text = (
        "Predicate;Subject;Object;Author;Date;Negated\n"
        f"works at;alice;acme;nan;{ISO};\n"
        "uses;alice;vim;nan;;yes\n"
        ";alice;x;;;\n"
    )

    name, records = read(tmp_path / "facts.csv", text)

    assert name == "table"
    assert records == [
        FileStatement("alice", "works at", "acme", speaker="nan", said=SAID),
        FileStatement("alice", "uses", "vim", negated=True, speaker="nan"),
        FileRefusal("subject, predicate or value is empty"),
    ]


def test_table_of_neo4j_is_read(tmp_path):
    """As `apoc.export.csv` writes it."""
    text = (
        "_id,_labels,name,_start,_end,_type\n"
        "0,:Person,Alice,,,\n1,:Entity,Acme,,,\n,,,0,1,WORKS_AT\n"
    )

    _, records = read(tmp_path / "g.csv", text)

    assert stated(records) == [
        ("Alice", "is a", "Person"),
        ("Alice", "works at", "Acme"),
    ]


def test_table_that_is_cut_off_names_its_line(tmp_path):
    """An open quotation mark would take the rest of the file for one cell."""
    with pytest.raises(UnreadableFile, match="line 3: the table is wrong or cut off"):
        read(tmp_path / "f.csv", 'subject,predicate,value\na,b,"c\nd,e,f\n')


def test_vault_is_read(tmp_path):
    """Properties and fields are statements about the page; the rest is as if typed."""
    page = (
        "---\nowner: Theo\nuses: [postgres, redis]\ntags: [x]\n---\n# Billing\n"
        "Billing moved to [[kassel|Kassel]] in March.\n\n"
        "- port:: [[8080]]\n- Never deploy on Fridays.\n\n```\ncode: no\n```\n"
    )
    (tmp_path / ".obsidian").mkdir()
    (tmp_path / ".obsidian" / "notes.md").write_text("hidden", "utf-8")
    (tmp_path / "billing.md").write_text(page, "utf-8")
    (tmp_path / "binary.md").write_bytes(b"\xff\xfe")

    name, records = read(tmp_path)

    assert name == "markdown"
    assert stated(records) == [
        ("billing", "owner", "Theo"),
        ("billing", "uses", "postgres"),
        ("billing", "uses", "redis"),
        ("billing", "port", "8080"),
    ]
    assert [text for _, text in said(records)] == [
        "Billing moved to Kassel in March.",
        "Never deploy on Fridays.",
    ]
    assert FileRefusal("it is not in UTF-8") in records


@pytest.mark.parametrize("name", ["AGENTS.md", "CLAUDE.md", ".cursorrules"])
def test_rules_for_agents_are_instructions_of_their_project(tmp_path, name):
    """Each item of their lists, and each paragraph."""
    (tmp_path / "shop").mkdir()
    path = tmp_path / "shop" / name

    _, records = read(path, "# Rules\n\n- Run `make lint` first.\n- Use tabs.\n")

    assert [(it.text, it.project, it.instruction) for it in records] == [
        ("Run `make lint` first.", "shop", True),
        ("Use tabs.", "shop", True),
    ]
    assert all(isinstance(it, FileNote) for it in records)


def test_quads_are_read(tmp_path):
    """By the last parts of their names; what is about statements is left out."""
    text = (
        "# a comment\n"
        "<http://x.org/Alice> <http://x.org/v#worksAt> <urn:org:Acme> <urn:g:1> .\n"
        '<http://x.org/Alice> <http://x.org/v#age> "3\\u0034"^^<urn:t> .\n'
        "<http://x.org/Alice> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> "
        "<http://x.org/Person> .\n"
        "<urn:g:1> <http://www.w3.org/ns/prov#wasAttributedTo> <urn:p:nan> .\n"
        "_:b <http://x.org/v#age> <urn:x:y> .\n"
    )

    name, records = read(tmp_path / "a.nq", text)

    assert name == "rdf"
    assert stated(records) == [
        ("Alice", "works at", "Acme"),
        ("Alice", "age", "34"),
        ("Alice", "is a", "Person"),
    ]
    assert sum(isinstance(it, FileRefusal) for it in records) == 2


def test_broken_quad_names_its_line(tmp_path):
    """Records in front of the broken line were read."""
    with pytest.raises(UnreadableFile, match="line 2: it is no statement"):
        read(tmp_path / "a.nt", "<urn:a:b> <urn:c:d> <urn:e:f> .\n<urn:a:b> <urn:\n")


def test_turtle_is_read(tmp_path):
    """By rdflib."""
    text = "@prefix : <http://x.org/> . :Alice a :Person ; :worksAt :Acme ."

    _, records = read(tmp_path / "a.ttl", text)

    assert sorted(stated(records)) == [
        ("Alice", "is a", "Person"),
        ("Alice", "works at", "Acme"),
    ]


def test_broken_turtle_is_named(tmp_path):
    """With what its parser says."""
    with pytest.raises(UnreadableFile, match="it is no Turtle"):
        read(tmp_path / "a.ttl", "@prefix : <http://x.org/> . :Alice a ")


RSS = """
import json, resource, sys
from pathlib import Path
from festinger.cli.memories.formats.items import items_of
from festinger.cli.memories.formats.registry import format_of
from festinger.cli.memories.formats.source import ImportSource
path = Path(sys.argv[1])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
count = sum(1 for _ in items_of(format_of(path).read(ImportSource(path)), path))
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps([count, (after - before) // 1024]))
"""


@pytest.mark.slow
def test_million_entities_take_no_memory(tmp_path):
    """They are read one by one: less than 32 MB more, however many there are."""
    path = tmp_path / "memory.jsonl"
    count = int(os.environ.get("FESTINGER_IMPORT_LINES", "100000"))
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            entity = {"type": "entity", "name": f"e{number}", "entityType": "thing"}
            file.write(json.dumps(entity) + "\n")

    done = subprocess.run(
        [sys.executable, "-c", RSS, path], check=True, capture_output=True, text=True
    )

    items, megabytes = json.loads(done.stdout)
    assert items == count
    assert megabytes < 32
