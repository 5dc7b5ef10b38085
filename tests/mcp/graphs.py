"""The tools of the reference memory server, as a test calls them."""

from __future__ import annotations

import json
from typing import Any

import mcp


class ToolRefused(Exception):
    """A call ended in an error."""


class GraphTools:
    """Calls the tools of a connected server."""

    def __init__(self, client: mcp.Client):
        self.client = client

    async def call(self, name: str, **arguments: Any) -> Any:
        """Return the structured result of a call, which its text repeats."""
        result = await self.client.call_tool(name, arguments)
        (content,) = result.content
        text = getattr(content, "text", "")
        if result.is_error:
            raise ToolRefused(text)
        answer = result.structured_content
        told = answer["message"] if "message" in answer else json.loads(text)
        assert told in (answer, *answer.values())
        return answer

    async def create(self, *entities: Any) -> Any:
        """Create entities, each a name, or a tuple of name, type and observations."""
        made = [
            {"name": it, "entityType": "person", "observations": []}
            if isinstance(it, str)
            else {"name": it[0], "entityType": it[1], "observations": list(it[2:])}
            for it in entities
        ]
        return (await self.call("create_entities", entities=made))["entities"]

    async def relate(self, *relations: str) -> Any:
        """Create relations, each written `from/type/to`."""
        made = [relation(it) for it in relations]
        return (await self.call("create_relations", relations=made))["relations"]

    async def observe(self, name: str, *contents: str) -> Any:
        """Add observations to an entity; those that were added."""
        each = {"entityName": name, "contents": list(contents)}
        added = await self.call("add_observations", observations=[each])
        return added["results"][0]["addedObservations"]

    async def whole(self) -> dict[str, Any]:
        """Return the graph: the observations of each entity, and the relations."""
        return seen(await self.call("read_graph"))


def relation(text: str) -> dict[str, str]:
    """Return a relation written `from/type/to`."""
    source, kind, target = text.split("/")
    return {"from": source, "to": target, "relationType": kind}


def seen(graph: Any) -> dict[str, Any]:
    """A graph by the names of its entities, with relations as they are written here."""
    return {
        **{it["name"]: it["observations"] for it in graph["entities"]},
        "": [
            f"{it['from']}/{it['relationType']}/{it['to']}" for it in graph["relations"]
        ],
    }
