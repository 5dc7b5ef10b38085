"""Effects of a decision, recorded so that it can be undone exactly (C4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from festinger import _fast
from festinger.core.graph.changes import Denial
from festinger.core.graph.conflicts import Clash
from festinger.core.graph.tombstones import SettledBy, Tombstone
from festinger.core.world.draft import Draft
from festinger.errors import CannotUndo

Value = TypeVar("Value")


class PlaceChange(NamedTuple, Generic[Value]):
    """Values at a place before and after a decision; None for no value."""

    before: Value | None
    after: Value | None


@dataclass(frozen=True, slots=True)
class Effects:
    """All changes of a decision.

    Attributes:
        edges: The changed edges by place (`Edge.place`).
        denials: The changed ledger row of each denial.
        redirects: The changed target dimension of each redirect.
        settled: The ids of the queue items that the decision closed.
    """

    edges: dict[tuple[int, int, int], PlaceChange[_fast.Edge]]
    denials: dict[Denial, PlaceChange[int]]
    tombstones: dict[Clash, PlaceChange[Tombstone]]
    redirects: dict[Clash, PlaceChange[int]]
    settled: dict[Clash, int]

    def to_json(self) -> dict[str, Any]:
        """Return the effects as JSON values: lists of a key, and before and after."""
        return {
            "edges": [[*key, *change] for key, change in self.edges.items()],
            "denials": [[*key, *change] for key, change in self.denials.items()],
            "tombstones": [
                [*key, _of_tombstone(change.before), _of_tombstone(change.after)]
                for key, change in self.tombstones.items()
            ],
            "redirects": [[*key, *change] for key, change in self.redirects.items()],
            "settled": [[*key, number] for key, number in self.settled.items()],
        }

    @classmethod
    def from_json(cls, parts: dict[str, Any]) -> Effects:
        """Return the effects that `to_json` encoded."""
        return cls(
            edges={
                _to_place(place): PlaceChange(_to_edge(before), _to_edge(after))
                for *place, before, after in parts["edges"]
            },
            denials={
                (concept, parent, dimension): PlaceChange(before, after)
                for concept, parent, dimension, before, after in parts["denials"]
            },
            tombstones={
                Clash(*key): PlaceChange(_to_tombstone(before), _to_tombstone(after))
                for *key, before, after in parts["tombstones"]
            },
            redirects={
                Clash(*key): PlaceChange(before, after)
                for *key, before, after in parts["redirects"]
            },
            settled={Clash(*key): number for *key, number in parts["settled"]},
        )


def effects_of(draft: Draft) -> Effects:
    """Return the effects of the decision that a draft was made for.

    Must be called before the draft is published.
    """
    # A decision has a draft of its own: all changes of that draft are its effects.
    world, changes = draft.world, draft.changes
    edges = {
        key: PlaceChange(world.edge(*key), edge)
        for key, edge in draft.edges.items()
        # The root of a new dimension stays: it says nothing (C1).
        if key[0] != key[1]
    }
    denials = {
        key: PlaceChange(world.denials.find(key), number)
        for key, number in draft.denials.items()
    }
    tombstones = {
        key: PlaceChange(world.tombstone(key), rest)
        for key, rest in changes.tombstones.items()
    }
    redirects = {
        key: PlaceChange(world.redirect(key), dim_id)
        for key, dim_id in changes.redirects.items()
    }
    settled = {each.clash: each.conflict_id for each in changes.settlements}
    return Effects(edges, denials, tombstones, redirects, settled)


def take_back(effects: Effects, draft: Draft, *, by: str) -> None:
    """Undo the effects of a decision in a draft.

    Args:
        by: Cause of the undo, for the history. Example: `undo of conflict 7`.

    Raises:
        CannotUndo: The changes of the decision were changed since, or something that it
            ended cannot be held again.
    """
    # Checked as a whole first: an undo is done entirely or not at all.
    _check_unchanged(effects, draft)
    # Ends before restorations, which may need their places.
    _end(effects, draft, by)
    _restore(effects, draft)
    for key, rest in effects.tombstones.items():
        # A tombstone that was removed since was removed by a person, and stays so.
        if draft.tombstone(key) == rest.after:
            draft.changes.tombstones[key] = rest.before
    for key, sent in effects.redirects.items():
        draft.changes.redirects[key] = sent.before


def _check_unchanged(effects: Effects, draft: Draft) -> None:
    for place, edge in effects.edges.items():
        # A later confirmation changes nothing that an undo would overwrite.
        if not same_statement(draft.edge(*place), edge.after):
            raise _changed(draft, *place[:2])
    for denial, number in effects.denials.items():
        if draft.denied(*denial) != (number.after is not None):
            raise _changed(draft, denial[0], denial[2])
    for key, sent in effects.redirects.items():
        if draft.redirect(key) != sent.after:
            raise _changed(draft, key.concept_id, key.dim_id)
    for key in effects.settled:
        # Two items for one statement would wait (C5a).
        if draft.queued(key) is not None:
            raise CannotUndo(
                f"{draft.token(key.concept_id)} is {draft.token(key.parent_id)} "
                f"[{draft.token(key.dim_id)}] was stated again since and waits in "
                f"conflict #{draft.queued(key)}: decide that one"
            )


def _end(effects: Effects, draft: Draft, by: str) -> None:
    for place, change in effects.edges.items():
        if _is_to_go(change, draft.edge(*place)):
            assert change.after is not None, "what goes is there"
            draft.end(_key(change.after), by=by)
    for (concept_id, parent_id, dim_id), number in effects.denials.items():
        if number.after is not None:
            draft.end(Clash(concept_id, dim_id, parent_id, True), by=by)


def _is_to_go(change: PlaceChange[_fast.Edge], held: _fast.Edge | None) -> bool:
    """Return whether undoing a decision ends the edge that it made or confirmed."""
    if change.after is None:
        return False
    # An edge that it only confirmed stays if it was confirmed again since.
    return not same_statement(change.before, change.after) or held == change.after


def _restore(effects: Effects, draft: Draft) -> None:
    for place, change in effects.edges.items():
        edge = change.before
        # It was confirmed since, and so not ended above.
        if edge is None or draft.edge(*place) is not None:
            continue
        # The gate is not asked again: what it would refuse is checked here.
        if draft.denied(edge.concept_id, edge.parent_id, edge.dim_id):
            raise _contradicted(draft, _key(edge), "is denied by now")
        if not edge.many and draft.reaches(
            edge.parent_id, edge.dim_id, edge.concept_id
        ):
            raise _contradicted(draft, _key(edge), "would close a circle by now")
        draft.restore_edge(edge)
    for denial, number in effects.denials.items():
        if number.before is None:
            continue
        key = Clash(denial[0], denial[2], denial[1], False)
        if draft.edge_of(key):
            raise _contradicted(draft, key, "is held by now")
        draft.restore_denial(denial, number.before)


def same_statement(one: _fast.Edge | None, other: _fast.Edge | None) -> bool:
    """Return whether two edges are the same one, apart from later confirmations."""
    if one is None or other is None:
        return one is other
    # Without confidence, time and modality, which confirmations change.
    return _identity(one) == _identity(other)


def _identity(edge: _fast.Edge) -> tuple[int, int, int, bool, int]:
    return (
        edge.concept_id,
        edge.parent_id,
        edge.dim_id,
        edge.is_isa,
        edge.assertion_id,
    )


def _key(edge: _fast.Edge) -> Clash:
    return Clash(edge.concept_id, edge.dim_id, edge.parent_id, False)


def _changed(draft: Draft, concept_id: int, dim_id: int) -> CannotUndo:
    concept, dimension = draft.token(concept_id), draft.token(dim_id)
    return CannotUndo(
        f"what is known of {concept} in [{dimension}] was changed since; undo that "
        f"first (gutask whatis {concept} --history), or state what is true",
        concept=concept,
        dimension=dimension,
    )


def _contradicted(draft: Draft, key: Clash, why: str) -> CannotUndo:
    concept, dimension = draft.token(key.concept_id), draft.token(key.dim_id)
    return CannotUndo(
        f"{concept} [{dimension}] {draft.token(key.parent_id)} {why}: it cannot be held "
        "again as it was",
        concept=concept,
        dimension=dimension,
    )


def _to_place(numbers: Sequence[int]) -> tuple[int, int, int]:
    """Return the place of an edge; records older than slots contain none."""
    concept_id, dim_id, *slot = numbers
    return concept_id, dim_id, slot[0] if slot else 0


def _to_edge(values: Sequence[Any] | None) -> _fast.Edge | None:
    return None if values is None else _fast.Edge(*values)


def _of_tombstone(tombstone: Tombstone | None) -> list[Any] | None:
    return [tombstone.ending, tombstone.conflict_id] if tombstone else None


def _to_tombstone(values: Sequence[Any] | None) -> Tombstone | None:
    return None if values is None else Tombstone(SettledBy(values[0]), values[1])
