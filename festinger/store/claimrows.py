"""Rows of claims to core values and back, once, at the border."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import asyncpg

from festinger.core.memories.types import Kind, MemoryType, Status
from festinger.core.promotion.claims import Action, Claim, Edit, Origin
from festinger.core.promotion.passage import Passage
from festinger.store.rows import to_seconds, to_time


def to_claim(row: asyncpg.Record) -> Claim:
    """A memory or an entity."""
    return Claim(
        id=row["id"],
        kind=Kind(row["kind"]),
        type=MemoryType(row["type"]),
        content=row["content"],
        origin=Origin(
            row["chunk_id"] or "",
            row["interaction_id"] or 0,
            row["rule"],
            row["extractor"],
            row["extractor_version"],
            (row["span_start"], row["span_end"]),
            row["quote"],
            (row["quote_start"], row["quote_end"]),
            row["place"],
        ),
        status=Status(row["status"]),
        confidence=row["confidence"],
        proposer=row["proposer"],
        project=row["project"],
        subject=row["subject"],
        fact=row["fact"],
        reasoning=row["reasoning"],
        rank=row["rank"],
        outcome=row["outcome"],
        assertion_id=row["assertion_id"] or 0,
        re_extraction_count=row["re_extraction_count"],
        last_re_extracted_at=_moment(row["last_re_extracted_at"]),
        cycle=row["cycle"],
        pending_since=_moment(row["pending_since"]),
        deferred_at=_moment(row["deferred_at"]),
        confirmed_at=to_seconds(row["confirmed_at"]),
        graduated_from=row["graduated_from"] or 0,
        graduated_to=row["graduated_to"] or 0,
        superseded_by=row["superseded_by"] or 0,
        contradicts=tuple(row["contradicts"]),
        decider=row["decider"],
        sole=row["sole"],
        original_content=row["original_content"],
        version=row["version"],
        created_at=to_seconds(row["created_at"]),
    )


def to_edit(row: asyncpg.Record) -> Edit:
    """What was done to a claim."""
    return Edit(
        row["id"],
        row["claim_id"],
        Action(row["action"]),
        row["principal"],
        row["decision"],
        _claim_of(row["before"]),
        _claim_of(row["after"]),
        row["undone_by"] or 0,
        to_seconds(row["created_at"]),
    )


def _claim_of(kept: str | None) -> Claim | None:
    return Claim.from_json(json.loads(kept)) if kept else None


def edit_row(tenant: str, edit: Edit) -> tuple[Any, ...]:
    """An edit in the order of `add_edit`."""
    return (
        tenant,
        edit.id,
        edit.claim_id,
        edit.action,
        edit.principal,
        edit.decision,
        json.dumps(edit.before.to_json()) if edit.before else None,
        json.dumps(edit.after.to_json()) if edit.after else None,
        to_time(edit.created_at),
    )


def claim_row(tenant: str, claim: Claim) -> tuple[Any, ...]:
    """A claim in the order of `write_claim`."""
    origin = claim.origin
    return (
        tenant,
        claim.id,
        claim.kind,
        claim.type,
        claim.content,
        claim.key.content,
        claim.project,
        claim.subject,
        claim.status,
        claim.confidence,
        claim.rank,
        claim.reasoning,
        claim.fact,
        claim.outcome,
        claim.assertion_id or None,
        origin.chunk_id or None,
        origin.interaction_id or None,
        origin.hand_authored,
        origin.rule,
        origin.extractor,
        origin.extractor_version,
        *origin.span,
        origin.quote,
        *origin.quote_span,
        origin.place,
        claim.proposer,
        claim.re_extraction_count,
        _time(claim.last_re_extracted_at),
        claim.cycle,
        _time(claim.pending_since),
        _time(claim.deferred_at),
        to_time(claim.confirmed_at),
        claim.graduated_from or None,
        claim.graduated_to or None,
        claim.superseded_by or None,
        list(claim.contradicts),
        claim.decider,
        claim.sole,
        claim.original_content,
        claim.version,
        to_time(claim.created_at),
    )


def of_chunk(row: asyncpg.Record) -> Passage:
    """A chunk of a document."""
    return Passage(
        "chunk",
        row["id"],
        " > ".join((row["path"], *row["headings"])),
        row["text"],
        document_id=row["document_id"],
        path=row["path"],
        headings=tuple(row["headings"]),
        project=row["project"],
        current=row["current"],
    )


def of_interaction(row: asyncpg.Record) -> Passage:
    """What was said between somebody and an agent."""
    turns: list[dict[str, str]] = json.loads(row["turns"])
    return Passage(
        "interaction",
        str(row["id"]),
        row["session"] or row["subject"],
        "\n\n".join(f"{turn['role']}: {turn['text']}" for turn in turns),
        project=row["project"],
    )


def _moment(time: datetime | None) -> float | None:
    return to_seconds(time) if time else None


def _time(seconds: float | None) -> datetime | None:
    return None if seconds is None else to_time(seconds)
