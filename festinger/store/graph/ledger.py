"""Writes to the ledger: statements with their outcome, and calls with their answer."""

from __future__ import annotations

import json
from dataclasses import fields
from datetime import datetime

from festinger.core.graph.changes import Changes, LedgerEntry, Retraction
from festinger.core.graph.proposal import StatementSource
from festinger.store.graph.rows import fact_json, to_time
from festinger.store.system.queries import columns_of, fields_of
from festinger.store.system.statement_batch import JoiningConnection
from festinger.store.world.batches import Batch, CallResult, ChangeLogLine

_ANSWER = tuple(field.name for field in fields(CallResult))


async def add(connection: JoiningConnection, changes: Changes, now: datetime) -> None:
    """Add a batch's statements and retractions."""
    if not changes.entries and not changes.retractions:
        return
    rows: list[tuple[object, ...]] = [
        # In the order of the columns that `add_assertions` names.
        (
            entry.id,
            *fields_of(entry.triple, "concept parent dimension is_isa negated"),
            *fields_of(entry.proposal, "confidence source principal proposer subject"),
            entry.proposal.evidence.sentence,
            entry.proposal.evidence.rule,
            # Only statements of prompts have a turn.
            entry.proposal.evidence.segment or None,
            entry.proposal.evidence.ordinal,
            *fields_of(entry.outcome, "verdict reason message"),
            fact_json(entry.outcome.fact),
            entry.outcome.conflict_id or None,
            entry.candidate.id if entry.candidate else None,
        )
        for entry in changes.entries
    ]
    # Retractions are rows of the same table, in the same order of columns.
    rows += map(_retraction_row, changes.retractions)
    await connection.later("add_assertions", *columns_of(rows), now)


async def bump(
    connection: JoiningConnection, log: ChangeLogLine, batch: Batch | None = None
) -> int:
    """Increment the tenant's version and log the changes and the answered calls.

    Returns:
        The tenant's new version.
    """
    rows = [
        (
            *fields_of(key, "principal id method payload"),
            json.dumps(_response(entry, answered)),
        )
        for key, entry, answered in (batch.requests if batch else ())
    ]
    # Sent as one statement: the version, the line of the log and the answers need no order.
    versions = await connection.later("bump")
    await connection.later(
        "log_change",
        sorted(log.places),
        batch.id if batch else None,
        sorted(log.subjects),
        sorted(log.turns),
        log.notes,
        to_time(batch.now) if batch else None,
    )
    if rows:
        await connection.later("answer_requests", *columns_of(rows))
    # Sent at last, since the version is needed now.
    await connection.flush()
    version: int
    (version,) = versions
    return version


def _response(entry: LedgerEntry | None, answered: CallResult) -> dict[str, object]:
    """Return the non-empty fields from which an answer is rebuilt."""
    # A default is left out, and is the same when the answer is read back.
    parts = {name: value for name in _ANSWER if (value := getattr(answered, name))}
    return parts | ({"assertion_id": entry.id} if entry else {})


def _retraction_row(retraction: Retraction) -> tuple[object, ...]:
    triple, principal = retraction.triple, retraction.principal
    return (
        retraction.id,
        *fields_of(triple, "concept parent dimension is_isa negated"),
        1.0,  # confidence
        StatementSource.GUTASK,
        principal,
        principal,
        retraction.subject,
        retraction.why,
        "forget",  # the rule
        None,  # no turn
        0,  # ordinal in a turn
        "retracted",  # instead of a verdict
        "",
        "",
        fact_json(retraction.fact),
        None,  # no conflict
        None,  # no candidate
    )
