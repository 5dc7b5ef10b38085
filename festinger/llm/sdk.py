"""What both SDKs have in common: their connections, and their errors.

They are made by one generator: their clients and errors have the same names.
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
from festinger.llm.failures import ANSWER_BYTES_MAX, TooLarge

Shape = TypeVar("Shape", bound=BaseModel)

CONNECT_SECONDS_MAX = 10.0


@asynccontextmanager
async def connected(
    name: str,
    model: Model,
    make: Callable[[ModuleType, Any], Any],
    method: Callable[[Any], Any],
    prepare: Callable[[Any], Awaitable[None]],
) -> AsyncIterator[Any]:
    """A method of an SDK's client, for one request, whose failures become ours.

    Args:
        name: The SDK's.
        make: Makes the client, of the SDK and of connections for it.
        method: Finds the method in it.
        prepare: Gets each request before it is sent.

    Raises:
        TryAgain: It failed in a way that may pass in a moment.
        ModelError: It failed otherwise.
    """
    # To import it, and to read the certificates, would keep the prompts waiting.
    sdk, client, found = await asyncio.to_thread(_made, name, make, method, prepare)
    try:
        async with client:
            yield found
    except sdk.APIStatusError as error:
        raise failures.of_status(
            model, error.status_code, error.response.headers, error.body
        ) from None
    except sdk.APIError as error:
        if isinstance(error.__cause__, TooLarge):
            raise failures.of_size(model) from None
        raise failures.of_connection(model) from None
    except TooLarge:
        raise failures.of_size(model) from None


def read(shape: type[Shape], response: Any, model: Model) -> Shape:
    """What a raw response says, as far as we need it.

    Raises:
        TryAgain: It is none of the provider's API.
    """
    try:
        return shape.model_validate_json(response.http_response.content)
    except ValidationError:
        raise failures.of_garbage(model) from None


def _made(
    name: str,
    make: Callable[[ModuleType, Any], Any],
    method: Callable[[Any], Any],
    prepare: Callable[[Any], Awaitable[None]],
) -> tuple[ModuleType, Any, Any]:
    sdk = import_module(name)
    connections = sdk.DefaultAsyncHttpxClient(
        # The time that a request may take is the caller's business.
        timeout=sdk.Timeout(None, connect=CONNECT_SECONDS_MAX),
        # A key goes where the operator said, and nowhere else.
        follow_redirects=False,
        # Its size could not be told from what comes.
        headers={"accept-encoding": "identity"},
        event_hooks={"request": [prepare], "response": [_bounded]},
    )
    client = make(sdk, connections)
    return sdk, client, method(client)


async def _bounded(response: Any) -> None:
    """Has reading a response fail where it gets too large."""
    from httpx2 import AsyncByteStream

    class Bounded(AsyncByteStream):
        """A body of a bearable size."""

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
            """Closes the connection."""
            await self._whole.aclose()

    if response.headers.get("content-encoding", "identity") != "identity":
        raise TooLarge
    response.stream = Bounded(response.stream)
