"""LiteLLM, driven line by line: requests come in, what it gives goes out, as JSON.

Runs in LiteLLM's own environment and imports nothing of ours. A request names one of
LiteLLM's functions and its arguments. One that is made `apart` is made by a fork, which
says its `pid`, so that it can be killed, as is said when it was. The chunks of a stream go out as they come; what
ends an answer is an `answer` or an `error`.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import sys
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import litellm  # type: ignore[import-not-found]

Say = Callable[..., None]


def main() -> None:
    """Answer requests until there are no more."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    # LiteLLM prints advice, which must not get between the lines.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    litellm.suppress_debug_info = True

    def say(**event: Any) -> None:
        out.write(json.dumps(event) + "\n")
        out.flush()

    # Of a stream that broke, LiteLLM leaves a generator that nobody closes. If garbage is
    # collected while its HTTP client holds the lock of its connections, closing it waits
    # for that same lock, for ever. So it is collected between two requests only: what is
    # of the last two, since to look at all that LiteLLM has made takes longer than it does.
    gc.disable()
    gc.freeze()
    say(version=version("litellm"))
    # LiteLLM keeps its connections for one loop, so all requests share this one.
    with asyncio.Runner() as runner:
        for line in sys.stdin:
            gc.collect(1)
            request = json.loads(line)
            function = getattr(litellm, request["function"])
            arguments = request["arguments"]
            if request["apart"]:
                if pid := os.fork():
                    say(killed=os.WIFSIGNALED(os.waitpid(pid, 0)[1]))
                    continue
                say(pid=os.getpid())
            try:
                if asyncio.iscoroutinefunction(function):
                    runner.run(_ask_async(function, arguments, say))
                else:
                    _ask(function, arguments, say)
            except Exception as error:
                kinds = [kind.__name__ for kind in type(error).__mro__]
                say(error=str(error), kinds=kinds)
            if request["apart"]:
                os._exit(0)


def _ask(function: Any, arguments: dict[str, Any], say: Say) -> None:
    response = function(**arguments)
    if not arguments.get("stream"):
        say(answer=_plain(response))
        return
    for chunk in response:
        say(chunk=_plain(chunk))
    say(answer=None)


async def _ask_async(function: Any, arguments: dict[str, Any], say: Say) -> None:
    response = await function(**arguments)
    if not arguments.get("stream"):
        say(answer=_plain(response))
        return
    async for chunk in response:
        say(chunk=_plain(chunk))
    say(answer=None)


def _plain(response: Any) -> dict[str, Any]:
    """Return a response, without what differs from one to the next."""
    dumped: dict[str, Any] = response.model_dump()
    if "data" in dumped:
        return {"vectors": [each["embedding"] for each in dumped["data"]]}
    choice = dumped["choices"][0]
    message = choice.get("message") or choice.get("delta") or {}
    calls = [call["function"] for call in message.get("tool_calls") or []]
    return {
        "text": message.get("content") or "",
        "calls": [[call["name"], call["arguments"]] for call in calls],
        "finish": choice.get("finish_reason"),
    }


if __name__ == "__main__":
    main()
