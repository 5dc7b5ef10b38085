"""Connections and errors of the SDKs of Anthropic and OpenAI.

Both are made by the same generator: their clients and errors have the same names.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib import import_module
from types import ModuleType
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from festinger.core.system.models import Model
from festinger.llm import failures
from festinger.llm.failures import ANSWER_BYTES_MAX, CONNECT_SECONDS_MAX, TooLarge

Shape = TypeVar("Shape", bound=BaseModel)


@asynccontextmanager
async def connected(
    name: str,
    model: Model,
    make: Callable[[ModuleType, Any], tuple[Any, Any]],
    prepare: Callable[[Any], Awaitable[None]] | None = None,
) -> AsyncIterator[Any]:
    """Yield a method of an SDK's client for one request, translating its errors.

    Args:
        make: Creates the client from the SDK's module and an HTTP client, and returns it
            with its method.
        prepare: Called with each request before it is sent.

    Raises:
        TryAgain: The request failed, and a retry may succeed.
        ModelError: The request failed permanently.
    """
    # Importing the SDK and reading the certificates would block the event loop.
    sdk, client, found = await asyncio.to_thread(_made, name, make, prepare)
    try:
        # A client belongs to one request, since keys differ: its connections are closed.
        async with client:
            yield found
    except sdk.APIStatusError as error:
        raise failures.of_status(
            model, error.status_code, error.response.headers, error.body
        ) from None
    except sdk.APIError as error:
        # The SDK wraps what is raised while it sends, as an error of the connection.
        if isinstance(error.__cause__, TooLarge):
            raise failures.of_size(model) from None
        raise failures.of_connection(model) from None
    except TooLarge:
        raise failures.of_size(model) from None


def read(shape: type[Shape], response: Any, model: Model) -> Shape:
    """Parse the used part of a raw response.

    Raises:
        TryAgain: It does not follow the provider's API.
    """
    try:
        # The raw body: the SDKs' own models accept anything.
        return shape.model_validate_json(response.http_response.content)
    except ValidationError:
        raise failures.of_garbage(model) from None


def _made(
    name: str,
    make: Callable[[ModuleType, Any], tuple[Any, Any]],
    prepare: Callable[[Any], Awaitable[None]] | None,
) -> tuple[ModuleType, Any, Any]:
    sdk = import_module(name)
    connections = sdk.DefaultAsyncHttpxClient(
        # The caller limits the total time of a request.
        timeout=sdk.Timeout(None, connect=CONNECT_SECONDS_MAX),
        # A key is only sent to the configured address.
        follow_redirects=False,
        # The size of a compressed body is unknown until it is decompressed.
        headers={"accept-encoding": "identity"},
        event_hooks={"request": [prepare] if prepare else [], "response": [_bounded]},
    )
    return sdk, *make(sdk, connections)


async def _bounded(response: Any) -> None:
    """Limit the size of a response: reading beyond it fails."""
    from httpx2 import AsyncByteStream

    class BoundedBody(AsyncByteStream):
        """A response body with a maximum size."""

        def __init__(self, whole: Any) -> None:
            self._whole = whole

        async def __aiter__(self) -> AsyncIterator[bytes]:
            size = 0
            async for chunk in self._whole:
                size += len(chunk)
                if size > ANSWER_BYTES_MAX:
                    raise TooLarge
                yield chunk

        async def aclose(self) -> None:
            """Close the connection."""
            await self._whole.aclose()

    if response.headers.get("content-encoding", "identity") != "identity":
        raise TooLarge
    response.stream = BoundedBody(response.stream)
