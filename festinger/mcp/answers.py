"""Structured answers of the tools: flat, and worded for models."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from festinger.api.v1 import line_service_pb2 as lines
from festinger.api.v1.conflict_pb2 import Conflict
from festinger.api.v1.edge_pb2 import Edge
from festinger.api.v1.outcome_pb2 import Outcome
from festinger.api.v1.triple_pb2 import Triple

RememberStatus = Literal["stored", "known", "contradiction", "waits", "refused"]

# Words that a model understands without the documentation, for the gate's verdicts.
_STATUSES: dict[int, RememberStatus] = {
    Outcome.VERDICT_HELD: "stored",
    Outcome.VERDICT_CORROBORATED: "known",
    Outcome.VERDICT_CONFLICTED: "contradiction",
    Outcome.VERDICT_CANDIDATE: "waits",
    Outcome.VERDICT_REJECTED: "refused",
}
# A sentence may state several things: the model is told of what needs attention first.
_WORST_FIRST: tuple[RememberStatus, ...] = (
    "contradiction", "refused", "waits", "stored", "known",
)  # fmt: skip


class Contradiction(BaseModel):
    """Two statements that cannot both hold."""

    conflict: int = Field(description="Number of the conflict, for resolve.")
    held: str = Field(description="What is held, and stays so until a person decides.")
    new: str = Field(description="What was said against it. It is not held.")


class RememberAnswer(BaseModel):
    """Outcome of something that was told."""

    status: RememberStatus
    message: str
    facts: list[str] = Field(description="What is held now.")
    contradictions: list[Contradiction]
    decision: str = Field("", description="What a person decided, if one was asked.")


class RecalledLine(BaseModel):
    """One thing that is remembered."""

    text: str
    line: str = Field(description="Name of the line, for forget.")
    said_by: str
    when: str = Field(description="Time in ISO 8601; empty if unknown.")
    project: str


class RecallAnswer(BaseModel):
    """Lines that are remembered, the best first."""

    lines: list[RecalledLine]
    total: int = Field(description="How many lines the memory has.")


class ForgetAnswer(BaseModel):
    """Lines that are forgotten."""

    forgotten: list[str]


class ConflictsAnswer(BaseModel):
    """Contradictions that wait for a person, the oldest first."""

    conflicts: list[Contradiction]
    more: bool = Field(description="Whether there are more.")


class ResolveAnswer(BaseModel):
    """Decision of a person."""

    decision: str


def fact_of(statement: Triple | Edge) -> str:
    """Return a statement or fact as a sentence in the strict form."""
    denied = isinstance(statement, Triple) and statement.negated
    flag = "-isa" if statement.is_isa else "-ispart"
    words = f"{statement.concept} {'-not ' if denied else ''}{flag} {statement.parent}"
    # In these dimensions the strict form has no "in context of".
    usual = "type" if statement.is_isa else "membership"
    if statement.dimension in ("", usual):
        return words
    return f"{words} in context of {statement.dimension}"


def remembered(answer: lines.SayResponse) -> RememberAnswer:
    """Convert the memory's answer to something that was said."""
    outcomes = answer.outcomes
    # A sentence that states nothing is kept as said, and so is stored. An unknown verdict of a
    # later server counts as refused, never as stored.
    found = {_STATUSES.get(it.verdict, "refused") for it in outcomes} or {"stored"}
    # Quoted, so that the model sees which of several sentences is meant.
    kept = [f'kept as said: "{line.quote}"' for line in answer.lines]
    left = [f'not kept, {it.reason}: "{it.text}"' for it in answer.left_out]
    messages = [it.message for it in outcomes if it.message] or kept or left
    return RememberAnswer(
        status=next(it for it in _WORST_FIRST if it in found),
        # One sentence may have the same outcome several times.
        message=" ".join(dict.fromkeys(messages)),
        facts=list(
            dict.fromkeys(fact_of(it.edge) for it in outcomes if it.HasField("edge"))
        ),
        contradictions=[
            Contradiction(
                conflict=it.conflict_id,
                # A circle has no single fact that is held against it.
                held=fact_of(it.edge) if it.HasField("edge") else "",
                new=fact_of(it.triple),
            )
            for it in outcomes
            if it.verdict == Outcome.VERDICT_CONFLICTED
        ],
        decision="",
    )


def contradiction(conflict: Conflict) -> Contradiction:
    """Convert a conflict."""
    return Contradiction(
        conflict=conflict.id,
        held=fact_of(conflict.existing) if conflict.HasField("existing") else "",
        new=fact_of(conflict.incoming),
    )


def recalled(found: lines.SearchLinesResponse) -> RecallAnswer:
    """Convert the lines that were found."""
    return RecallAnswer(
        lines=[
            RecalledLine(
                text=it.text,
                line=it.name,
                said_by=it.speaker,
                # An unset time would be told as 1970.
                when=it.say_time.ToJsonString() if it.HasField("say_time") else "",
                project=it.project,
            )
            for it in found.lines
        ],
        total=found.total_size,
    )
