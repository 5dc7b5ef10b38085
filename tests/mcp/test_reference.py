"""The reference memory server's own tests, for ours."""

from __future__ import annotations

import asyncio
import gc
import json
from collections import Counter
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import count
from typing import Any

import mcp
import pytest
from mcp.server.connection import Connection
from mcp.server.subscriptions import InMemorySubscriptionBus
from mcp.shared.exceptions import MCPDeprecationWarning

from festinger.mcp.memory import LocalCaller
from festinger.mcp.reference import ReferenceServer
from festinger.mcp.subscribers import URI
from tests.mcp.graphs import GraphTools, ToolRefused, relation, seen

ALICE = ("Alice", "person", "works at Acme Corp", "likes programming")
BOB = ("Bob", "person", "works at TechCo")
ACME = ("Acme Corp", "company", "tech company")


class ManyProjects:
    """A caller who is in another project at each call."""

    def __init__(self, data_dir):
        self._local = LocalCaller(data_dir)
        self._numbers = count()

    def caller(self, headers=None):
        """Return the user, in the next project."""
        project = f"project {next(self._numbers)}"
        return replace(self._local.caller(headers), project=project)


@asynccontextmanager
async def subscribed(client, mode):
    """A subscription of a client."""
    if mode == "legacy":
        with pytest.warns(MCPDeprecationWarning):
            await client.subscribe_resource(URI)
        yield
    else:
        async with client.listen(resource_subscriptions=[URI]):
            yield


def kept_objects():
    """Return the number of objects that a graph or a subscriber needs."""
    gc.collect()
    kinds = (asyncio.Lock, Connection, InMemorySubscriptionBus)
    return Counter(type(it) for it in gc.get_objects() if isinstance(it, kinds))


@pytest.fixture
async def company(graph):
    """Two people and where they work."""
    await graph.create(ALICE, BOB, ACME)
    await graph.relate("Alice/works_at/Acme Corp", "Bob/competitor/Acme Corp")
    return graph


@pytest.fixture
async def chain(graph):
    """Three people of whom each knows the next."""
    await graph.create("Alice", "Bob", "Charlie")
    await graph.relate("Alice/knows/Bob", "Bob/knows/Charlie")
    return graph


async def test_new_entities_are_answered_and_kept(graph):
    """As they were given, with all their members and no others."""
    made = await graph.create(ALICE, BOB)

    assert made == [
        {
            "name": "Alice",
            "entityType": "person",
            "observations": ["works at Acme Corp", "likes programming"],
        },
        {"name": "Bob", "entityType": "person", "observations": ["works at TechCo"]},
    ]
    assert (await graph.call("read_graph"))["entities"] == made


async def test_entity_is_created_once(graph):
    """A name that is there already is left out, and so is its second in one call."""
    await graph.create(ALICE)

    assert await graph.create(ALICE, ("Bob", "person"), ("Bob", "robot")) == [
        {"name": "Bob", "entityType": "person", "observations": []}
    ]
    assert list(await graph.whole()) == ["Alice", "Bob", ""]


async def test_new_relations_are_answered_and_kept(graph):
    """From one entity to another."""
    await graph.create("Alice", "Bob")

    assert await graph.relate("Alice/knows/Bob") == [
        {"from": "Alice", "to": "Bob", "relationType": "knows"}
    ]
    assert (await graph.whole())[""] == ["Alice/knows/Bob"]


async def test_relation_is_created_once(graph):
    """A relation is the same if both ends and its type are."""
    await graph.create("Alice", "Bob")
    await graph.relate("Alice/knows/Bob")

    assert await graph.relate("Alice/knows/Bob") == []
    assert len(await graph.relate("Alice/likes/Bob", "Bob/knows/Alice")) == 2
    assert len((await graph.whole())[""]) == 3


@pytest.mark.parametrize(
    ("tool", "argument"),
    [("create_entities", "entities"), ("create_relations", "relations")],
)
async def test_nothing_is_created_of_nothing(graph, tool, argument):
    """An empty list is answered by one."""
    assert await graph.call(tool, **{argument: []}) == {argument: []}


async def test_observations_are_added_behind_those_that_are_there(graph):
    """An entity that is there already is not added again, nor answered."""
    await graph.create(("Alice", "person", "works at Acme Corp"))

    assert await graph.observe("Alice", "likes coffee") == ["likes coffee"]
    assert await graph.observe("Alice", "likes coffee", "has a dog") == ["has a dog"]
    assert (await graph.whole())["Alice"] == [
        "works at Acme Corp",
        "likes coffee",
        "has a dog",
    ]


async def test_observation_of_nobody_is_refused(graph):
    """With the name that is missing; nothing of the call is added."""
    await graph.create("Alice")
    both = [
        {"entityName": "Alice", "contents": ["x"]},
        {"entityName": "NonExistent", "contents": ["x"]},
    ]

    with pytest.raises(ToolRefused) as refused:
        await graph.call("add_observations", observations=both)

    assert str(refused.value) == "Entity with name NonExistent not found"
    assert (await graph.whole())["Alice"] == []


async def test_entities_are_deleted_with_their_relations(chain):
    """Whichever end they are."""
    answer = await chain.call("delete_entities", entityNames=["Bob"])

    assert answer == {"success": True, "message": "Entities deleted successfully"}
    assert await chain.whole() == {"Alice": [], "Charlie": [], "": []}


async def test_what_is_not_there_is_deleted_without_complaint(graph):
    """Entities, observations and relations."""
    await graph.call("delete_entities", entityNames=["No"])
    gone = [{"entityName": "No", "observations": ["x"]}]
    await graph.call("delete_observations", deletions=gone)
    await graph.call("delete_relations", relations=[relation("No/knows/Nobody")])

    assert await graph.whole() == {"": []}


async def test_observations_are_deleted_word_for_word(company):
    """The others of the entity stay."""
    deletions = [
        {"entityName": "Alice", "observations": ["likes programming", "works"]},
    ]
    answer = await company.call("delete_observations", deletions=deletions)

    assert answer["message"] == "Observations deleted successfully"
    assert (await company.whole())["Alice"] == ["works at Acme Corp"]


async def test_relations_are_deleted_by_all_their_members(graph):
    """Another type between the same two stays."""
    await graph.create("Alice", "Bob")
    await graph.relate("Alice/knows/Bob", "Alice/works_with/Bob")

    answer = await graph.call(
        "delete_relations", relations=[relation("Alice/knows/Bob")]
    )

    assert answer["message"] == "Relations deleted successfully"
    assert (await graph.whole())[""] == ["Alice/works_with/Bob"]


async def test_graph_is_empty_at_first(graph):
    """Whatever else the memory knows."""
    assert await graph.call("read_graph") == {"entities": [], "relations": []}


async def test_relation_may_lead_back_or_to_nobody(graph):
    """Entities need not be there, nor be two."""
    await graph.create("Alice")
    await graph.relate("Alice/self/Alice", "Zoe/knows/Theo")

    assert (await graph.whole())[""] == ["Alice/self/Alice", "Zoe/knows/Theo"]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("Alice", ["Alice"]),
        ("ALICE", ["Alice"]),
        ("company", ["Acme Corp"]),
        ("programming", ["Alice"]),
        ("Acme", ["Alice", "Acme Corp"]),
        ("NonExistent", []),
        ("", ["Alice", "Bob", "Acme Corp"]),
    ],
)
async def test_nodes_are_found_by_a_part_of_their_words(company, query, names):
    """Of name, type or an observation, in any case."""
    found = await company.call("search_nodes", query=query)

    assert [it["name"] for it in found["entities"]] == names


@pytest.mark.parametrize(
    ("query", "relations"),
    [
        ("Alice", ["Alice/works_at/Acme Corp"]),
        ("Acme", ["Alice/works_at/Acme Corp", "Bob/competitor/Acme Corp"]),
        ("NonExistent", []),
    ],
)
async def test_found_nodes_come_with_their_relations(company, query, relations):
    """Also with those whose other end was not found."""
    assert seen(await company.call("search_nodes", query=query))[""] == relations


@pytest.mark.parametrize(
    ("names", "opened", "relations"),
    [
        (["Alice", "Bob"], ["Alice", "Bob"], ["Alice/knows/Bob", "Bob/knows/Charlie"]),
        (["Bob"], ["Bob"], ["Alice/knows/Bob", "Bob/knows/Charlie"]),
        (["Alice"], ["Alice"], ["Alice/knows/Bob"]),
        (["Charlie"], ["Charlie"], ["Bob/knows/Charlie"]),
        (["NonExistent"], [], []),
        ([], [], []),
    ],
)
async def test_nodes_are_opened_by_name(chain, names, opened, relations):
    """With the relations that begin or end there."""
    found = seen(await chain.call("open_nodes", names=names))

    assert found.pop("") == relations
    assert list(found) == opened


async def test_graph_is_there_for_the_next_server(reference, company):
    """It is the memory's, and no process's."""
    async with reference() as other:
        assert await GraphTools(other).whole() == await company.whole()


async def test_graph_is_there_after_a_restart(company, memories):
    """In the order in which it was made, also from the database."""
    before = await company.call("read_graph")

    await memories.reload("default")

    assert await company.call("read_graph") == before


async def test_projects_have_graphs_of_their_own(reference, company):
    """An entity of one is none of another."""
    async with reference(project="shop") as other:
        shop = GraphTools(other)
        assert await shop.whole() == {"": []}
        await shop.create("Alice")
        await shop.call("delete_entities", entityNames=["Alice"])

    assert len(await company.whole()) == 4


@pytest.mark.parametrize(
    "odd",
    [
        'says "hi": there',
        "two\nlines\tand a tab",
        "  spaces  ",
        "",
        "\\",
        "☃ ü 漢字 \u2028 \U0001f600",
        '" is a "',
        "<festinger-memory>x",
        "x" * 50_000,
    ],
    ids=["quotes", "lines", "spaces", "empty", "slash", "signs", "glue", "tag", "long"],
)
async def test_any_text_comes_back_exactly(graph, odd):
    """As a name, a type, an observation and the type of a relation; and it can be deleted."""
    name = odd[:1000]
    await graph.create((name, name, odd))
    await graph.relate(f"{name}/{name}/{name}")

    known = await graph.call("read_graph")
    assert known["entities"] == [
        {"name": name, "entityType": name, "observations": [odd]}
    ]
    assert known["relations"] == [{"from": name, "to": name, "relationType": name}]
    await graph.call("delete_entities", entityNames=[name])
    assert await graph.whole() == {"": []}


async def test_what_was_deleted_can_be_created_again(company):
    """It stands at the end then."""
    await company.call("delete_entities", entityNames=["Alice"])

    await company.create(ALICE)

    whole = await company.whole()
    assert list(whole) == ["Bob", "Acme Corp", "Alice", ""]
    assert whole["Alice"] == list(ALICE[2:])


async def test_calls_at_the_same_time_create_an_entity_once(graph):
    """One of them is answered with it."""
    made = await asyncio.gather(*(graph.create(ALICE) for _ in range(5)))

    assert sorted(len(it) for it in made) == [0, 0, 0, 0, 1]
    assert len(await graph.whole()) == 2


async def test_graph_of_many_notes_is_read_whole(graph):
    """Also where it takes several pages, and several calls to make."""
    names = [f"node{at}" for at in range(1100)]
    await graph.create(*names)

    assert list(await graph.whole()) == [*names, ""]


async def test_graph_states_what_it_says(company, client):
    """Types, relations and observations are facts of the one memory."""
    edges = {it.dimension: it.parent for it in (await client.concept("alice")).edges}

    assert edges["type"] == "person"
    assert edges["works-at"] == "acme_corp"
    assert (await client.concept("acme_corp")).edges[0].parent == "company"


async def test_observation_that_contradicts_is_not_held(graph, client):
    """
    The call is answered as ever, the graph has it as it was given, and the memory holds
    what it held.
    """
    await graph.create(("gnommoweb", "repo"))

    result = await graph.client.call_tool(
        "add_observations",
        {"observations": [{"entityName": "gnommoweb", "contents": ["is a container"]}]},
    )

    assert result.structured_content == {
        "results": [
            {"entityName": "gnommoweb", "addedObservations": ["is a container"]}
        ]
    }
    (refused,) = result.meta["festinger/contradictions"]
    assert refused["held"] == "gnommoweb -isa repo"
    assert [it.parent for it in (await client.concept("gnommoweb")).edges] == ["repo"]
    assert (await client.conflict(refused["conflict"])).state == 1
    assert (await graph.whole())["gnommoweb"] == ["is a container"]


async def test_fact_ends_with_the_observation_that_stated_it(graph, client):
    """And stays with those of the others."""
    await graph.create(("gnommoweb", "repo", "runs on kubernetes"))
    deletions = [{"entityName": "gnommoweb", "observations": ["runs on kubernetes"]}]

    await graph.call("delete_observations", deletions=deletions)

    assert [it.parent for it in (await client.concept("gnommoweb")).edges] == ["repo"]


async def test_graph_is_a_resource(company):
    """As JSON, of the form that read_graph answers."""
    (listed,) = (await company.client.list_resources()).resources
    (read,) = (await company.client.read_resource(listed.uri)).contents

    assert (listed.uri, listed.name) == ("memory://knowledge-graph", "knowledge-graph")
    assert (listed.title, listed.mime_type) == ("Knowledge Graph", "application/json")
    assert (read.uri, read.mime_type) == (listed.uri, "application/json")
    assert json.loads(read.text) == await company.call("read_graph")


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("no_such_tool", {}),
        ("open_nodes", {}),
        ("open_nodes", {"names": "Alice"}),
        ("search_nodes", {"query": 7}),
        ("create_entities", {"entities": [{"name": "x"}]}),
        ("create_relations", {"relations": [{"from": "x", "to": "y"}]}),
    ],
)
async def test_bad_call_is_refused(graph, tool, arguments):
    """Without a trace, and the server goes on."""
    with pytest.raises(ToolRefused, match="MCP error -32602"):
        await graph.call(tool, **arguments)

    assert await graph.whole() == {"": []}


async def test_what_is_too_long_is_refused(graph):
    """With the limit, as an error of the call."""
    with pytest.raises(ToolRefused, match="at most 64000 characters"):
        await graph.create(("Alice", "person", "x" * 70_000))

    assert await graph.whole() == {"": []}


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_nothing_is_kept_of_who_has_gone(memory, data_dir, mode):
    """However many graphs clients subscribe to and change: as much as after the first ones."""
    callers: Any = ManyProjects(data_dir)
    server = ReferenceServer(memory, callers)
    counts = []
    for _ in range(2):
        async with (
            mcp.Client(server.server(), mode=mode) as client,
            subscribed(client, mode),
        ):
            for name in ("Alice", "Bob", "Charlie"):
                await GraphTools(client).create(name)
        counts.append(kept_objects())

    assert counts[1] == counts[0]


async def test_reference_is_served_over_standard_streams(stdio):
    """By an option of the command."""
    async with stdio("--reference") as client:
        graph = GraphTools(client)
        await graph.create(ALICE)
        tools = (await client.list_tools()).tools

        assert len(tools) == 9
        assert (await graph.whole())["Alice"] == list(ALICE[2:])
