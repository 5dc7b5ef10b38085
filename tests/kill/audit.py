"""The clients' ledger against the server's: lost, phantom, doubled, or otherwise wrong."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import asyncpg
import grpc

from festinger.api.v1 import (
    concept_service_pb2,
    concept_service_pb2_grpc,
    edge_pb2,
    source_pb2,
)
from tests.kill.clients import Ledger
from tests.kill.script import CONCEPTS

SETTLED_RULE = re.compile(r"conflict (\d+)")
"""The rule of a ledger row that a retraction made: what had waited for it is held."""
RETRACTION = re.compile(r"retraction (\d+)")

EDGES = """
    select c.token as concept, p.token as parent, d.token as dimension, e.is_isa,
           e.confidence, e.last_confirmed, e.source, e.assertion_id
    from urd e
    join soas c on c.tenant = e.tenant and c.id = e.id
    join soas p on p.tenant = e.tenant and p.id = e.parent_id
    join soas d on d.tenant = e.tenant and d.id = e.dim_id
    where e.id <> e.dim_id
"""
WAITING = """
    select c.token as concept, q.id
    from resolution_queue q
    join soas c on c.tenant = q.tenant and c.id = q.concept_id
    where q.status = 'pending'
"""


class Records:
    """Records of one memory in the database."""

    def __init__(self, tables: Mapping[str, Sequence[asyncpg.Record]], version: int):
        self.version = version
        self.rows = {row["id"]: row for row in tables["select * from assertions"]}
        self.requests = {
            row["request_id"]: json.loads(row["response"])
            for row in tables["select * from requests"]
        }
        self.request_count = len(tables["select * from requests"])
        self.edges = tables[EDGES]
        self.waiting = tables[WAITING]
        self.queue = tables["select * from resolution_queue"]
        self.ended = {
            row["assertion_id"]: row["closed_by"]
            for row in tables["select * from urd_history"]
        }
        self.standing = {row["assertion_id"] for row in self.edges} | {
            row["assertion_id"] for row in tables["select * from denials"]
        }

    @classmethod
    async def read(cls, dsn: str) -> Records:
        """Read them, all of one moment."""
        questions = (
            EDGES,
            WAITING,
            *(
                f"select * from {table}"
                for table in (
                    "assertions",
                    "requests",
                    "resolution_queue",
                    "urd_history",
                    "denials",
                )
            ),
        )
        connection = await asyncpg.connect(dsn)
        try:
            async with connection.transaction(isolation="repeatable_read"):
                tables = {each: await connection.fetch(each) for each in questions}
                version = await connection.fetchval("select version from heads")
        finally:
            await connection.close()
        return cls(tables, version)


def audit(ledger: Ledger, records: Records) -> None:
    """
    Compare the two ledgers.

    Raises:
        AssertionError: Something that was acknowledged is lost, or something is there
            that nobody sent, or is there twice.
    """
    expect_none("acknowledged and lost", _lost(ledger, records))
    expect_none("acknowledged as held and not held", _fallen(ledger, records))
    expect_none("phantom", _phantoms(ledger, records))
    expect_none("doubled", _doubled(records))
    expect_none("counted wrongly", _miscounted(records))
    expect_none("answered twice, differently", ledger.differing)


async def compare(channel: grpc.aio.Channel, records: Records) -> None:
    """
    Compare what the server answers from memory with what the database holds.

    Raises:
        AssertionError: They differ.
    """
    stub = concept_service_pb2_grpc.ConceptServiceStub(channel)
    met = {row["concept"] for row in records.rows.values()}
    told: list[tuple[Any, ...]] = []
    waiting: list[tuple[str, int]] = []
    versions = set()
    for concept in sorted(met.intersection(CONCEPTS)):
        request = concept_service_pb2.GetConceptRequest(token=concept)
        answer = await stub.GetConcept(request, timeout=20)
        told += map(_edge, answer.concept.edges)
        waiting += [(concept, number) for number in answer.concept.conflict_ids]
        versions.add(answer.version)

    assert versions == {records.version}
    assert sorted(told) == sorted(map(_row, records.edges))
    assert sorted(waiting) == sorted(map(tuple, records.waiting))


def _lost(ledger: Ledger, records: Records) -> Iterable[object]:
    for name, answer in ledger.answers.items():
        response = records.requests.get(name)
        if not answer.outcome:
            if response is not None:
                yield name, answer, response
            continue
        call, row = ledger.sent[name], records.rows.get(answer.assertion_id)
        if (
            row is None
            or response is None
            or response["assertion_id"] != answer.assertion_id
            or response["version"] != answer.version
            or row["outcome"] != answer.outcome
            or (row["conflict_id"] or 0) != answer.conflict_id
            or row["principal"] != call.principal
            or (row["concept"], row["parent"], row["dimension"], row["negated"])
            != (call.concept, call.parent, call.dimension, call.negated)
        ):
            yield name, call, answer, response, row
    yield from (
        (name, answer)
        for name, answer in ledger.answers.items()
        if answer.version > records.version
    )


def _fallen(ledger: Ledger, records: Records) -> Iterable[object]:
    for name, answer in ledger.answers.items():
        ended_by = records.ended.get(answer.assertion_id, "")
        if answer.outcome == "held" and answer.assertion_id not in records.standing:
            retraction = RETRACTION.fullmatch(ended_by)
            row = records.rows.get(int(retraction[1])) if retraction else None
            if row is None or row["outcome"] != "retracted":
                yield name, answer, ended_by
        elif answer.outcome == "corroborated" and answer.fact_id:
            if answer.fact_id not in {*records.standing, *records.ended}:
                yield name, answer
        elif answer.outcome == "retracted" and answer.fact_id in records.standing:
            yield name, answer


def _phantoms(ledger: Ledger, records: Records) -> Iterable[object]:
    yield from records.requests.keys() - ledger.sent.keys()
    answered = {each["assertion_id"] for each in records.requests.values()}
    for number in records.rows.keys() - answered:
        row = records.rows[number]
        if not SETTLED_RULE.fullmatch(row["rule"]):
            yield dict(row)
    for number in records.ended.keys() | records.standing:
        if number not in records.rows:
            yield number


def _doubled(records: Records) -> Iterable[object]:
    if records.request_count != len(records.requests):
        yield "a request_id of two principals"
    made = Counter(each["assertion_id"] for each in records.requests.values())
    yield from (item for item in made.items() if item[1] > 1)
    # A retraction holds each statement that had waited for it once.
    asked = Counter(
        str(number)
        for each in records.requests.values()
        for number in each.get("settled", ())
    )
    held = Counter(
        found[1]
        for row in records.rows.values()
        if (found := SETTLED_RULE.fullmatch(row["rule"]))
    )
    yield from ((asked - held) + (held - asked)).items()


def _miscounted(records: Records) -> Iterable[object]:
    stated = Counter(
        row["conflict_id"]
        for row in records.rows.values()
        if row["outcome"] == "conflicted"
    )
    counted = {row["id"]: row["statement_count"] for row in records.queue}
    for number in stated.keys() | counted.keys():
        if stated[number] != counted.get(number):
            yield number, stated[number], counted.get(number)


def expect_none(what: str, found: Iterable[object]) -> None:
    """Raise an `AssertionError` that names the first few of what should not be."""
    wrong = list(found)
    first = "\n".join(map(str, wrong[:5]))
    assert not wrong, f"{len(wrong)} {what}:\n{first}"


def _edge(edge: edge_pb2.Edge) -> tuple[Any, ...]:
    source = source_pb2.Source.Name(edge.source).removeprefix("SOURCE_").lower()
    return (
        edge.concept,
        edge.parent,
        edge.dimension,
        edge.is_isa,
        edge.confidence,
        edge.last_confirm_time.ToMicroseconds(),
        source,
        edge.assertion_id,
    )


def _row(row: asyncpg.Record) -> tuple[Any, ...]:
    *values, moment, source, number = row
    return (*values, round(moment.timestamp() * 1e6), source, number)
