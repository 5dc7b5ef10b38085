from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path

GRAPH = [
    {
        "type": "entity",
        "name": "Alice",
        "entityType": "person",
        "observations": ["works at Acme Corp"],
    },
    {"type": "entity", "name": "Bob", "entityType": "person", "observations": []},
    {"type": "relation", "from": "Alice", "to": "Bob", "relationType": "knows"},
]


def dumped(objects):
    """Return an object a line."""
    return "".join(f"{json.dumps(it)}\n" for it in objects)


async def exported(operator):
    """Return the lines of an export, without the numbers that the memory gave."""
    printed = await operator.prints("export")
    found = [json.loads(line) for line in printed.splitlines()]
    return [{**it, "name": ""} for it in found]


async def test_file_of_the_reference_server_becomes_notes(operator, tmp_path):
    """As the tools of the drop-in keep them; again, it changes nothing."""
    path = tmp_path / "memory.jsonl"
    path.write_text(dumped(GRAPH), "utf-8")

    told = await operator.prints("memories", "import", str(path))
    lines = await exported(operator)
    again = await operator.prints("memories", "import", str(path))

    assert "(mcp-memory): 4 items, 0 known before" in told
    assert "4 items, 4 known before" in again
    assert {it["quote"] for it in lines if it["form"] == "utterance"} == {
        '"Alice" is a "person"',
        '"Alice": "works at Acme Corp"',
        '"Bob" is a "person"',
        '"Alice" "knows" "Bob"',
    }
    assert {it["session"] for it in lines if it["form"] == "utterance"} == {"mcp-graph"}
    assert await exported(operator) == lines


async def test_dry_run_keeps_nothing(operator, tmp_path):
    """It says what would become of it."""
    path = tmp_path / "memory.jsonl"
    path.write_text(dumped(GRAPH), "utf-8")

    told = await operator.prints("memories", "import", "--dry-run", str(path))

    assert "4 sentences would be kept" in told
    assert await operator.prints("export") == ""


async def test_what_stands_before_an_error_is_imported(operator, tmp_path):
    """The error names the line; mended, the rest follows."""
    path = tmp_path / "memory.jsonl"
    path.write_text(dumped(GRAPH[:1]) + '{"type": "ent', "utf-8")

    code, told, complaint = await operator.runs("memories", "import", str(path))
    path.write_text(dumped(GRAPH), "utf-8")
    rest = await operator.prints("memories", "import", str(path))

    assert (code, "2 items" in told) == (1, True)
    assert "memory.jsonl, line 2: the JSON is wrong or cut off" in complaint
    assert "What stands before that is imported" in complaint
    assert "4 items, 2 known before" in rest


async def test_export_is_imported_again(operator, tmp_path, store):
    """Into another memory, which then exports the same."""
    await store.add_tenant("acme")
    await operator.client.states("gnommoweb -isa repo")
    path = tmp_path / "memory.jsonl"
    path.write_text(await operator.prints("export"), "utf-8")

    told = await operator.prints("memories", "import", "--tenant", "acme", str(path))

    assert "(festinger-lines): 1 item" in told
    assert await operator.prints("export", "--tenant", "acme") == path.read_text()


async def test_conversation_is_imported_with_its_time(operator, tmp_path, clock):
    """Texts that people typed are stored, by the person whom the command names."""
    said = int(clock()) - 86_400
    node = {
        "parent": None,
        "message": {
            "author": {"role": "user"},
            "create_time": said,
            "content": {
                "content_type": "text",
                "parts": ["Kassel delivers the stock file at 05:40 every morning."],
            },
        },
    }
    path = tmp_path / "conversations.json"
    chat = {"id": "c-1", "mapping": {"a": node}, "current_node": "a"}
    path.write_text(json.dumps([chat]), "utf-8")

    await operator.prints(
        "memories", "import", "--speaker", "nan", "--project", "shop", str(path)
    )

    (line,) = (it for it in await exported(operator) if it["form"] == "utterance")
    assert (line["by"], line["project"], line["session"]) == ("nan", "shop", "c-1")


async def test_killed_import_goes_on_where_it_ended(operator, tmp_path, store, pool):
    """The second run ends as one that nothing interrupts."""
    await store.add_tenant("acme")
    path = tmp_path / "memory.jsonl"
    entity = {"type": "entity", "entityType": "thing"}
    path.write_text(dumped({**entity, "name": f"e{it}"} for it in range(2000)), "utf-8")
    process = await asyncio.create_subprocess_exec(
        Path(sys.executable).with_name("festinger"),
        *("memories", "import", str(path)),
        env={
            **os.environ,
            "FESTINGER_SERVER": operator.address,
            "FESTINGER_DATA_DIR": str(operator.data_dir),
        },
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    kept = 0
    while not kept:
        kept = await pool.fetchval("select count(*) from turns, pg_sleep(0.01)")
    process.kill()
    await process.wait()
    kept = await pool.fetchval("select count(*) from turns")

    await operator.prints("memories", "import", str(path))
    await operator.prints("memories", "import", "--tenant", "acme", str(path))

    rows = await pool.fetch("select tenant, sentences from turns order by sentences")
    found = {
        tenant: [it["sentences"] for it in rows if it["tenant"] == tenant]
        for tenant in ("default", "acme")
    }
    assert 0 < kept < 2000
    assert len(found["acme"]) == 2000
    assert found["default"] == found["acme"]
