"""Idempotency of calls other than statements: one answer per request id."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from festinger.errors import RequestIdReused
from festinger.store.system.pool import Connection
from festinger.store.system.queries import fields_of, sql
from festinger.store.world.batches import RequestKey


async def answered_before(
    connection: Connection,
    tenant: str,
    request: RequestKey,
    answer: Mapping[str, object],
) -> dict[str, Any] | None:
    """Return the answer of a repeated call; store it and return None for a first call.

    Args:
        answer: The parts of `Answered` to store if this call is the first.

    Raises:
        RequestIdReused: The id was used for another request.
    """
    # If the same call is under way in another transaction, this waits for its end.
    claimed = await connection.fetchval(
        sql("claim_request"),
        tenant,
        *fields_of(request, "principal id method payload"),
        json.dumps(answer),
    )
    if claimed is not None:
        return None
    row = await connection.fetchrow(
        sql("answered"), tenant, [request.principal], [request.id]
    )
    assert row is not None, "a request that is claimed is there"
    # A client that reuses an id by mistake must not get the answer to another question.
    if (row["method"], row["payload_hash"]) != (request.method, request.payload):
        raise request_reused(request)
    before: dict[str, Any] = json.loads(row["response"])
    return before


def request_reused(request: RequestKey) -> RequestIdReused:
    """Return the error of a call whose request id came with another request."""
    return RequestIdReused(
        f"the request_id {request.id!r} came with another request before; use a "
        "new one for each call",
        request_id=request.id,
    )
