"""Dreaming: at night a model looks into rejected or undecided candidates."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import TypeAlias

from festinger.config import RoleTrust
from festinger.core.graph.candidates import Candidate
from festinger.core.language.grounding import THRESHOLDS, Thresholds
from festinger.core.language.turns import Role
from festinger.core.recollection.reading import SCANNER
from festinger.core.system.models import CHOOSING, Purpose, unchosen
from festinger.core.system.schedule import Schedule
from festinger.core.validation.backlog import ATTEMPTS_MAX, BacklogItem, DreamRun
from festinger.core.validation.dreaming import (
    SYSTEM,
    AskedModel,
    BacklogCase,
    Dreams,
    Remark,
    prompt_hash,
    question,
    shown,
)
from festinger.core.validation.weighing import weigh
from festinger.llm.interface import LanguageModel
from festinger.services.system.leased_worker import LeasedWorker, RetryState
from festinger.services.system.leases import LEASE_SECONDS
from festinger.services.system.runner import ActiveRun, Runner, RunProgress
from festinger.services.validation.dream_findings import ProposeDreamt
from festinger.services.world.memory import Memories
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.system.models import PostgresModels
from festinger.store.validation.backlog import PostgresBacklog, PostgresDreamRuns
from festinger.store.validation.records import NearbyTurn

DREAMER = "festinger:dreamer"
"""Holder of leases on items that no external worker has."""
ITEMS_MAX = 10_000
"""Maximum number of items of a night; the rest waits for the next."""

Dreamed: TypeAlias = RunProgress[DreamRun, BacklogItem]
"""Progress of a night, with the item that it has just handled."""


@dataclass(frozen=True, slots=True)
class DreamOptions:
    """Options of a night that a person starts.

    Attributes:
        items_max: Maximum number of items, whether due or not; 0 for all.
    """

    items_max: int = 0


@dataclass(eq=False)
class Interpreter(LeasedWorker[tuple[BacklogItem, int]]):
    """Leased worker that handles one backlog item of a night with a model."""

    purpose = Purpose.DREAM
    doing = "dreaming"
    patience = attempts_max = ATTEMPTS_MAX

    models: LanguageModel
    kept: PostgresModels
    backlog: PostgresBacklog
    thresholds: Thresholds = field(default=THRESHOLDS, init=False)

    async def interpret(
        self, memory: TenantMemory, item: BacklogItem, dream_run: int
    ) -> BaseException | None:
        """Handle an item that this process has leased; return the error, if any."""
        return await self._attend(memory, (item, dream_run))

    def wake(self, tenant: str) -> None:
        """Reset the pause after failures of a tenant's model."""
        # A new night tries again, whatever the model said in the last one.
        self._pauses.end(tenant)

    async def _due(self) -> list[str]:
        return []  # items are handled by nights only

    async def _lease(self, tenant: str) -> None:
        return None

    async def _extend(self, tenant: str, piece: tuple[BacklogItem, int]) -> bool:
        item, _ = piece
        assert item.lease is not None, "who looks into an item has the lease"
        return await self.backlog.extend(tenant, item.id, item.lease, LEASE_SECONDS)

    async def _do(self, memory: TenantMemory, piece: tuple[BacklogItem, int]) -> None:
        """Read the case, ask the model, and judge its findings."""
        item, dream_run = piece
        case = await self._case(memory, item)
        async with memory.store.reading(memory.tenant) as reads:
            dimensions = await reads.dimensions()
        prompt = question(case, memory.registry, dimensions)
        model_id = self._model_id(memory)
        answer = await self.models.ask(
            memory.tenant, Purpose.DREAM, system=SYSTEM, prompt=prompt, form=Dreams
        )
        # Asked for the trail: which model, under which name, saw which prompt.
        asked = AskedModel(
            f"model:{model_id}",
            await self.kept.named(memory.tenant, model_id),
            prompt_hash(SYSTEM, prompt),
        )
        weighed = weigh(
            answer, case, memory.registry, asked, thresholds=self.thresholds
        )
        # Findings, outcomes and completion are one transaction: nothing is left half done.
        await memory.writer.submit(ProposeDreamt(item, weighed, dream_run))

    async def _case(self, memory: TenantMemory, item: BacklogItem) -> BacklogCase:
        async with memory.store.reading(memory.tenant) as reads:
            candidate = await reads.candidate(item.candidate_id)
        events = await self.backlog.events(memory.tenant, [candidate.id])
        said = await self.backlog.said_around(memory.tenant, candidate)
        return BacklogCase(
            item,
            candidate,
            events.get(candidate.id, ()),
            shown(remarks_of(candidate, said, memory)),
        )

    async def _give_back(
        self,
        memory: TenantMemory,
        piece: tuple[BacklogItem, int],
        setback: RetryState | None,
    ) -> None:
        item, dream_run = piece
        assert item.lease is not None, "who looks into an item has the lease"
        # No fault of the item: it is as if nobody had tried.
        if setback is None:
            await self.backlog.give_back(memory.tenant, item.given_back(), item.lease)
            return
        worse = item.set_back(setback.why, setback.attempts, setback.due, self.now())
        await self.backlog.give_back(memory.tenant, worse, item.lease, dream_run)

    def _attempts(self, piece: tuple[BacklogItem, int]) -> int:
        return piece[0].attempts

    def _failure_clause(self, piece: tuple[BacklogItem, int]) -> str:
        return f"nobody knows what is behind candidate {piece[0].candidate_id}"


class Dreamer(Runner[DreamRun, BacklogItem]):
    """Runner of nights.

    Args:
        complain: Called with a sentence for each failed item, and each failed night.
    """

    purpose = Purpose.DREAM
    noun = "night"

    def __init__(
        self,
        memories: Memories,
        models: LanguageModel,
        kept: PostgresModels,
        backlog: PostgresBacklog,
        dream_runs: PostgresDreamRuns,
        *,
        now: Callable[[], float],
        complain: Callable[[str], None] = lambda message: None,
    ) -> None:
        super().__init__(memories, dream_runs, now=now, complain=complain)
        self.backlog = backlog
        self.dream_runs = dream_runs
        self._interpreter = Interpreter(
            memories, models, kept, backlog, now=now, complain=complain
        )

    @property
    def thresholds(self) -> Thresholds:
        """The thresholds of grounding; new ones apply from the next answer on."""
        return self._interpreter.thresholds

    @thresholds.setter
    def thresholds(self, thresholds: Thresholds) -> None:
        """Set the thresholds of the interpreter."""
        self._interpreter.thresholds = thresholds

    def dream(
        self, tenant: str, principal: str, items_max: int = 0
    ) -> AsyncIterator[Dreamed]:
        """Start a night, or watch the one in progress, until its end, as `_run` does.

        Args:
            items_max: Maximum number of items; 0 for all that are queued.
        """
        return self._run(tenant, principal, DreamOptions(items_max))

    def resting(self, memory: TenantMemory) -> str:
        """Return why no night can take place; empty if one can."""
        # Nights rest without a model (F1), but not after its failures: `wake` forgets those.
        chosen = getattr(memory.preferences, CHOOSING[self.purpose])
        return "" if chosen else unchosen(self.purpose)

    async def stop(self) -> None:
        """Stop the nights in progress; another process or a later start resumes."""
        await super().stop()
        await self._interpreter.stop()

    async def _begin(
        self,
        tenant: str,
        principal: str,
        due: float | None,
        wanted: DreamOptions | None,
    ) -> DreamRun | None:
        most = wanted.items_max if wanted else 0
        return await self.dream_runs.begin(
            tenant, principal, most, now=self._now(), due=due
        )

    async def _do_all(
        self, memory: TenantMemory, underway: ActiveRun[DreamRun, BacklogItem]
    ) -> None:
        dream_run, tenant = underway.run, memory.tenant
        self._interpreter.wake(tenant)
        registered = {each.uri for each in memory.registry}
        # A resumed night counts from what is stored.
        dream_run.recount(await self.dream_runs.items(tenant, dream_run.id), registered)
        waiting = await self._waiting(tenant, dream_run)
        # A resumed night has handled some of them before.
        dream_run.total = dream_run.done + len(waiting)
        underway.tell(RunProgress(dream_run))
        for item_id in waiting:
            started = monotonic()
            # Leased one by one, so that external workers can take the next ones meanwhile.
            leased = await self.backlog.lease(tenant, [item_id], DREAMER, LEASE_SECONDS)
            if not leased:
                continue  # another worker has the lease
            error = await self._interpreter.interpret(memory, leased[0], dream_run.id)
            item = await self.backlog.get(tenant, item_id)
            # A lost lease: another worker's result does not count for this night.
            if item.dream_run == dream_run.id:
                dream_run.count(item, registered)
            await self.dream_runs.save(tenant, dream_run)
            why = str(error or "")
            underway.tell(RunProgress(dream_run, item, why, monotonic() - started))
            if error and self._interpreter.resting(memory):
                raise error  # the next items would fail as well

    async def _waiting(self, tenant: str, dream_run: DreamRun) -> list[int]:
        """Return the numbers of the items that this night has yet to handle."""
        limit = ITEMS_MAX
        if dream_run.items_max:
            limit = min(limit, max(0, dream_run.items_max - dream_run.done))
        # A night that a person starts ignores due times, but tries each item once.
        at = self._now() if dream_run.due is not None or dream_run.done else None
        return await self.backlog.due(tenant, at, limit)


def schedule_of(memory: TenantMemory) -> Schedule:
    """Return the schedule of nights of a memory."""
    chosen = memory.preferences
    return Schedule(chosen.dream_schedule, chosen.resolution_timezone)


def remarks_of(
    candidate: Candidate, said: list[NearbyTurn], memory: TenantMemory
) -> list[Remark]:
    """Return the remarks around a candidate, each with its doubt (E1)."""
    own = "" if candidate.proposer == SCANNER else "unverified"
    # The candidate's reason says that its own text may only propose, as `document_text`.
    if candidate.reason.endswith("_text"):
        own = candidate.reason
    speaker = candidate.subject or candidate.author
    remarks = [
        Remark(
            each.text,
            "document" if each.chunk_id else each.role,
            speaker if each.role in (Role.USER, "") and not each.chunk_id else "",
            candidate.author,
            _doubt(each, own, memory),
            each.chunk_id,
        )
        for each in said
    ]
    # The sentence itself, if its turn is not kept any more.
    if candidate.evidence and not any(candidate.evidence in it.text for it in remarks):
        remarks.insert(
            0, Remark(candidate.evidence, "", speaker, candidate.author, own)
        )
    return remarks


def _doubt(said: NearbyTurn, own: str, memory: TenantMemory) -> str:
    """Return why a text may only propose; empty if it may assert.

    Args:
        own: The doubt about the turn in which the candidate stood.
    """
    if said.chunk_id:
        return "document_text"
    if not said.role:
        return own
    asserts = memory.trust[Role(said.role)] is RoleTrust.ASSERTS
    return "" if said.role == Role.USER and asserts else f"{said.role}_text"
