"""The file of the reference memory server, for whom MEMORY_FILE_PATH names one."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager

import mcp
import pytest
from click.testing import CliRunner

from festinger.cli import cli
from festinger.mcp.graph_file import GraphFile
from festinger.mcp.memory import LocalCaller
from festinger.mcp.reference import ReferenceServer
from tests.mcp.graphs import GraphTools, ToolRefused

ALICE = {"name": "Alice", "entityType": "person", "observations": ["likes tea"]}
KNOWS = {"from": "Alice", "to": "Bob", "relationType": "knows"}


@pytest.fixture
def file(tmp_path):
    """The place of the graph's file, which is not there yet."""
    return tmp_path / "memory.jsonl"


@pytest.fixture
def opened(memory, data_dir, file):
    """Connect the SDK's client to a reference server with a file."""

    @asynccontextmanager
    async def connect(path=file, **caller):
        graph_file = GraphFile(path, memory, data_dir)
        server = ReferenceServer(memory, LocalCaller(data_dir, **caller), graph_file)
        async with mcp.Client(server.server(), mode="legacy") as connected:
            yield GraphTools(connected)

    return connect


def put(file, *items):
    """Write a file as the reference server does."""
    told = ({"type": "entity" if "name" in it else "relation"} | it for it in items)
    file.write_text("\n".join(json.dumps(it) for it in told))


def items_of(file):
    """The objects of a file's lines."""
    return [json.loads(line) for line in file.read_text().split("\n") if line]


async def test_file_is_written_after_each_change(opened, file):
    """As the reference server writes it: entities, then relations, each a line."""
    async with opened() as graph:
        await graph.call("create_relations", relations=[KNOWS])
        await graph.call("create_entities", entities=[ALICE])
        assert file.read_text() == (
            '{"type":"entity","name":"Alice","entityType":"person","observations":'
            '["likes tea"]}\n'
            '{"type":"relation","from":"Alice","to":"Bob","relationType":"knows"}'
        )

        await graph.call("delete_entities", entityNames=["Alice"])
        assert file.read_text() == ""


async def test_nothing_is_written_before_the_first_change(opened, file):
    """Reading makes no file."""
    async with opened() as graph:
        assert await graph.whole() == {"": []}

    assert not file.exists()


async def test_file_of_the_reference_server_is_taken_over(opened, file):
    """Its graph is there at the first call, and the file as it was stays beside it."""
    second = ALICE | {"observations": ["likes tea", "has a dog"]}
    put(file, ALICE, second, KNOWS, {"type": "config", "name": "other"})
    before = file.read_text()

    async with opened() as graph:
        assert await graph.whole() == {
            "Alice": ["likes tea", "has a dog"],
            "": ["Alice/knows/Bob"],
        }

    assert file.with_name("memory.jsonl.before-festinger").read_text() == before
    assert len(items_of(file)) == 2


async def test_graph_as_a_resource_has_the_file_too(opened, file):
    """Although no tool was called yet."""
    put(file, ALICE)

    async with opened() as graph:
        read = await graph.client.read_resource("memory://knowledge-graph")

    assert json.loads(read.contents[0].text)["entities"] == [ALICE]


async def test_what_others_write_into_the_file_is_added(opened, file):
    """At the next call; what the graph has besides is written behind it."""
    async with opened() as graph:
        await graph.call("create_entities", entities=[ALICE])
        put(file, ALICE | {"observations": ["likes coffee"]}, KNOWS)

        assert await graph.whole() == {
            "Alice": ["likes tea", "likes coffee"],
            "": ["Alice/knows/Bob"],
        }

    assert items_of(file)[0]["observations"] == ["likes tea", "likes coffee"]


async def test_what_is_forgotten_does_not_come_back_from_the_file(
    opened, file, client, memory, data_dir
):
    """A file that was written here is not read in again by the next server."""
    async with opened() as graph:
        await graph.call("create_entities", entities=[ALICE])
        whole = await GraphFile(file, memory, data_dir).store.read(
            caller := LocalCaller(data_dir).caller()
        )
        names = [line for lines in whole.entities.values() for line in lines]
        await GraphFile(file, memory, data_dir).store.forget(names, caller)
    assert "Alice" in file.read_text()

    async with opened() as graph:
        assert await graph.whole() == {"": []}


async def test_files_have_graphs_of_their_own(opened, file, graph):
    """Apart from each other and from that without a file."""
    async with opened() as first, opened(file.with_name("b.jsonl")) as second:
        await first.create("Alice")
        await second.create("Bob")
        assert list(await first.whole()) == ["Alice", ""]
        assert list(await second.whole()) == ["Bob", ""]

    assert await graph.whole() == {"": []}


@pytest.mark.parametrize(
    "broken",
    [
        '{"type":"entity","name":"Bo',
        '{"type":"entity","name":"Bob"}',
        '{"name":"Bob"}',
        "[]",
        "[" * 10_000,
        '{"type":[]}',
        '{"type":"entity","name":"\\ud800","entityType":"x","observations":[]}',
    ],
    ids=["truncated", "members", "no type", "list", "deep", "odd type", "half a pair"],
)
async def test_broken_file_is_told_and_left_as_it_is(opened, file, broken):
    """With the number of its line, also by what would change the graph."""
    put(file, ALICE)
    text = file.read_text() + "\n" + broken
    file.write_text(text)

    async with opened() as graph:
        with pytest.raises(ToolRefused, match=r"line 2 of .*memory\.jsonl"):
            await graph.create("Bob")
        assert file.read_text() == text
        put(file, ALICE)
        assert list(await graph.whole()) == ["Alice", ""]


async def test_huge_file_is_refused(opened, file):
    """Without reading it: it has 10 GB in one line."""
    with file.open("wb") as out:
        out.truncate(10 * 2**30)  # a hole: it takes no room

    async with opened() as graph:
        with pytest.raises(ToolRefused, match="larger than 64 MB"):
            await graph.create("Alice")

    assert file.stat().st_size == 10 * 2**30


async def test_file_that_cannot_be_written_is_told(opened, tmp_path):
    """The memory has the change nevertheless."""
    async with opened(tmp_path / "nowhere" / "memory.jsonl") as graph:
        with pytest.raises(ToolRefused, match=r"cannot be written.*in the memory"):
            await graph.create("Alice")
        assert list(await graph.whole()) == ["Alice", ""]


async def test_link_to_the_file_stays_one(opened, file):
    """Its target is written."""
    link = file.with_name("link.jsonl")
    link.symlink_to(file)

    async with opened(link) as graph:
        await graph.create("Alice")

    assert link.is_symlink()
    assert items_of(file)[0]["name"] == "Alice"


async def test_file_is_named_by_the_reference_server_s_variable(stdio, file):
    """MEMORY_FILE_PATH, so that a client's configuration keeps it; or by an option."""
    put(file, ALICE)

    async with stdio(
        "--reference", variables={"MEMORY_FILE_PATH": str(file)}
    ) as client:
        await GraphTools(client).create("Bob")
    async with stdio("--reference", "--memory-file", str(file)) as client:
        assert list(await GraphTools(client).whole()) == ["Alice", "Bob", ""]

    assert [it["name"] for it in items_of(file)] == ["Alice", "Bob"]


@pytest.mark.parametrize("options", [[], ["--reference", "--http", "127.0.0.1:0"]])
def test_file_needs_the_reference_server_s_tools(options):
    """And one client, since a file belongs to one memory."""
    result = CliRunner().invoke(
        cli, ["mcp", *options], env={"MEMORY_FILE_PATH": "memory.jsonl"}
    )

    assert result.exit_code == 2
    assert "--memory-file (MEMORY_FILE_PATH) is for --reference" in result.output
