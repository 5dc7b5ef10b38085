"""RPC methods for the backlog of rejected and expired candidates, and for dreaming."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from festinger.api.v1 import validation_pb2 as messages
from festinger.api.v1 import validation_service_pb2 as pb
from festinger.api.v1.validation_service_pb2_grpc import ValidationServiceServicer
from festinger.core.graph.statement import parse_fact
from festinger.core.validation.backlog import BacklogItem, BacklogState, DreamRun
from festinger.core.validation.votes import ValidationEvent
from festinger.errors import InvalidArgument, LeaseLost, NoModel
from festinger.rpc import convert
from festinger.rpc.fields import from_numbers, members_of, message_of, to_time
from festinger.rpc.serving import TenantServicer
from festinger.rpc.system import paging
from festinger.rpc.system.callers import CALLER, Context
from festinger.services.validation.dream_findings import by_worker, failed
from festinger.services.validation.dreamer import Dreamed, Dreamer, schedule_of
from festinger.services.world.tenant_memory import TenantMemory

LEASE_SECONDS, LEASE_SECONDS_MIN, LEASE_SECONDS_MAX = 300, 10, 3600  # seconds
LEASED_MAX, FACTS_MAX, DREAM_RUNS_TOLD = 100, 100, 10  # of a lease; of a report; shown
ERROR_CHARACTERS_MAX = 2000
_STATES = members_of(messages.BacklogItem.State, BacklogState)


class DreamingCalls(TenantServicer, ValidationServiceServicer):
    """Dreaming methods of `festinger.rpc.validation.validation_service`."""

    _dreamer: Dreamer | None

    async def LeaseBacklog(
        self, request: pb.LeaseBacklogRequest, context: Context
    ) -> pb.LeaseBacklogResponse:
        """Lease items of the backlog to a worker."""
        caller, backlog = CALLER.get(), self._need_dreamer().backlog
        if request.page_size < 0:
            raise InvalidArgument("page_size must not be negative", field="page_size")
        # One by default: a lease is for what a worker is about to do.
        count = min(request.page_size or 1, LEASED_MAX)
        seconds = _lease_seconds(request.lease_seconds)
        memory = await self._memory()
        # Two steps: if another worker leases the same meanwhile, fewer are returned.
        due = await backlog.due(memory.tenant, memory.now(), count)
        items = await backlog.lease(memory.tenant, due, caller.principal, seconds)
        return pb.LeaseBacklogResponse(
            items=await self._told(memory, items, with_lease=True)
        )

    async def ReportBacklog(
        self, request: pb.ReportBacklogRequest, context: Context
    ) -> pb.ReportBacklogResponse:
        """Complete, fail, extend or give back a leased item of the backlog."""
        caller, backlog = CALLER.get(), self._need_dreamer().backlog
        lease, seconds = _lease(request.lease), _lease_seconds(request.lease_seconds)
        why = convert.checked(request.error, "error", ERROR_CHARACTERS_MAX)
        if len(request.facts) > FACTS_MAX:
            raise InvalidArgument(
                f"report at most {FACTS_MAX} statements of an item", field="facts"
            )
        # Before the lease is looked at: an unreadable fact leaves it as it was.
        triples = [parse_fact(fact) for fact in request.facts]
        memory = await self._memory()
        tenant = memory.tenant
        item = await backlog.get(tenant, request.backlog_id)
        # Each returns False if the lease is not the caller's any more.
        match request.result:
            case "extend":
                ours = await backlog.extend(tenant, item.id, lease, seconds)
            case "give_back":
                # Without counting a failure.
                ours = await backlog.give_back(tenant, item.given_back(), lease)
            case "fail":
                # A failed item is due later each time, and given up in the end.
                worse = failed(item, why, memory.now())
                ours = await backlog.give_back(tenant, worse, lease)
            case "done":
                # Findings become candidates: the server did not see what they stand on (E5).
                ours = await by_worker(memory, item, lease, triples, caller.principal)
            case _:
                raise InvalidArgument(
                    "result must be extend, give_back, fail or done", field="result"
                )
        # Nothing was changed, so that the item is safely somebody else's.
        if not ours:
            raise LeaseLost(
                f"item {item.id} of the backlog is not yours any more, or never was: "
                "its lease ran out, or it is done. Lease another one",
                backlog_id=str(item.id),
            )
        item = await backlog.get(tenant, item.id)
        (told,) = await self._told(memory, [item], with_lease=True)
        return pb.ReportBacklogResponse(item=told)

    async def ListBacklog(
        self, request: pb.ListBacklogRequest, context: Context
    ) -> pb.ListBacklogResponse:
        """Return a page of the backlog, the last dreaming runs and the next one."""
        dreamer = self._need_dreamer()
        size = paging.page_size(request.page_size)
        after = paging.after_number(request.page_token)
        memory = await self._memory()
        items = await dreamer.backlog.list(
            memory.tenant,
            states=from_numbers(request.states, _STATES, "states"),
            after=after,
            limit=size + 1,
        )
        dream_runs = await dreamer.dream_runs.last(memory.tenant, DREAM_RUNS_TOLD)
        resting = dreamer.resting(memory)
        # None without a model, whatever the schedule.
        coming = None if resting else schedule_of(memory).next(memory.now())
        more = len(items) > size
        return pb.ListBacklogResponse(
            items=await self._told(memory, items[:size]),
            next_page_token=paging.page_token(items[size - 1].id) if more else "",
            dream_runs=map(_to_dream_run, dream_runs),
            resting=resting,
            next_time=to_time(coming),
        )

    async def Dream(self, request: pb.DreamRequest, context: Context) -> None:
        """Have the model work on the backlog now, and stream the progress."""
        caller = CALLER.get()
        if request.item_count_max < 0:
            raise InvalidArgument(
                "item_count_max must not be negative", field="item_count_max"
            )
        # A night goes on if the caller hangs up.
        async for dreamed in self._need_dreamer().dream(
            caller.tenant, caller.principal, request.item_count_max
        ):
            await context.write(_to_response(dreamed))

    async def _told(
        self,
        memory: TenantMemory,
        items: Sequence[BacklogItem],
        *,
        with_lease: bool = False,
    ) -> list[messages.BacklogItem]:
        """Convert items to messages, with the answers that people gave.

        Args:
            with_lease: Whether the caller holds their leases and may know them.
        """
        # Events of all items in one query.
        events = await self._need_dreamer().backlog.events(
            memory.tenant, [each.candidate_id for each in items]
        )
        return [
            _to_item(each, events.get(each.candidate_id, ()), with_lease)
            for each in items
        ]

    def _need_dreamer(self) -> Dreamer:
        if self._dreamer is None:
            raise NoModel("this server asks no models", key="dream_model_id")
        return self._dreamer


def _lease(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise InvalidArgument(
            "lease must be what LeaseBacklog named it", field="lease"
        ) from None


def _lease_seconds(asked: int) -> int:
    if asked and not LEASE_SECONDS_MIN <= asked <= LEASE_SECONDS_MAX:
        raise InvalidArgument(
            f"lease_seconds must be from {LEASE_SECONDS_MIN} to {LEASE_SECONDS_MAX}",
            field="lease_seconds",
        )
    return asked or LEASE_SECONDS


def _to_item(
    item: BacklogItem, events: Sequence[ValidationEvent], with_lease: bool = False
) -> messages.BacklogItem:
    """Convert an item of the backlog to a message."""
    return message_of(
        messages.BacklogItem,
        item,
        reason=item.because,
        # Whoever knows a lease could report on the item, so that lists leave it out.
        lease=str(item.lease or "") if with_lease else "",
        lease_end_time=to_time(item.leased_until),
        events=map(convert.to_validation_event, events),
    )


def _to_dream_run(dream_run: DreamRun) -> pb.DreamRun:
    return message_of(
        pb.DreamRun, dream_run, held_count=dream_run.asserted, report=dream_run.said()
    )


def _to_response(dreamed: Dreamed) -> pb.DreamResponse:
    item = dreamed.about
    return pb.DreamResponse(
        item=_to_item(item, ()) if item else None, dream_run=_to_dream_run(dreamed.run)
    )
