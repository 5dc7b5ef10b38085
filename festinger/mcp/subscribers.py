"""Those who want to know of changes of a graph."""

from __future__ import annotations

from typing import Any, Final
from weakref import WeakKeyDictionary, WeakValueDictionary

from mcp.server.connection import Connection
from mcp.server.context import ServerRequestContext
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ListenHandler,
    ResourceUpdated,
)
from mcp_types import SubscriptionsListenRequestParams, SubscriptionsListenResult

from festinger.mcp.memory import Place

URI: Final = "memory://knowledge-graph"


class GraphSubscribers:
    """Subscribers of the graphs of tenants and projects."""

    def __init__(self) -> None:
        # Newer clients listen by a call that lasts, older ones subscribe once for as long
        # as they are connected. Weak: a bus is held by those who listen to it, a
        # connection by the library, and nothing is kept of those who have gone.
        self._buses: WeakValueDictionary[Place, InMemorySubscriptionBus] = (
            WeakValueDictionary()
        )
        self._subscribed: WeakKeyDictionary[Connection, Place] = WeakKeyDictionary()

    def add(self, ctx: ServerRequestContext[Any, Any], place: Place) -> None:
        """Subscribe the connection of a request to one graph, and no other."""
        self._subscribed[_connection(ctx)] = place  # a notification names none

    def remove(self, ctx: ServerRequestContext[Any, Any]) -> None:
        """End the subscription of the connection of a request, if it has one."""
        self._subscribed.pop(_connection(ctx), None)

    async def listen(
        self,
        ctx: ServerRequestContext[Any, Any],
        params: SubscriptionsListenRequestParams,
        place: Place,
    ) -> SubscriptionsListenResult:
        """Tell a client of changes until it goes."""
        bus = self._buses.setdefault(place, InMemorySubscriptionBus())
        return await ListenHandler(bus)(ctx, params)

    async def notify(self, place: Place) -> None:
        """Tell the subscribers of a graph that it changed."""
        if bus := self._buses.get(place):
            await bus.publish(ResourceUpdated(uri=URI))
        # A copy: connections may go while one of them is written to.
        for connection, wanted in [*self._subscribed.items()]:
            if wanted == place:
                await connection.send_resource_updated(URI)


def _connection(ctx: ServerRequestContext[Any, Any]) -> Connection:
    # A session is made for each request; the library shows nothing else that lasts.
    return ctx.session._connection
