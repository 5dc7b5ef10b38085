"""Rows of candidates and of what people answered, for tests of what is learnt of them."""

from __future__ import annotations

import itertools
from typing import Any

from festinger.store.graph.rows import to_time
from festinger.store.system.pool import Pool
from tests.memories import NOW


class Ballots:
    """Writes candidates, answers, questions and audits as they are kept."""

    def __init__(self, pool: Pool, tenant: str = "default"):
        self._pool = pool
        self._tenant = tenant
        self._numbers = itertools.count(1001)

    async def states(
        self, concept: str, parent: str, dimension: str = "joined", **columns: Any
    ) -> int:
        """Return a row of the ledger; its number."""
        number = next(self._numbers)
        row = {
            "tenant": self._tenant,
            "id": number,
            "concept": concept,
            "parent": parent,
            "dimension": dimension,
            "is_isa": False,
            "negated": False,
            "confidence": 0.7,
            "source": "inferred",
            "principal": "alice",
            "proposer": "scanner",
            "outcome": "candidate",
            "created_at": NOW - 100.0,
        } | columns
        await self._insert("assertions", row)
        return number

    async def proposes(
        self, concept: str = "alice", parent: str = "chess_club", **columns: Any
    ) -> int:
        """Return a candidate; its number."""
        number = next(self._numbers)
        created = columns.get("created_at", NOW - 100.0)
        dimension = columns.pop("dimension", "joined")
        row = {
            "tenant": self._tenant,
            "id": number,
            "concept": concept,
            "parent": parent,
            "dimension": dimension,
            "is_isa": False,
            "negated": False,
            "confidence": 0.36,
            "source": "inferred",
            "proposer": "scanner",
            "author": "alice",
            "sentence": f"I joined the {parent}.",
            "cid": f"f:{number}",
            "predicate": f"t:{dimension}",
            "created_at": created,
        } | columns
        stated = {key: row[key] for key in ("created_at", "proposer", "negated")}
        row["assertion_id"] = await self.states(concept, parent, dimension, **stated)
        await self._insert("candidates", row)
        return number

    async def decided(
        self, true: bool, *votes: str, at: float = NOW - 50.0, **columns: Any
    ) -> int:
        """Return a candidate that was decided, by votes such as `bob yes`; its number."""
        number = await self.proposes(
            **{
                "concept": f"person{next(self._numbers)}",
                "status": "confirmed" if true else "rejected",
                "decided_at": at,
                "decided_by": "people",
                "decision_rule": "two_distinct",
                "posterior": 0.9 if true else 0.1,
            }
            | columns
        )
        if true:
            await self._confirms(number)
        for vote in votes:
            rater, said = vote.split()
            await self.answers(number, rater, said == "yes", at=at - 1.0)
        return number

    async def _confirms(self, candidate: int) -> None:
        """A candidate's statement passes the gate, as confirmed by people."""
        row = await self._pool.fetchrow(
            "select concept, parent, dimension from candidates "
            "where tenant = $1 and id = $2",
            self._tenant,
            candidate,
        )
        assert row is not None
        await self.states(
            row["concept"],
            row["parent"],
            row["dimension"],
            source="validated",
            outcome="held",
            rule=f"candidate {candidate}",
        )

    async def answers(
        self,
        candidate: int,
        responder: str,
        yes: bool,
        *,
        at: float = NOW - 60.0,
        **columns: Any,
    ) -> None:
        """Somebody's answer about a candidate."""
        proposer = await self._pool.fetchval(
            "select proposer from candidates where tenant = $1 and id = $2",
            self._tenant,
            candidate,
        )
        row = {
            "tenant": self._tenant,
            "cid": f"e:{next(self._numbers)}",
            "candidate_id": candidate,
            "proposer": proposer,
            "responder": responder,
            "role": "community",
            "response": "confirmed" if yes else "rejected",
            "before_visible": True,
            "created_at": at,
        }
        await self._insert("validation_events", row | columns)

    async def asks(self, candidate: int, recipient: str = "", **columns: Any) -> int:
        """Return a question that was posted; its number."""
        number = next(self._numbers)
        row = {
            "tenant": self._tenant,
            "id": number,
            "candidate_id": candidate,
            "bot": "barkeep",
            "lane": "author" if recipient else "community",
            "recipient": recipient,
            "channel": "" if recipient else "matrix:#lobby",
            "text": "Did you join?",
            "prompt_hash": "h",
            "status": "posted",
            "due_at": NOW - 90.0,
            "created_at": NOW - 90.0,
            "posted_at": NOW - 80.0,
        } | columns
        await self._insert("questions", row)
        return number

    async def audited(
        self,
        candidate: int,
        responder: str,
        *,
        gold: bool,
        answer: bool,
        **columns: Any,
    ) -> int:
        """Return an answer to a question whose answer is known; the question's number."""
        question = await self.asks(candidate, responder, gold=True, gold_answer=gold)
        row = {
            "tenant": self._tenant,
            "question_id": question,
            "responder": responder,
            "answer": answer,
            "created_at": NOW - 60.0,
        }
        await self._insert("audits", row | columns)
        return question

    async def opts_out(self, principal: str, at: float = NOW - 60.0) -> None:
        """Somebody does not want to be asked."""
        row = {"tenant": self._tenant, "principal": principal, "said_by": principal}
        await self._insert("opt_outs", row | {"created_at": at})

    async def _insert(self, table: str, row: dict[str, Any]) -> None:
        values = [
            to_time(value) if key.endswith("_at") and value is not None else value
            for key, value in row.items()
        ]
        places = ", ".join(f"${at}" for at in range(1, len(values) + 1))
        await self._pool.execute(
            f"insert into {table} ({', '.join(row)}) values ({places})", *values
        )
