"""Explanations of a prompt's lines: every considered line with its score."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, Final

from festinger.api.v1 import line_service_pb2 as pb
from festinger.api.v1 import memory_service_pb2 as memory_pb
from festinger.api.v1.embedding_pb2 import Embedding
from festinger.core.recollection.names import is_quote
from festinger.shim.recollection.facts import line_json
from festinger.shim.recollection.ledger import ToldLine
from festinger.shim.recollection.memory import MemoryClient
from festinger.shim.recollection.request_records import (
    GONE,
    RequestRecord,
    SessionRequests,
)
from festinger.shim.system.calls import MemoryRefused
from festinger.shim.system.identity import RequestCaller

UNSURE: Final = "(the memory cannot be asked whether this still holds)"
"""Placeholder for a quotation while the memory server is unavailable."""

# Scores and features are for people, who compare but do not compute with them.
_DIGITS: Final = 3


async def hidden_quotes(
    history: SessionRequests, memory: MemoryClient, caller: RequestCaller
) -> dict[str, str]:
    """Return the quotations of a session that must not be shown, and their placeholders."""
    # Sorted, so that the answer's indexes have a fixed meaning.
    quotes = sorted(set(_quotes(history)))
    if not quotes:
        return {}
    told = [
        memory_pb.RecollectRequest.Told(concept=concept, text=text, kept=True)
        for concept, text in quotes
    ]
    try:
        # Without turns: the memory only checks the lines, and reads and counts nothing.
        request = memory_pb.RecollectRequest(told=told, without_hints=True)
        response: memory_pb.RecollectResponse = await memory.call(request, caller)
    except MemoryRefused:
        # Rather hidden than shown after somebody had it forgotten.
        return {text: UNSURE for _, text in quotes}
    return {quotes[it.told_index][1]: GONE for it in response.changes}


async def explain(
    prompt: str,
    project: str,
    memory: MemoryClient,
    caller: RequestCaller,
    embedding: Embedding | None = None,
) -> dict[str, Any]:
    """Return the lines that a prompt would get, with reasons, and the rejected ones.

    Raises:
        MemoryRefused: The memory refuses or cannot be reached.
    """
    request = pb.ExplainRequest(prompt=prompt, project=project, embedding=embedding)
    answer: pb.ExplainResponse = await memory.call(request, caller)
    return {"block": answer.block, **_considered(answer, "")}


async def considered(
    accounts: Sequence[RequestRecord], memory: MemoryClient, caller: RequestCaller
) -> list[dict[str, Any] | None]:
    """Return the lines that the memory considers for each of some prompts now.

    Lines that quote the prompt itself are left out. The result is None for a request
    without a prompt, and if the memory refuses or cannot be reached.
    """

    async def one(account: RequestRecord) -> dict[str, Any] | None:
        """Return the explanation of an account's prompt."""
        if not account.asked.strip():
            return None
        request = pb.ExplainRequest(
            prompt=account.asked,
            project=account.project,
            embedding=account.embedding,
        )
        try:
            answer: pb.ExplainResponse = await memory.call(request, caller)
        except MemoryRefused:
            return None
        return _considered(answer, account.asked)

    # Up to `REQUESTS_MAX` questions at once, so that a report takes the time of one.
    return await asyncio.gather(*map(one, accounts))


def lines_considered(body: dict[str, Any]) -> Iterator[str]:
    """Yield the considered lines as lines of text."""
    yield (
        f"  needs this memory: {body['openness']:.2f} "
        f"(told from {body['threshold']:.2f} on)"
    )
    for heading, key in (("would be told", "told"), ("not told", "not_told")):
        if body[key]:
            yield f"  {heading}:"
        for it in body[key]:
            features = ", ".join(f"{k} {v:g}" for k, v in it["features"].items())
            because = f"{it['why']}: " if it["why"] else ""
            # A hint has three lines.
            text = it["text"].partition("\n")[0]
            yield f"    {it['probability']:.2f}  {text}   — {because}{features}"


def _quotes(history: SessionRequests) -> Iterator[tuple[str, str]]:
    """Yield the concepts and texts of a session's quotations."""
    # Quotations stand in three places: new lines, standing blocks, and replacements.
    told: list[Iterable[ToldLine]] = [it.told for it in history.requests]
    told += [block.lines for block in history.standing.values()]
    for lines in told:
        yield from (line[:2] for line in lines if line.quote)
    for account in history.requests:
        yield from (
            (it.concept, it.old) for it in account.rewritten if is_quote(it.concept)
        )
        for change in account.response.changes if account.response else ():
            if is_quote(change.line.concept):
                yield change.line.concept, change.line.text


def _considered(answer: pb.ExplainResponse, asked: str) -> dict[str, Any]:
    return {
        "openness": round(answer.openness, _DIGITS),
        "threshold": round(answer.threshold, _DIGITS),
        "told": _lines(answer.told, asked),
        "not_told": _lines(answer.rejected, asked),
    }


def _lines(found: Collection[pb.ConsideredLine], asked: str) -> list[dict[str, Any]]:
    words = " ".join(asked.split())
    return [
        {
            **line_json(it.line),
            "probability": round(it.probability, _DIGITS),
            "features": {
                name: round(it.features[name], _DIGITS) for name in sorted(it.features)
            },
            "why": it.rejected,
        }
        for it in found
        # The memory has stored the prompt itself meanwhile, which was no candidate then.
        if not (words and " ".join(it.line.quote.split()) in words)
    ]
