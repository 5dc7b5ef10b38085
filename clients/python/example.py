"""Tell a memory server two facts, and have a prompt recollected.

python example.py HOST:PORT
"""

from __future__ import annotations

import asyncio
import sys

from festinger.api.v1.memory_service_pb2 import RecollectRequest, Turn
from festinger.api.v1.outcome_pb2 import Outcome
from festinger.client import AsyncClient, Client


def tell(address: str) -> None:
    """State facts; the second contradicts the first."""
    with Client(address) as memory:
        # One kind for a concept: the second statement waits for a decision, the first stays.
        for fact in ("gnommoweb -isa repo", "gnommoweb -isa database"):
            outcome = memory.assert_fact(fact)
            print(f"{fact}: {Outcome.Verdict.Name(outcome.verdict)}")


async def ask(address: str) -> None:
    """Have a prompt recollected over an open stream."""
    # Seen before, so that it is told what is known, and is not learned from.
    turn = Turn(role=Turn.ROLE_USER, text="What is gnommoweb?", seen=True)
    async with AsyncClient(address) as memory, memory.open_stream() as stream:
        answer = await stream.recollect(RecollectRequest(turns=[turn]))
        print(answer.block)


if __name__ == "__main__":
    tell(sys.argv[1])
    asyncio.run(ask(sys.argv[1]))
