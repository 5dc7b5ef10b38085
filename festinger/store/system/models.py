"""Language models in Postgres, and the settings that choose them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import Any, NamedTuple

from festinger.core.system.models import CHOOSING, Model, Provider, Purpose, Usage
from festinger.core.system.schedule import Schedule
from festinger.errors import ModelInUse, ModelNotFound
from festinger.store.graph.rows import time_or_none, to_seconds, to_time
from festinger.store.system.pool import Connection
from festinger.store.system.queries import fields_of, sql, value_of
from festinger.store.system.tenancy import TenantTables, transaction
from festinger.store.world.batches import RequestKey, answered_before


class SealedKey(NamedTuple):
    """A sealed key and the model it belongs to."""

    model_id: int
    provider: Provider
    key: bytes


@dataclass(frozen=True, slots=True)
class TenantSchedule:
    """A tenant with a chosen model, and the state of its schedule.

    Attributes:
        since: Scheduled times up to this one are done or do not apply, in seconds
            since the epoch.
        unfinished: Whether a run is active in any process, or was abandoned.
    """

    tenant: str
    schedule: Schedule
    since: float
    unfinished: bool


class PostgresModels(TenantTables):
    """Store of models, their sealed keys and their usage; the caller closes the pool."""

    async def models(self, tenant: str, day: date) -> list[Model]:
        """Return all models with their usage on a day, oldest first."""
        async with transaction(self._pool, tenant) as connection:
            return await _models(connection, tenant, day, None)

    async def model(self, tenant: str, model_id: int, day: date) -> Model:
        """Return a model with its usage on a day, or raise `ModelNotFound`."""
        async with transaction(self._pool, tenant) as connection:
            return await _model(connection, tenant, model_id, day)

    async def named(self, tenant: str, model_id: int) -> str:
        """Return a model's provider and name; empty if there is no such model."""
        name: str | None = await self._value("model_named", tenant, model_id)
        return name or ""

    async def asked(self, tenant: str, purpose: Purpose, day: date) -> int:
        """Return the number of calls of all models for a purpose on a day."""
        calls: int = await self._value("asked", tenant, purpose, day)
        return calls

    async def sealed(self, tenant: str, model_id: int) -> bytes | None:
        """Return a model's sealed key; None if it has none."""
        found: bytes | None = await self._value("model_key", tenant, model_id)
        return found

    async def add(
        self,
        tenant: str,
        model: Model,
        seal: Callable[[int], bytes | None],
        request: RequestKey | None,
        day: date,
    ) -> Model:
        """Add a model under a new number, or return the model of a repeated call.

        Args:
            seal: Seals the model's key for that number.

        Raises:
            RequestIdReused: The request id was used for another request.
        """
        async with transaction(self._pool, tenant) as connection:
            # A repeated call takes a number as well, which stays unused.
            number: int = await connection.fetchval(sql("reserve"), tenant, "model", 1)
            if request:
                # Of two equal calls at once the second waits here for the first.
                before = await answered_before(
                    connection, tenant, request, {"model_id": number}
                )
                if before is not None:
                    return await _model(connection, tenant, before["model_id"], day)
            await connection.execute(
                sql("add_model"),
                tenant,
                number,
                *fields_of(model, "provider name base_url"),
                seal(number),  # opens in this row only (F3)
                model.key_hint,
            )
            return await _model(connection, tenant, number, day)

    async def remove(self, tenant: str, model_id: int) -> None:
        """Remove a model, its key and its usage; `ModelInUse` if a setting names it."""
        async with transaction(self._pool, tenant) as connection:
            # `change_setting` takes the same lock: nobody chooses the model while it is removed.
            await _lock(connection, tenant, model_id)
            key = await connection.fetchval(
                sql("settings_naming"), tenant, list(CHOOSING.values()), str(model_id)
            )
            if key:
                raise ModelInUse(
                    f"{key} names model {model_id}. Choose another first: festinger "
                    f"config set {key} NUMBER, or festinger config reset {key}",
                    model_id=str(model_id),
                    key=key,
                )
            await connection.execute(sql("remove_model"), tenant, model_id)

    async def reseal(
        self,
        tenant: str,
        seal_anew: Callable[[Iterable[SealedKey]], Mapping[int, bytes]],
    ) -> int:
        """Reseal all keys, or none on an error; return their number."""
        async with transaction(self._pool, tenant) as connection:
            # One transaction, with the rows locked: no key stays under the old master key.
            rows = await connection.fetch(sql("sealed_keys"), tenant)
            fresh = seal_anew(
                SealedKey(row["id"], Provider(row["provider"]), row["api_key"])
                for row in rows
            )
            await connection.executemany(
                sql("reseal_key"),
                [(tenant, model_id, key) for model_id, key in fresh.items()],
            )
        return len(rows)

    async def spend(
        self,
        tenant: str,
        model_id: int,
        purpose: Purpose,
        usage: Usage,
        day: date,
        *,
        answered: float | None = None,
        error: str = "",
    ) -> None:
        """Add to a model's usage on a day.

        Args:
            answered: Time of a valid answer, in seconds since the epoch, if there was
                one.
            error: The reason of a failure; empty if there was none.
        """
        async with transaction(self._pool, tenant) as connection:
            await connection.execute(
                sql("spend"),
                tenant,
                model_id,
                day,
                purpose,
                *fields_of(usage, "calls failures input_tokens output_tokens"),
            )
            if answered is not None:
                # An answer also clears the last error.
                at = to_time(answered)
                await connection.execute(sql("note_answer"), tenant, model_id, at)
            elif error:
                await connection.execute(sql("note_error"), tenant, model_id, error)

    async def spent(self, tenant: str, day: date) -> int:
        """Return the input and output tokens of all models of a tenant on a day."""
        tokens: int = await self._value("spent", tenant, day)
        return tokens

    async def settings(self, tenant: str) -> dict[str, tuple[str, float | None]]:
        """Return the rows of the `config` table: value and time of the last change."""
        rows = await self._rows("settings", tenant)
        return {
            # None if it was never changed.
            row["key"]: (row["value"], to_seconds(row["updated_at"]) or None)
            for row in rows
        }

    async def change_setting(
        self, tenant: str, key: str, value: str, at: float | None
    ) -> None:
        """Write a row of the `config` table.

        Args:
            at: Time of the change, in seconds since the epoch; None on a reset to the
                default.

        Raises:
            ModelNotFound: The value refers to a model that does not exist.
        """
        async with transaction(self._pool, tenant) as connection:
            # "0" stands for no model, which needs no row.
            if key in CHOOSING.values() and int(value):
                await _lock(connection, tenant, int(value))
            changed = time_or_none(at)
            await connection.execute(sql("change_setting"), tenant, key, value, changed)


async def _lock(connection: Connection, tenant: str, model_id: int) -> None:
    if await connection.fetchval(sql("lock_model"), tenant, model_id) is None:
        raise _not_found(model_id)


async def _model(
    connection: Connection, tenant: str, model_id: int, day: date
) -> Model:
    found = await _models(connection, tenant, day, model_id)
    if not found:
        raise _not_found(model_id)
    return found[0]


async def _models(
    connection: Connection, tenant: str, day: date, model_id: int | None
) -> list[Model]:
    rows = await connection.fetch(sql("models"), tenant, day, model_id)
    # The rows come in the order of their numbers, as `groupby` needs it.
    by_model = groupby(rows, key=lambda row: row["id"])
    return [_to_model(list(group)) for _, group in by_model]


def _to_model(rows: list[Any]) -> Model:
    """Convert the rows of a model, one for each purpose, to a model."""
    first = rows[0]
    return value_of(
        Model,
        first,
        name=first["model_name"],
        key_hint=first["api_key_hint"],
        today={
            Purpose(row["purpose"]): value_of(Usage, row)
            for row in rows
            # A model that was not asked on that day has one row, without a purpose.
            if row["purpose"]
        },
    )


def _not_found(model_id: int) -> ModelNotFound:
    return ModelNotFound(
        f"there is no model {model_id}. See: festinger system models",
        model_id=str(model_id),
    )
