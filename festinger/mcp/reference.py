"""A server with the tools of the reference memory server, over the one memory."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from typing import Any, Final

from jsonschema import Draft7Validator
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.mcpserver.exceptions import ToolError
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    EmptyResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    SubscribeRequestParams,
    SubscriptionsListenRequestParams,
    SubscriptionsListenResult,
    TextContent,
    TextResourceContents,
    UnsubscribeRequestParams,
)

from festinger.api.v1.outcome_pb2 import Outcome
from festinger.mcp import graph
from festinger.mcp.answers import fact_of
from festinger.mcp.graph import GraphStore, JsonObject
from festinger.mcp.graph_file import GraphFile
from festinger.mcp.memory import CallerSource, McpCaller, MemoryCalls, Place
from festinger.mcp.reference_tools import TOOLS
from festinger.mcp.subscribers import URI, GraphSubscribers

CONTRADICTIONS: Final = "festinger/contradictions"
"""Member of a result's `_meta` with the statements that are not held."""

RequestContext = ServerRequestContext[Any, Any]


class ReferenceServer:
    """The handlers of the server.

    Args:
        callers: Finds on whose behalf a tool is called.
        file: The file of the graph; None for the graph that has none.
    """

    def __init__(
        self, memory: MemoryCalls, callers: CallerSource, file: GraphFile | None = None
    ) -> None:
        self._store = file.store if file else GraphStore(memory)
        self._file = file
        self._callers = callers
        # Texts and schemas are those of `@modelcontextprotocol/server-memory`, whose users
        # change one line of a configuration.
        self._tools = [tool.described(name) for name, tool in TOOLS.items()]
        self._validators = {
            it.name: Draft7Validator(it.input_schema) for it in self._tools
        }
        self._subscribers = GraphSubscribers()

    def server(self) -> Server[Any]:
        """Return the server with these handlers."""
        return Server(
            "festinger",
            title="Festinger memory",
            version=version("festinger"),
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
            on_subscribe_resource=self._subscribe,
            on_unsubscribe_resource=self._unsubscribe,
            on_subscriptions_listen=self._listen,
        )

    async def _list_tools(
        self, ctx: RequestContext, params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        return ListToolsResult(tools=self._tools)

    async def _call_tool(
        self, ctx: RequestContext, params: CallToolRequestParams
    ) -> CallToolResult:
        arguments = params.arguments or {}
        caller = self._callers.caller(_headers(ctx))
        try:
            # Checked first: a wrong call takes nothing in and writes nothing.
            self._check(params.name, arguments)
            # What other programs wrote into the file belongs to the graph.
            if self._file:
                await self._file.read_in(caller)
            result = await self._answer(params.name, arguments, caller)
            if self._file and not TOOLS[params.name].reads:
                await self._file.write(caller)
        except ToolError as error:
            return CallToolResult(content=[_words(str(error))], is_error=True)
        # After the change is kept and written: who is told may read at once.
        if not TOOLS[params.name].reads:
            await self._subscribers.notify(caller.place)
        return result

    def _check(self, name: str, arguments: JsonObject) -> None:
        """Check a call. Raises `ToolError`."""
        # Messages begin as those of the reference server, which clients may know.
        if name not in self._validators:
            raise ToolError(f"MCP error -32602: Tool {name} not found")
        # In order of their places, so that the same call has the same answer.
        errors = sorted(
            self._validators[name].iter_errors(arguments), key=lambda it: it.json_path
        )
        if errors:
            # The values are the caller's: only their places and types are told.
            told = ", ".join(
                f"{it.validator} {it.validator_value!r} at {it.json_path}"
                for it in errors[:5]
            )
            raise ToolError(
                "MCP error -32602: Input validation error: Invalid arguments for tool "
                f"{name}: {told}"
            )

    async def _answer(
        self, name: str, arguments: JsonObject, caller: McpCaller
    ) -> CallToolResult:
        store = self._store
        match name, arguments:
            case "create_entities", {"entities": entities}:
                made = await graph.create_entities(store, caller, entities)
                return _changed("entities", *made)
            case "create_relations", {"relations": relations}:
                made = await graph.create_relations(store, caller, relations)
                return _changed("relations", *made)
            case "add_observations", {"observations": observations}:
                made = await graph.add_observations(store, caller, observations)
                return _changed("results", *made)
            case "delete_entities", {"entityNames": names}:
                await graph.delete_entities(store, caller, names)
                return _done("Entities deleted successfully")
            case "delete_observations", {"deletions": deletions}:
                await graph.delete_observations(store, caller, deletions)
                return _done("Observations deleted successfully")
            case "delete_relations", {"relations": relations}:
                await graph.delete_relations(store, caller, relations)
                return _done("Relations deleted successfully")
        known = await store.read(caller)
        match name, arguments:
            case "search_nodes", {"query": query}:
                return _shown(known.shown(known.matching(query)))
            case "open_nodes", {"names": names}:
                # Names that are no entities are left out; relations of theirs as well.
                return _shown(known.shown(set(names) & known.entities.keys()))
        return _shown(known.shown())

    async def _list_resources(
        self, ctx: RequestContext, params: PaginatedRequestParams | None
    ) -> ListResourcesResult:
        return ListResourcesResult(
            resources=[
                Resource(
                    uri=URI,
                    name="knowledge-graph",
                    title="Knowledge Graph",
                    description="The full knowledge graph with all entities and relations",
                    mime_type="application/json",
                )
            ]
        )

    async def _list_templates(
        self, ctx: RequestContext, params: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        # None: the answer says so, where an error would say that there is no such call.
        return ListResourceTemplatesResult(resource_templates=[])

    async def _read_resource(
        self, ctx: RequestContext, params: ReadResourceRequestParams
    ) -> ReadResourceResult:
        if params.uri != URI:
            raise MCPError(
                INVALID_PARAMS, f"MCP error -32602: Resource {params.uri} not found"
            )
        with _refusals():
            caller = self._callers.caller(_headers(ctx))
            if self._file:
                await self._file.read_in(caller)
            known = await self._store.read(caller)
        text = _json(known.shown())
        return ReadResourceResult(
            contents=[
                TextResourceContents(uri=URI, mime_type="application/json", text=text)
            ]
        )

    async def _subscribe(
        self, ctx: RequestContext, params: SubscribeRequestParams
    ) -> EmptyResult:
        # Others do not exist, so that there is nothing to be told of them.
        if params.uri == URI:
            self._subscribers.add(ctx, await self._readable_place(ctx))
        return EmptyResult()

    async def _unsubscribe(
        self, ctx: RequestContext, params: UnsubscribeRequestParams
    ) -> EmptyResult:
        if params.uri == URI:
            self._subscribers.remove(ctx)
        return EmptyResult()

    async def _listen(
        self, ctx: RequestContext, params: SubscriptionsListenRequestParams
    ) -> SubscriptionsListenResult:
        place = await self._readable_place(ctx)
        return await self._subscribers.listen(ctx, params, place)

    async def _readable_place(self, ctx: RequestContext) -> Place:
        """Return the place of a request's graph. Raises `MCPError`."""
        # A header names any tenant: who may not read a graph is not told of its changes.
        with _refusals():
            caller = self._callers.caller(_headers(ctx))
            await self._store.require_reader(caller)
        return caller.place


@contextmanager
def _refusals() -> Iterator[None]:
    """Turn refusals into errors of the protocol, for what is no tool."""
    try:
        yield
    except ToolError as error:
        raise MCPError(INVALID_PARAMS, str(error)) from None


def _headers(ctx: RequestContext) -> Mapping[str, str] | None:
    return getattr(ctx.request, "headers", None)


def _changed(
    member: str, items: list[JsonObject], outcomes: Iterable[Outcome]
) -> CallToolResult:
    # What contradicts is kept as it was given and not held; `_meta` says so without
    # changing the form of the answer.
    refused = [
        {
            "conflict": it.conflict_id,
            "new": fact_of(it.triple),
            "held": fact_of(it.edge),
        }
        for it in outcomes
        if it.verdict == Outcome.VERDICT_CONFLICTED
    ]
    return CallToolResult(
        # Text for older clients, structured for newer ones; the reference server sends both.
        content=[_words(_json(items))],
        structured_content={member: items},
        _meta={CONTRADICTIONS: refused} if refused else None,
    )


def _done(message: str) -> CallToolResult:
    return CallToolResult(
        content=[_words(message)],
        structured_content={"success": True, "message": message},
    )


def _shown(known: JsonObject) -> CallToolResult:
    return CallToolResult(content=[_words(_json(known))], structured_content=known)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


def _words(text: str) -> TextContent:
    return TextContent(text=text)
