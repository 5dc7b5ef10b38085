"""A stand-in for Ollama on 127.0.0.1:11434, which prints what the model was given.

    python -m tools.standin [PORT]

The tutorial uses it, where there is no Ollama. Every prompt is answered with a sentence.
"""

from __future__ import annotations

import asyncio
import sys

from festinger.standin import StandIn


async def run(port: int) -> None:
    """Answer until the process is interrupted; print the messages of each chat."""
    ollama = StandIn()
    print(
        f"A stand-in for Ollama listens on {await ollama.start(port=port)}", flush=True
    )
    shown = 0
    while True:
        await asyncio.sleep(0.1)
        for request in ollama.requests[shown:]:
            if request.path == "/api/chat":
                print("\nthe model was given:")
                for message in request.json["messages"]:
                    print(f"  {message['role']}: {message['content']}", flush=True)
        shown = len(ollama.requests)


if __name__ == "__main__":
    asyncio.run(run(int(sys.argv[1]) if len(sys.argv) > 1 else 11434))
