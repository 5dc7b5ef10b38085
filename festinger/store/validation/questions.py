"""Questions to people, in Postgres."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace

from festinger.core.graph.candidates import Candidate
from festinger.core.provenance.trail import Trail
from festinger.core.review.inbox import InboxRef
from festinger.core.validation.daily_items import AskedItem
from festinger.core.validation.escalation import UndecidedCase
from festinger.core.validation.limits import (
    DailyAllowance,
    WaitingPosting,
    choose,
    day_of,
)
from festinger.core.validation.planning import PlannedQuestion
from festinger.core.validation.policy import ValidationPolicy
from festinger.core.validation.posting import PostingReport, PostingResult, reported
from festinger.core.validation.questions import (
    ClosedBecause,
    Question,
    QuestionState,
    QuestionTarget,
)
from festinger.core.validation.tones import QuestionAudience
from festinger.store.graph.rows import to_candidate, to_seconds, to_time
from festinger.store.provenance import trail
from festinger.store.system.pool import Connection
from festinger.store.system.queries import sql
from festinger.store.system.tenancy import Leased, tenants_by, transaction
from festinger.store.validation.questionrows import (
    arguments_of,
    check_lease,
    digest_key,
    digests_of,
    no_question,
    save_question,
    to_case,
    to_question,
    to_ref,
    to_spot,
)
from festinger.store.validation.records import BotTargets, LeasedQuestions

_POSTABLE_MAX = 500
"""The maximum number of due questions to choose from."""


class PostgresQuestions(Leased):
    """Store of questions in the database; the caller closes the pool."""

    lease_name = "questions"

    async def tenants(self, now: float, *, items: bool) -> list[str]:
        """Return the tenants that have undecided candidates or open questions.

        Args:
            items: Whether to return those with waiting items in the inbox, too.
        """
        return await tenants_by(self._pool, sql("asking_tenants"), to_time(now), items)

    async def close_over(self, tenant: str, now: float, gold_before: float) -> None:
        """Close the questions that no longer need an answer."""
        async with transaction(self._pool, tenant) as connection:
            # An answer may close some of them in another order: avoid a deadlock.
            await connection.execute(sql("lock_questions"), tenant)
            # A question whose answer is known is about a decided candidate: it ends at
            # `gold_before`.
            await connection.execute(
                sql("close_questions"), tenant, to_time(now), to_time(gold_before)
            )

    async def cases(
        self, tenant: str, now: float, lately: float, limit: int
    ) -> Sequence[UndecidedCase]:
        """Return the candidates to ask about, the most urgent first."""
        # A statement is not asked of the same target again within `lately`.
        rows = await self._rows("cases", tenant, to_time(now), to_time(lately), limit)
        return [to_case(to_candidate(row), row) for row in rows]

    async def case(self, tenant: str, candidate: Candidate) -> UndecidedCase:
        """Return a candidate with its questions and those who answered."""
        row = await self._row("case_of", tenant, candidate.id)
        assert row is not None, "an aggregate has a row"
        return to_case(candidate, row)

    async def opted_out(self, tenant: str) -> frozenset[str]:
        """Return the principals who opted out of questions."""
        rows = await self._rows("opted_out", tenant)
        return frozenset(row["principal"] for row in rows)

    async def breaker_open(self, tenant: str, now: float) -> bool:
        """Return whether the breaker is open, so that only moderators decide."""
        return bool(await self._value("breaker_open", tenant, to_time(now)))

    async def spent(self, tenant: str, since: float) -> Counter[QuestionTarget]:
        """Count the messages per target since a time, including waiting ones."""
        async with transaction(self._pool, tenant) as connection:
            # Waiting ones count, so that no more is planned than the limits let through.
            return await _spent(connection, tenant, since, waiting=True)

    async def items_spent(self, tenant: str, since: float) -> Counter[QuestionTarget]:
        """Count the items of the inbox per target since a time, and waiting ones."""
        rows = await self._rows("items_spent", tenant, to_time(since))
        return Counter({to_spot(row): row["count"] for row in rows})

    async def asked_items(
        self, tenant: str, refs: Collection[InboxRef]
    ) -> list[AskedItem]:
        """Return who was asked about these items."""
        # By place as well: numbers of several tables may be equal.
        rows = await self._rows(
            "asked_items",
            tenant,
            [ref.place for ref in refs],
            [ref.number for ref in refs],
        )
        return [
            AskedItem(
                to_ref(row), to_spot(row), row["open"], to_seconds(row["created_at"])
            )
            for row in rows
        ]

    async def gone_items(self, tenant: str) -> set[InboxRef]:
        """Return items that do not wait any more, and have open questions."""
        rows = await self._rows("open_item_questions", tenant)
        return {to_ref(row) for row in rows}

    async def close_item(
        self,
        tenant: str,
        ref: InboxRef,
        because: ClosedBecause,
        outcome: str,
        now: float,
    ) -> None:
        """Close all questions about an item, with what became of it in a sentence."""
        async with transaction(self._pool, tenant) as connection:
            # Another transaction may close several questions in another order: avoid a deadlock.
            await connection.execute(sql("lock_questions"), tenant)
            await connection.execute(
                sql("close_item_questions"),
                tenant,
                *ref,
                because,
                to_time(now),
                outcome,
            )

    async def get(self, tenant: str, question_id: int) -> Question:
        """Return a question, or raise `QuestionNotFound`."""
        async with transaction(self._pool, tenant) as connection:
            found = await _by_number(connection, tenant, [question_id])
        if not found:
            raise no_question(question_id)
        return found[0]

    async def waiting_digests(
        self, tenant: str
    ) -> Counter[tuple[QuestionTarget, float]]:
        """Count the questions waiting in digests, by target and due time."""
        rows = await self._rows("waiting_digests", tenant)
        counts: Counter[tuple[QuestionTarget, float]] = Counter()
        for row in rows:
            # Rows are by digest, of which several may have the same target and time.
            counts[to_spot(row), to_seconds(row["due_at"])] += row["count"]
        return counts

    async def settled(
        self, tenant: str, audience: QuestionAudience, now: float, limit: int
    ) -> Sequence[Candidate]:
        """Return finally decided candidates that an audience does not know of."""
        rows = await self._rows(
            "settled", tenant, to_time(now), audience.recipient, audience.channel, limit
        )
        return [to_candidate(row) for row in rows]

    async def add(self, tenant: str, planned: Sequence[PlannedQuestion]) -> int:
        """Add questions without duplicates; return how many were added."""
        if not planned:
            return 0
        async with transaction(self._pool, tenant) as connection:
            first = await connection.fetchval(
                sql("reserve"), tenant, "question", len(planned)
            )
            # Before the questions, which carry the number of their digest.
            digests = await digests_of(connection, tenant, planned)
            added = [
                await connection.fetchval(
                    sql("add_question"),
                    tenant,
                    first + place,
                    *arguments_of(one.question),
                    digests.get(digest_key(one.question)) if one.digest else None,
                    to_time(one.question.due),
                    to_time(one.question.created),
                )
                for place, one in enumerate(planned)
            ]
        # A null is a question that was there: the same one is not put to the same target twice.
        return sum(number is not None for number in added)

    async def lease(
        self,
        tenant: str,
        reach: BotTargets,
        *,
        policy: ValidationPolicy,
        now: float,
        seconds: float,
        limit: int,
    ) -> LeasedQuestions:
        """Lease due questions, within the daily limits, and messages to update."""
        where = list(reach.recipients), list(reach.channels)
        mine = uuid.UUID(reach.lessee), to_time(now + seconds)
        async with transaction(self._pool, tenant) as connection:
            # Two bots at once would exceed the limits together.
            await connection.execute(sql("lock_questions"), tenant)
            rows = await connection.fetch(
                sql("postable_questions"), tenant, to_time(now), *where, _POSTABLE_MAX
            )
            waiting = [
                WaitingPosting(
                    row["id"], to_spot(row), row["digest_id"], row["critical"]
                )
                for row in rows
            ]
            # A day of the policy's time zone.
            today, _ = day_of(now, policy.timezone)
            numbers = [each.id for each in waiting]
            # Without those to choose from, which are counted as they are chosen.
            spent = await _spent(connection, tenant, today, but=numbers)
            chosen = choose(waiting, DailyAllowance.of(policy, spent), limit)
            await connection.execute(
                sql("lease_questions"), tenant, chosen, reach.platform, *mine
            )
            # Messages that still ask for an answer, though their question is closed.
            closed = await connection.fetch(
                sql("lease_closed_questions"),
                tenant,
                reach.platform,
                *where,
                *mine,
                to_time(now),
                limit,
            )
            # Read again, as they are after the lease.
            return LeasedQuestions(
                await _by_number(connection, tenant, chosen),
                await _by_number(connection, tenant, [row["id"] for row in closed]),
            )

    async def report(
        self,
        tenant: str,
        question_id: int,
        lessee: str,
        report: PostingReport,
        now: float,
    ) -> Question:
        """Apply a report about a question; return the question.

        Raises:
            QuestionNotFound: There is no such question.
            LeaseLost: Another process posts the question, or has posted it.
            InvalidArgument: Another question has its reference.
        """
        async with transaction(self._pool, tenant) as connection:
            # Locked, so that two reports about a question follow one another.
            row = await connection.fetchrow(
                sql("question_to_report"), tenant, question_id
            )
            if row is None:
                raise no_question(question_id)
            before = to_question(row)
            check_lease(row, lessee, report, now)
            after = reported(before, report, now)
            cid = before.context_message_cid
            # The first report of a posted question puts it into the trail, once its text is out.
            if (
                report.result is PostingResult.POSTED
                and before.candidate_cid
                and not cid
            ):
                path = Trail()
                cid = path.question(before)
                await trail.write(connection, tenant, path, to_time(now))
            await save_question(
                connection, tenant, replace(after, context_message_cid=cid)
            )
            (question,) = await _by_number(connection, tenant, [question_id])
        return question

    async def find(
        self, tenant: str, platform: str, reference: str
    ) -> Sequence[Question]:
        """Return the questions of a message, oldest first."""
        rows = await self._rows("questions_by_reference", tenant, platform, reference)
        return [to_question(row) for row in rows]

    async def list(
        self,
        tenant: str,
        *,
        candidate_id: int = 0,
        states: Collection[QuestionState] = (),
        before: int = 0,
        limit: int = 50,
    ) -> Sequence[Question]:
        """Return questions with numbers below `before`, newest first; 0 for all."""
        rows = await self._rows(
            "questions", tenant, candidate_id, [*states], before, limit
        )
        return [to_question(row) for row in rows]

    async def set_opt_out(
        self, tenant: str, names: Sequence[str], *, out: bool, said_by: str, now: float
    ) -> None:
        """Set whether a principal opts out; close the questions of one who does.

        Args:
            names: The spellings of the principal, all of which opt out, or none.
        """
        async with transaction(self._pool, tenant) as connection:
            # No question is leased to a bot in between.
            await connection.execute(sql("lock_questions"), tenant)
            moment = to_time(now)
            for name in names:
                # Opting in gives no questions back: new ones will come.
                if not out:
                    await connection.execute(sql("opt_in"), tenant, name)
                    continue
                await connection.execute(sql("opt_out"), tenant, name, said_by, moment)
                await connection.execute(sql("close_for_opt_out"), tenant, name, moment)


async def _spent(
    connection: Connection,
    tenant: str,
    since: float,
    *,
    waiting: bool = False,
    but: Sequence[int] = (),
) -> Counter[QuestionTarget]:
    rows = await connection.fetch(
        sql("questions_spent"), tenant, to_time(since), waiting, list(but)
    )
    return Counter({to_spot(row): row["count"] for row in rows})


async def _by_number(
    connection: Connection, tenant: str, numbers: Sequence[int]
) -> Sequence[Question]:
    rows = await connection.fetch(sql("questions_by_number"), tenant, list(numbers))
    return [to_question(row) for row in rows]
