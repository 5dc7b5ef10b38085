"""The tool `why`: what is held of something, who said it, and what happened to it."""

from __future__ import annotations

from typing import Final

from pydantic import BaseModel, Field

from festinger.api.v1.concept_service_pb2 import GetConceptRequest, HistoryRequest
from festinger.api.v1.history_pb2 import HistoryEvent
from festinger.api.v1.outcome_pb2 import Outcome
from festinger.mapping import word_of
from festinger.mcp.answers import fact_of
from festinger.mcp.memory import McpCaller, MemoryCalls

EVENTS_READ_MAX: Final = 1000  # in a page
EVENTS_TOLD_MAX: Final = 20


class HeldFact(BaseModel):
    """A fact, and where it comes from."""

    fact: str
    said: str = Field(
        description="The words it was read from; empty if stated as such."
    )
    by: str
    when: str = Field(description="Time in ISO 8601.")
    confidence: float
    contested: bool = Field(description="Whether a contradiction waits for a person.")


class WhyAnswer(BaseModel):
    """Facts that are held of something, and their history."""

    facts: list[HeldFact]
    history: list[str] = Field(description="What happened, the oldest first.")


async def why(memory: MemoryCalls, caller: McpCaller, subject: str) -> WhyAnswer:
    """Return the facts about a subject with their sources, and its latest events.

    Raises:
        MemoryRefusal: The subject is not known.
    """
    found = await memory.call(GetConceptRequest(token=subject), caller)
    # All pages: facts may have been stated long ago, and the oldest come first.
    request = HistoryRequest(token=subject, page_size=EVENTS_READ_MAX)
    pages = memory.pages(request, caller)
    events: list[HistoryEvent] = [it async for page in pages for it in page.events]
    # The ledger entry that made the edge has the words and their author.
    stated = {
        it.assertion_id: it for it in events if it.kind == HistoryEvent.KIND_STATED
    }
    facts = []
    for edge in found.concept.edges:
        # What was imported without its author has no such entry.
        origin = stated.get(edge.assertion_id, HistoryEvent())
        facts.append(
            HeldFact(
                fact=fact_of(edge),
                said=origin.text,
                by=origin.principal,
                when=edge.last_confirm_time.ToJsonString(),
                confidence=round(edge.confidence, 2),
                contested=edge.contested,
            )
        )
    # The newest only: a model has no use for a long history.
    return WhyAnswer(
        facts=facts, history=[_told(it) for it in events[-EVENTS_TOLD_MAX:]]
    )


def _told(event: HistoryEvent) -> str:
    what = word_of(HistoryEvent.Kind, event.kind)
    if event.kind == HistoryEvent.KIND_STATED:
        what += f" ({word_of(Outcome.Verdict, event.verdict)})"
    # Decisions end facts by a name of their own, such as `conflict 7`; some have neither.
    by = f" by {event.principal or event.closed_by}".removesuffix(" by ")
    text = f': "{event.text}"' if event.text else ""
    day = event.event_time.ToJsonString()[:10]
    return f"{day} {what}{by}: {fact_of(event.triple)}{text}"
