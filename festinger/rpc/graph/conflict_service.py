"""ConflictService: conflicts, resolver runs, and undoing decisions."""

from __future__ import annotations

from datetime import timedelta

from festinger.api.v1 import conflict_service_pb2 as conflicts_pb
from festinger.api.v1.conflict_pb2 import Conflict
from festinger.api.v1.conflict_service_pb2_grpc import ConflictServiceServicer
from festinger.core.graph.advice import REASONING_CHARACTERS_MAX
from festinger.core.graph.resolution import ConflictState
from festinger.core.system.models import Purpose, unchosen
from festinger.core.system.runs import Run
from festinger.core.system.schedule import Schedule
from festinger.errors import InvalidArgument, NoModel
from festinger.rpc import convert
from festinger.rpc.convert import checked, optional_token
from festinger.rpc.fields import from_numbers, members_of, message_of, to_time
from festinger.rpc.serving import TenantServicer
from festinger.rpc.system import paging
from festinger.rpc.system.callers import CALLER, Context
from festinger.services.graph.resolver import Resolver, Resolving
from festinger.services.graph.resolving import Undoing
from festinger.services.world.memory import Memories

_STATES = members_of(Conflict.State, ConflictState)
RUNS_TOLD = 10
ONLY_MAX = 1000


class ConflictServicer(TenantServicer, ConflictServiceServicer):
    """Servicer that reads conflicts, runs the resolver and undoes decisions.

    Args:
        resolver: None if the server asks no models.
    """

    def __init__(self, memories: Memories, resolver: Resolver | None = None) -> None:
        super().__init__(memories)
        self._resolver = resolver

    async def GetConflict(
        self, request: conflicts_pb.GetConflictRequest, context: Context
    ) -> conflicts_pb.GetConflictResponse:
        """Return a conflict."""
        caller = CALLER.get()
        memory = await self._memory()
        async with memory.store.reading(memory.tenant) as reads:
            conflict = await reads.conflict(request.conflict_id)
        # Evidence may hold votes and private words, which operators alone may read.
        message = convert.to_conflict(conflict, whole=caller.operator)
        return conflicts_pb.GetConflictResponse(conflict=message)

    async def ListConflicts(
        self, request: conflicts_pb.ListConflictsRequest, context: Context
    ) -> conflicts_pb.ListConflictsResponse:
        """Return a page of conflicts, the most urgent first."""
        size = paging.page_size(request.page_size)
        # A page continues after a priority and a number, since many conflicts share a priority.
        after = paging.after_numbers(request.page_token)
        caller = CALLER.get()
        memory = await self._memory()
        concept = optional_token(memory.world, request.concept, "concept")
        states = from_numbers(request.states, _STATES, "states")
        async with memory.store.reading(memory.tenant) as reads:
            conflicts = await reads.conflicts(
                states=states, concept=concept, after=after, limit=size + 1
            )
        last = conflicts[size - 1] if len(conflicts) > size else None
        return conflicts_pb.ListConflictsResponse(
            conflicts=[
                convert.to_conflict(conflict, whole=caller.operator)
                for conflict in conflicts[:size]
            ],
            next_page_token=(
                paging.pair_token(str(last.priority), str(last.id)) if last else ""
            ),
        )

    async def Run(self, request: conflicts_pb.RunRequest, context: Context) -> None:
        """Have the model resolve pending conflicts, and stream the progress."""
        caller = CALLER.get()
        if len(request.conflict_ids) > ONLY_MAX:
            raise InvalidArgument(
                f"name at most {ONLY_MAX} conflicts, or none for all that wait",
                field="conflict_ids",
            )
        async for progress in self._need_resolver().run(
            caller.tenant, caller.principal, tuple(request.conflict_ids)
        ):
            # A watcher who hangs up ends this stream; the run itself goes on.
            await context.write(_to_response(progress))

    async def GetResolver(
        self, request: conflicts_pb.GetResolverRequest, context: Context
    ) -> conflicts_pb.GetResolverResponse:
        """Return the last resolver runs, the next one and the pending conflicts."""
        memory = await self._memory()
        runs = self._need_resolver().runs
        # Read first, so that what a finished run resolved is not counted as pending.
        last = await runs.last(memory.tenant, RUNS_TOLD)
        standing = await runs.standing(memory.tenant)
        chosen = memory.preferences
        # The next run is none without a model: a schedule alone runs nothing (F1).
        schedule = Schedule(chosen.resolution_schedule, chosen.resolution_timezone)
        coming = schedule.next(memory.now()) if chosen.resolve_model_id else None
        resting = "" if chosen.resolve_model_id else unchosen(Purpose.RESOLVE)
        return conflicts_pb.GetResolverResponse(
            runs=[to_run(run) for run in last],
            next_run_time=to_time(coming),
            resting=resting,
            pending_count=standing.pending,
            for_people_count=standing.for_people,
            oldest_pending_time=to_time(standing.oldest),
        )

    async def Undo(
        self, request: conflicts_pb.UndoRequest, context: Context
    ) -> conflicts_pb.UndoResponse:
        """Undo a decision."""
        caller = CALLER.get()
        memory = await self._memory()
        # A job of the writer, so that the undoing is judged in order with other statements.
        job = Undoing(
            request.conflict_id,
            principal=caller.principal,
            reasoning=checked(request.reasoning, "reasoning", REASONING_CHARACTERS_MAX),
            etag=request.etag,
            # A repeated call with the same id gets the first answer, and not "cannot undo".
            request=convert.request_key(request, caller),
        )
        conflict, version = await memory.writer.submit(job)
        return conflicts_pb.UndoResponse(
            conflict=convert.to_conflict(conflict), version=version
        )

    def _need_resolver(self) -> Resolver:
        if self._resolver is None:
            # A precondition that names the setting: an operator can choose a model.
            raise NoModel("this server asks no models", key="resolve_model_id")
        return self._resolver


def to_run(run: Run) -> conflicts_pb.Run:
    """Convert a run of the resolver to a message."""
    return message_of(conflicts_pb.Run, run, conflict_count=run.total)


def _to_response(progress: Resolving) -> conflicts_pb.RunResponse:
    return conflicts_pb.RunResponse(
        run=to_run(progress.run),
        # The first and the last message are about the run.
        conflict=convert.to_conflict(progress.about) if progress.about else None,
        error=progress.error,
        duration=timedelta(seconds=progress.seconds) if progress.about else None,
    )
