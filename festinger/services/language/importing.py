"""Learn what was said or stated elsewhere, with its time and its speaker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from festinger.core.graph.changes import LedgerEntry
from festinger.core.graph.conflicts import PendingConflicts
from festinger.core.graph.gate import clash, judge, redirected
from festinger.core.graph.origins import ReadStatement, StatementReader
from festinger.core.graph.outcome import Outcome
from festinger.core.graph.proposal import Proposal
from festinger.core.world.draft import Draft
from festinger.core.world.placing import to_proposal
from festinger.errors import FestingerError
from festinger.services.language.import_items import (
    ImportedItem,
    ItemReader,
    PreparedItem,
)
from festinger.services.language.keeping import check_keeping
from festinger.services.language.stating import finish_changes, settle_changes
from festinger.services.world.jobs import (
    PromptJob,
    StatedOutcome,
    judge_all,
    stated_outcomes,
)
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.language.turn_queue import UnreadWrites
from festinger.store.language.turns import TurnWrites

if TYPE_CHECKING:
    from festinger.store.world.batches import Batch

NOT_AGAIN = "it was taken back or decided against here"


class RefusedItem(NamedTuple):
    """An item, or a part of it, that is not kept.

    Attributes:
        item: Index of the item.
        reason: Reason for people.
    """

    item: int
    reason: str


@dataclass(slots=True)
class ImportReport:
    """Result of an import.

    Attributes:
        kept: Number of sentences and notes that are kept.
        known: Number of items that were learned before.
        secrets: Number of secrets that were redacted.
        refusals: What was not kept.
        version: The tenant's version that has it.
    """

    kept: int = 0
    known: int = 0
    secrets: int = 0
    outcomes: Sequence[Outcome] = ()
    refusals: list[RefusedItem] = field(default_factory=list)
    version: int = 0


class ImportJob(PromptJob):
    """Job that stores items with their statements, each at the time it was said.

    Args:
        report: Its counts and refusals are completed.
    """

    # Unlike a prompt's: whoever imports waits for the report.
    waited_for = True
    # Items set the draft's time, which other jobs of the batch share.
    alone = True

    def __init__(
        self,
        items: Sequence[PreparedItem],
        conflicts: PendingConflicts,
        report: ImportReport,
    ) -> None:
        # By their digests, statements that were judged before are skipped as in a prompt.
        super().__init__(
            [it for each in items for it in each.proposals],
            conflicts,
            (),
            [each.turn for each in items if each.turn],
            [it for each in items for it in each.statements],
            [each.unread for each in items if each.unread],
        )
        self._items = items
        self._report = report
        self._entries: list[LedgerEntry] = []
        self._kept = TurnWrites()

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Judge the remaining statements of each item, and keep its sentences."""
        # `decide` may run again after a lost race.
        self._entries, self._stated = [], []
        # By identity: two items may hold equal statements.
        fresh = {id(it): key for key, it in self._fresh_statements.items()}
        proposed = {id(it) for it in self._fresh}
        moment = draft.now
        for item in self._items:
            # A fact is as old as its words.
            draft.now = item.said
            left = [it for it in item.proposals if id(it) in proposed]
            read = {fresh[id(it)]: it for it in item.statements if id(it) in fresh}
            entries, stated = judge_all(draft, self._allowed(draft, item, left), read)
            for statement, each in stated:
                if each.entry and not _may_replace(statement, each.entry):
                    each.entry.changed_by = ""
            if item.origin is not None:
                for entry in entries:
                    draft.changes.origins.setdefault(entry.id, item.origin)
            self._entries += entries
            self._stated += stated
            refused = [each.refusal for _, each in stated if each.refusal]
            self._report.refusals += [RefusedItem(item.index, why) for why in refused]
        # Times of the batch itself, such as that of its row in the log, are of now.
        draft.now = moment
        if self._said:
            self._kept = batch.of(TurnWrites)
            self._kept.keep(self._said)
        if self._unread:
            batch.of(UnreadWrites).turns += self._unread

    def answer(self, version: int) -> Sequence[StatedOutcome]:
        """Complete the report, and return the outcomes of what was read."""
        report = self._report
        # Counted by what was stored, as turns that were known already are left out.
        lengths = {turn.key: len(turn.utterances) for turn in self._said}
        stored = {turn.key for turn in self._kept.stored}
        report.kept = sum(lengths[key] for key in stored if key in lengths)
        fresh = {id(it) for it in (*self._fresh, *self._fresh_statements.values())}
        # Known: nothing of it was new, neither its sentences nor its statements.
        report.known = sum(
            not any(id(it) in fresh for it in (*each.proposals, *each.statements))
            for each in self._items
            if (each.turn.key not in stored if each.turn else _states(each))
        )
        report.outcomes = [entry.outcome for entry in self._entries]
        report.version = version
        return stated_outcomes(self._stated)

    def _allowed(
        self, draft: Draft, item: PreparedItem, proposals: Sequence[Proposal]
    ) -> list[Proposal]:
        """Return the statements without those that were taken back here."""
        allowed: list[Proposal] = []
        for proposal in proposals:
            key = clash(redirected(proposal.triple, draft), draft)
            # A statement of another memory reopens nothing that was decided here (J15).
            if proposal.decided and key and draft.tombstone(key):
                self._report.refusals.append(RefusedItem(item.index, NOT_AGAIN))
            else:
                allowed.append(proposal)
        return allowed


async def import_items(
    memory: TenantMemory,
    items: Mapping[int, ImportedItem],
    *,
    principal: str,
    preview: bool = False,
) -> ImportReport:
    """Learn items in one transaction, and return the result after the commit.

    Args:
        items: Items by their index, the sentences of one turn together.
        preview: Whether only to judge them by what is held now.

    Raises:
        NothingKept: The settings do not allow storing anything.
        DatabaseUnavailable: Nothing was written, or the outcome is unknown: repeat it.
        Overloaded: Try again.
    """
    check_keeping(memory.keeps)
    preparation = ItemReader(memory, principal)
    for index, item in items.items():
        await preparation.add(index, item)
    prepared = preparation.finish()
    report = ImportReport(secrets=preparation.secrets)
    # Reasons that were found before the gate; the job adds its own.
    report.refusals = [
        RefusedItem(it.index, why) for it in prepared for why in it.left_out
    ]
    # By what is held now: later items do not see the earlier ones.
    if preview:
        _preview(memory, prepared, report)
        return report
    # What an interrupted import left: its repetition passes over what was judged before.
    await finish_changes(memory, memory.now())
    job = ImportJob(prepared, memory.world.conflicts, report)
    # Changes are settled after the commit, each as a decision of its speaker (J7).
    settled = await settle_changes(memory, await memory.writer.submit(job))
    report.outcomes = [*report.outcomes, *(it.outcome for it in settled if it.outcome)]
    return report


def _preview(
    memory: TenantMemory, prepared: Sequence[PreparedItem], report: ImportReport
) -> None:
    """Judge items by what is held now, and change nothing."""
    world, draft = memory.world, Draft(memory.world, now=memory.now())
    outcomes = [judge(it, world) for each in prepared for it in each.proposals]
    for each in prepared:
        report.kept += len(each.turn.utterances) if each.turn else 0
        for statement in each.statements:
            try:
                outcomes.append(judge(to_proposal(draft, statement), world))
            except FestingerError as error:
                report.refusals.append(RefusedItem(each.index, str(error)))
    report.outcomes = outcomes
    report.version = world.version


def _states(item: PreparedItem) -> bool:
    return bool(item.proposals or item.statements)


def _may_replace(statement: ReadStatement, entry: LedgerEntry) -> bool:
    """Return whether a statement may replace what it collides with."""
    fact, origin = entry.outcome.fact, statement.origin
    # An older change does not replace a newer fact (J15).
    is_older = fact is not None and fact.last_confirmed > origin.said
    # Rows of one file contradict each other: only who talks corrects themselves.
    return origin.reader is not StatementReader.PERSON and not is_older
