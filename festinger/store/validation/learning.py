"""People's answers as training data, and the learned results, in Postgres."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from dataclasses import asdict

import asyncpg

from festinger.core.graph.candidates import Candidate, Priority
from festinger.core.system.principals import plain
from festinger.core.validation import drift
from festinger.core.validation.breaker import ReversalBreaker, ReversalCounts
from festinger.core.validation.calibration import Calibration
from festinger.core.validation.drift import RuleCounts
from festinger.core.validation.metrics import (
    BY_HOUR_MAX,
    HourCounts,
    OfPriority,
    ValidationMetrics,
)
from festinger.core.validation.policy import ValidationPolicy
from festinger.core.validation.votes import ValidationEvent
from festinger.store.graph.rows import (
    seconds_or_none,
    to_candidate,
    to_seconds,
    to_time,
)
from festinger.store.system.pool import Connection
from festinger.store.system.queries import arrays_of, sql
from festinger.store.system.tenancy import Leased, snapshot, tenants_by, transaction
from festinger.store.validation.learningrows import (
    to_calibration,
    to_cast,
    to_material,
    to_reputation,
)
from festinger.store.validation.records import (
    LearningResult,
    LearningState,
    Rater,
    TrainingData,
)

PAGE = 500
"""The number of examples that are read at once."""
NUMBER_MAX = 2**63 - 1
"""The largest number that Postgres gives."""


class PostgresLessons(Leased):
    """Store of reputations, calibrations and the breaker; the caller closes the pool."""

    lease_name = "learning"

    async def tenants(self) -> list[str]:
        """Return the tenants that have candidates, in alphabetical order."""
        return await tenants_by(self._pool, sql("validating"))

    async def ratings(self, tenant: str) -> LearningState:
        """Return a memory's last ratings, adding initial ones if there are none."""
        async with transaction(self._pool, tenant) as connection:
            found = await _ratings(connection, tenant)
            if found is None:
                await connection.execute(sql("add_ratings"), tenant)
                found = await _ratings(connection, tenant)
        assert found is not None, "ratings are never deleted"
        return found

    async def material(self, tenant: str, now: float) -> TrainingData:
        """Return all training data."""
        recent, looked = now - drift.RECENT_SECONDS, now - drift.LOOKED_SECONDS
        # All four of one moment, so that a vote and its verdict belong together.
        async with snapshot(self._pool, tenant) as connection:
            cast = await connection.fetch(sql("votes_cast"), tenant)
            audited = await connection.fetch(sql("audited"), tenant)
            verdicts = await connection.fetch(sql("verdicts"), tenant)
            shadows = await connection.fetch(
                sql("shadows"), tenant, to_time(looked), to_time(recent)
            )
        # With many answers this takes seconds, in which the event loop answers prompts.
        return await asyncio.to_thread(to_material, cast, audited, verdicts, shadows)

    async def save(self, tenant: str, lesson: LearningResult) -> None:
        """Replace the learned results."""
        of = lesson.reputations.of
        fitted = to_time(lesson.fitted)
        async with transaction(self._pool, tenant) as connection:
            # The row that is locked has to be there; who learns at the same time waits for it.
            await connection.execute(sql("add_ratings"), tenant)
            await connection.execute(sql("lock_ratings"), tenant)
            # Whoever is not among the results is a rater no more.
            await connection.execute(sql("forget_raters"), tenant, list(of))
            await connection.execute(
                sql("save_raters"),
                tenant,
                list(of),
                [it.skill.yes for it in of.values()],
                [it.skill.no for it in of.values()],
                *arrays_of(of.values(), "of_true of_false bloc"),
                [lesson.karma.get(rater, 0.0) for rater in of],
            )
            for each in lesson.calibrations:
                await _add_calibration(connection, tenant, each)
            await connection.execute(
                sql("save_ratings"),
                tenant,
                lesson.reputations.prior,
                lesson.votes,
                fitted,
                json.dumps(lesson.shadows),
            )

    async def revisable(
        self, tenant: str
    ) -> AsyncIterator[list[tuple[Candidate, list[ValidationEvent]]]]:
        """Yield pages of candidates that a revision may change, the newest confirmed first."""
        # Every candidate comes behind this mark.
        before = (NUMBER_MAX, NUMBER_MAX)
        while True:
            # A transaction for each page, so that a slow consumer occupies no connection.
            async with transaction(self._pool, tenant) as connection:
                rows = await connection.fetch(sql("revisable"), tenant, *before, PAGE)
                page = await _with_answers(connection, tenant, rows)
            if not page:
                return
            yield page
            # What is not confirmed comes last, as if by row 0 of the ledger.
            before = (rows[-1]["confirmed_as"] or 0, rows[-1]["id"])

    async def set_revised(self, tenant: str, fitted: float) -> None:
        """Record that the revision after a learning is complete."""
        await self._run("revised", tenant, to_time(fitted))

    async def raters(self, tenant: str) -> list[Rater]:
        """Return the raters, by name."""
        async with transaction(self._pool, tenant) as connection:
            rows = await connection.fetch(sql("raters"), tenant)
            out = await connection.fetch(sql("opted_out"), tenant)
        # Raters are known by the plain form of their names.
        opted_out = {plain(row["principal"]) for row in out}
        return [
            Rater(
                row["rater"],
                to_reputation(row),
                row["karma"],
                opted_out=row["rater"] in opted_out,
            )
            for row in rows
        ]

    async def calibrations(self, tenant: str) -> list[Calibration]:
        """Return the last calibration of each machine, by its version."""
        rows = await self._rows("calibrations", tenant)
        return [to_calibration(row) for row in rows]

    async def reversals(self, tenant: str, since: float) -> ReversalCounts:
        """Return the number of reversed facts since a time, and the number at risk."""
        row = await self._row("reversals", tenant, to_time(since))
        assert row is not None, "a count is always there"
        return ReversalCounts(row["reversed"], row["at_stake"])

    async def set_breaker(
        self, tenant: str, was: ReversalBreaker, now: ReversalBreaker
    ) -> None:
        """Set the breaker, unless another process changed it."""
        async with transaction(self._pool, tenant) as connection:
            await connection.execute(sql("add_ratings"), tenant)
            await connection.execute(
                sql("set_breaker"),
                tenant,
                to_time(now.open_until) if now.open_until else None,
                now.reason,
                # Only if the breaker is as this process read it.
                to_time(was.open_until) if was.open_until else None,
                was.reason,
            )

    async def decided(
        self, tenant: str, since: float, *, sensitive: bool
    ) -> AsyncIterator[list[tuple[Candidate, list[ValidationEvent]]]]:
        """Yield pages of decided candidates with answers, oldest decision first."""
        after = (to_time(0.0), 0)
        while True:
            # A slow consumer does not occupy a connection.
            async with transaction(self._pool, tenant) as connection:
                rows = await connection.fetch(
                    sql("decided_since"),
                    tenant,
                    to_time(since),
                    *after,
                    sensitive,
                    PAGE,
                )
                page = await _with_answers(connection, tenant, rows)
            if not page:
                return
            yield page
            after = (rows[-1]["decided_at"], rows[-1]["id"])

    async def metrics(
        self, tenant: str, hours: int, policy: ValidationPolicy, now: float
    ) -> ValidationMetrics:
        """Return the metrics of validation over a number of hours."""
        since = to_time(now - hours * 3600.0)
        # As of one moment, so that the counts fit together.
        async with snapshot(self._pool, tenant) as connection:
            counts = await connection.fetchrow(
                sql("validation_counts"),
                tenant,
                since,
                policy.timezone,
                policy.person_questions_max,
                policy.channel_questions_max,
            )
            priorities = await connection.fetch(
                sql("validation_priorities"), tenant, since, to_time(now)
            )
            calibrations = await connection.fetch(sql("calibrations"), tenant)
            ratings = await _ratings(connection, tenant)
            by_hour = await _by_hour(connection, tenant, hours, now)
        assert counts is not None, "counts are always there"
        return ValidationMetrics(
            hours=hours,
            priorities={
                # The first column is the priority, which is the key.
                Priority(row["priority"]): OfPriority(*list(row.values())[1:])
                for row in priorities
            },
            breaker=ratings.breaker if ratings else ReversalBreaker(),
            breaker_open=bool(ratings and ratings.breaker.is_open(now)),
            drift=ratings.drift if ratings else drift.Drift(),
            calibrations=tuple(map(to_calibration, calibrations)),
            by_hour=by_hour,
            # The other fields are the columns of that name.
            **dict(counts),
        )


async def _with_answers(
    connection: Connection, tenant: str, rows: Sequence[asyncpg.Record]
) -> list[tuple[Candidate, list[ValidationEvent]]]:
    """Return candidates with what votes need of their answers, oldest answer first."""
    answers = await connection.fetch(
        sql("answers_to"), tenant, [row["id"] for row in rows]
    )
    events: defaultdict[int, list[ValidationEvent]] = defaultdict(list)
    for row in answers:
        events[row["candidate_id"]].append(to_cast(row))
    return [(to_candidate(row), events[row["id"]]) for row in rows]


async def _by_hour(
    connection: Connection, tenant: str, hours: int, now: float
) -> tuple[HourCounts, ...]:
    """Return the counts of each of the last hours; none for more than a week."""
    if hours > BY_HOUR_MAX:
        return ()
    # The beginning of this hour.
    last = now - now % 3600.0
    first = last - (hours - 1) * 3600.0
    rows = await connection.fetch(
        sql("validation_hours"), tenant, to_time(first), to_time(last)
    )
    return tuple(HourCounts(*row.values()) for row in rows)


async def _ratings(connection: Connection, tenant: str) -> LearningState | None:
    row = await connection.fetchrow(sql("ratings"), tenant)
    if row is None:
        return None
    return LearningState(
        seconds_or_none(row["fitted_at"]),
        ReversalBreaker(to_seconds(row["open_until"]), row["reason"]),
        drift.compare(RuleCounts(*each) for each in json.loads(row["drift"])),
        row["pseudonyms"].bytes,
        # Revised since the last learning.
        row["revised_at"] == row["fitted_at"],
    )


async def _add_calibration(
    connection: Connection, tenant: str, calibration: Calibration
) -> None:
    number = await connection.fetchval(sql("reserve"), tenant, "calibration", 1)
    await connection.execute(
        sql("add_calibration"),
        tenant,
        number,
        calibration.extractor,
        calibration.method,
        json.dumps(calibration.parameters),
        json.dumps(list(map(asdict, calibration.bins))),
        calibration.labels,
        calibration.brier_before,
        calibration.brier_after,
        to_time(calibration.fitted),
    )
