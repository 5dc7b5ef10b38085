"""Tools of the reference memory server, as clients are told of them."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from mcp_types import Tool, ToolAnnotations, ToolExecution

JsonSchema = dict[str, Any]


class ReferenceTool(NamedTuple):
    """A tool of the reference memory server.

    Attributes:
        title: Name for people.
        description: What it does, for models.
        takes: Schemas of its arguments, all of which are required.
        returns: Schemas of the members of its structured result.
        reads: Whether it changes nothing.
        deletes: Whether it deletes, for which repeating it changes nothing more.
    """

    title: str
    description: str
    takes: dict[str, JsonSchema]
    returns: dict[str, JsonSchema]
    reads: bool = False
    deletes: bool = False

    def described(self, name: str) -> Tool:
        """Return its description in the protocol's form."""
        return Tool(
            name=name,
            title=self.title,
            description=self.description,
            # Arguments may have other members, results may not: as in the reference server.
            input_schema={"$schema": _DRAFT, **_object(self.takes, is_open=True)},
            output_schema={"$schema": _DRAFT, **_object(self.returns)},
            execution=ToolExecution(task_support="forbidden"),
            annotations=ToolAnnotations(
                read_only_hint=self.reads,
                # A client may ask its user before a call that deletes.
                destructive_hint=self.deletes,
                idempotent_hint=self.reads or self.deletes,
                open_world_hint=False,
            ),
        )


# Of JSON Schema: the dialect that the reference server names.
_DRAFT: Final = "http://json-schema.org/draft-07/schema#"


def _text(description: str = "") -> JsonSchema:
    return {"type": "string", **_described(description)}


def _list(items: JsonSchema, description: str = "") -> JsonSchema:
    return {"type": "array", "items": items, **_described(description)}


def _object(members: dict[str, JsonSchema], *, is_open: bool = False) -> JsonSchema:
    schema: JsonSchema = {"type": "object", "properties": members}
    if members:
        # The reference server has no empty list of required members.
        schema["required"] = list(members)
    return schema if is_open else schema | {"additionalProperties": False}


def _described(description: str) -> JsonSchema:
    return {"description": description} if description else {}


_ENTITY_MEMBERS: Final = {
    "name": _text("The name of the entity"),
    "entityType": _text("The type of the entity"),
    "observations": _list(
        _text(), "An array of observation contents associated with the entity"
    ),
}
_RELATION_MEMBERS: Final = {
    "from": _text("The name of the entity where the relation starts"),
    "to": _text("The name of the entity where the relation ends"),
    "relationType": _text("The type of the relation"),
}
ENTITY: Final = _object(_ENTITY_MEMBERS, is_open=True)
"""Schema of an entity that may have other members, too."""
RELATION: Final = _object(_RELATION_MEMBERS, is_open=True)
"""Schema of such a relation."""
_GRAPH: Final = {
    "entities": _list(_object(_ENTITY_MEMBERS)),
    "relations": _list(_object(_RELATION_MEMBERS)),
}
_DONE: Final[dict[str, JsonSchema]] = {
    "success": {"type": "boolean"},
    "message": {"type": "string"},
}

TOOLS: Final = {
    # Words and order are those of the reference server, as models know them.
    "create_entities": ReferenceTool(
        "Create Entities",
        "Create multiple new entities in the knowledge graph",
        {"entities": _list(ENTITY)},
        {"entities": _list(_object(_ENTITY_MEMBERS))},
    ),
    "create_relations": ReferenceTool(
        "Create Relations",
        "Create multiple new relations between entities in the knowledge graph. "
        "Relations should be in active voice",
        {"relations": _list(RELATION)},
        {"relations": _list(_object(_RELATION_MEMBERS))},
    ),
    "add_observations": ReferenceTool(
        "Add Observations",
        "Add new observations to existing entities in the knowledge graph",
        {
            "observations": _list(
                _object(
                    {
                        "entityName": _text(
                            "The name of the entity to add the observations to"
                        ),
                        "contents": _list(
                            _text(), "An array of observation contents to add"
                        ),
                    },
                    is_open=True,
                )
            )
        },
        {
            "results": _list(
                _object({"entityName": _text(), "addedObservations": _list(_text())})
            )
        },
    ),
    "delete_entities": ReferenceTool(
        "Delete Entities",
        "Delete multiple entities and their associated relations from the knowledge "
        "graph",
        {"entityNames": _list(_text(), "An array of entity names to delete")},
        _DONE,
        deletes=True,
    ),
    "delete_observations": ReferenceTool(
        "Delete Observations",
        "Delete specific observations from entities in the knowledge graph",
        {
            "deletions": _list(
                _object(
                    {
                        "entityName": _text(
                            "The name of the entity containing the observations"
                        ),
                        "observations": _list(
                            _text(), "An array of observations to delete"
                        ),
                    },
                    is_open=True,
                )
            )
        },
        _DONE,
        deletes=True,
    ),
    "delete_relations": ReferenceTool(
        "Delete Relations",
        "Delete multiple relations from the knowledge graph",
        {"relations": _list(RELATION, "An array of relations to delete")},
        _DONE,
        deletes=True,
    ),
    "read_graph": ReferenceTool(
        "Read Graph", "Read the entire knowledge graph", {}, _GRAPH, reads=True
    ),
    "search_nodes": ReferenceTool(
        "Search Nodes",
        "Search for nodes in the knowledge graph based on a query",
        {
            "query": _text(
                "The search query to match against entity names, types, and "
                "observation content"
            )
        },
        _GRAPH,
        reads=True,
    ),
    "open_nodes": ReferenceTool(
        "Open Nodes",
        "Open specific nodes in the knowledge graph by their names",
        {"names": _list(_text(), "An array of entity names to retrieve")},
        _GRAPH,
        reads=True,
    ),
}
