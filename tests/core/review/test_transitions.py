from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from festinger.core.memories.types import MemoryKind, MemoryType, Status
from festinger.core.review import transitions
from festinger.core.review.records import (
    TYPES,
    Action,
    MemoryRecord,
    Origin,
    ProposedRecord,
    RecordEdit,
    same_but_seen,
)
from festinger.core.review.undo import undo
from festinger.errors import (
    CannotUndo,
    EtagMismatch,
    InvalidArgument,
    PermissionDenied,
    RecordStatus,
)

NOW, LATER = 1000.0, 2000.0
EXTRACTED = Origin(chunk_id="c1", rule="heading", extractor="headings")
STATUSES: dict[Status, dict[str, Any]] = {
    Status.CANDIDATE: {"pending_since": NOW, "cycle": 1},
    Status.ACTIVE: {"decider": "op"},
    Status.INVALID: {"decider": "op"},
    Status.SUPERSEDED: {"superseded_by": 9},
    Status.GRADUATED: {"graduated_to": 9},
    Status.OVERFLOW: {},
}


def record(status=Status.CANDIDATE, **parts):
    """Return a record in a status, as its row would be."""
    usual: dict[str, Any] = {
        "id": 7,
        "kind": MemoryKind.MEMORY,
        "type": MemoryType.DECISION,
        "content": "Use Postgres",
        "origin": EXTRACTED,
        "confidence": 0.7,
        "proposer": "headings",
        "created_at": NOW,
        "confirmed_at": NOW,
    }
    return MemoryRecord(**{**usual, "status": status, **STATUSES[status], **parts})


ACTIONS = {
    "promote": lambda it: transitions.promote(it, by="op", now=LATER),
    "reject": lambda it: transitions.reject(it, by="op"),
    "revert": lambda it: transitions.revert(it, now=LATER),
    "edit": lambda it: transitions.edit(it, content="Use Redis"),
    "defer": lambda it: transitions.defer(it, now=LATER),
    "delete": lambda it: transitions.delete(it),
    "graduate": lambda it: transitions.graduate(it, 8, now=LATER),
    "confirm": lambda it: transitions.confirm(it, now=LATER),
}
ALLOWED = {
    Status.CANDIDATE: {"promote", "reject", "edit", "defer", "delete"},
    Status.ACTIVE: {"revert", "graduate", "confirm"},
    Status.INVALID: {"revert"},
    Status.SUPERSEDED: set(),
    Status.GRADUATED: set(),
    Status.OVERFLOW: set(),
}
BECOMES = {
    "promote": Status.ACTIVE,
    "reject": Status.INVALID,
    "revert": Status.CANDIDATE,
    "edit": Status.CANDIDATE,
    "defer": Status.CANDIDATE,
    "graduate": Status.GRADUATED,
    "confirm": Status.ACTIVE,
}


def after(steps, record_id=7):
    """Return a record after these steps."""
    [step] = [step for step in steps if step.record.id == record_id]
    return step.after


def logged(steps):
    """Return the edits of one decision with these steps."""
    return [
        RecordEdit(n, step.record.id, step.action, "op", 1, step.before, step.after)
        for n, step in enumerate(steps, start=1)
    ]


@pytest.mark.parametrize("status", Status)
@pytest.mark.parametrize("action", ACTIONS)
def test_the_graph_has_these_ways_and_no_others(action, status):
    """Each action leads from its statuses to its own, and from all others nowhere."""
    before = record(status)
    if action not in ALLOWED[status]:
        with pytest.raises(RecordStatus):
            ACTIONS[action](before)
        return

    now = after(ACTIONS[action](before))

    if action == "delete":
        assert now is None
    else:
        assert (now.status, now.version) == (BECOMES[action], before.version + 1)
        assert now.origin == before.origin


@pytest.mark.parametrize(
    ("status", "action"), [(it, way) for it in Status for way in sorted(ALLOWED[it])]
)
def test_every_way_leads_back(status, action):
    """Taken back, each record is what it was, but for its version."""
    before = record(status)
    steps = ACTIONS[action](before)
    records = {step.record.id: step.after for step in steps if step.after}

    back = undo(logged(steps), records, by="op")

    for step, undone in zip(steps, back, strict=True):
        assert undone.action is Action.UNDO
        assert same_but_seen(undone.after, step.before)
        if undone.after and step.before:
            assert undone.after.confirmed_at == step.before.confirmed_at
            assert undone.after.version > step.before.version


def test_promotion_of_the_proposer_needs_another():
    """Whoever proposed it promotes it only if nobody else could, and that is on record."""
    own = record(proposer="alice", origin=Origin())

    with pytest.raises(PermissionDenied):
        transitions.promote(own, by="alice", now=LATER)

    assert after(transitions.promote(own, by="alice", now=LATER, sole=True)).sole
    assert not after(transitions.promote(own, by="bob", now=LATER, sole=True)).sole


def test_an_undone_promotion_is_not_redone_by_its_proposer():
    """Taking back the taking back is promoting, too."""
    own = record(proposer="alice", origin=Origin())
    promoted = transitions.promote(own, by="bob", now=LATER)
    undone = undo(logged(promoted), {7: after(promoted)}, by="bob")

    with pytest.raises(PermissionDenied):
        undo(logged(undone), {7: after(undone)}, by="alice", sole=True)

    again = undo(logged(undone), {7: after(undone)}, by="bob")
    assert after(again).status is Status.ACTIVE


def test_what_takes_a_place_gives_it_back():
    """The superseded one is active again when the other is reverted."""
    old = record(Status.ACTIVE, id=3)
    steps = transitions.promote(record(), by="op", now=LATER, supersedes=old)
    new, gone = after(steps), after(steps, 3)
    assert (gone.status, gone.superseded_by) == (Status.SUPERSEDED, 7)

    back = transitions.revert(new, now=LATER, superseded=[gone])

    assert (after(back).status, after(back, 3).status) == (
        Status.CANDIDATE,
        Status.ACTIVE,
    )
    assert after(back, 3).superseded_by == 0


@pytest.mark.parametrize(
    ("parts", "error"),
    [
        ({"kind": MemoryKind.ENTITY}, InvalidArgument),
        ({"status": Status.INVALID}, RecordStatus),
    ],
)
def test_only_an_active_one_of_its_kind_is_superseded(parts, error):
    """A memory takes no entity's place, and nobody takes that of a rejected one."""
    old = record(**{"status": Status.ACTIVE, "id": 3, **parts})

    with pytest.raises(error):
        transitions.promote(record(), by="op", now=LATER, supersedes=old)


def test_a_graduated_memory_is_active_again_without_its_entity():
    """The entity keeps where the memory was found; deleted, the memory is as before."""
    steps = transitions.graduate(
        record(Status.ACTIVE), 8, now=LATER, type=MemoryType.COMPONENT, fact="a -isa b"
    )
    entity, memory = after(steps, 8), after(steps)
    assert (entity.kind, entity.type, entity.fact) == (
        MemoryKind.ENTITY,
        MemoryType.COMPONENT,
        "a -isa b",
    )
    assert (entity.origin, entity.graduated_from) == (EXTRACTED, 7)
    assert memory.graduated_to == 8

    back = transitions.delete(entity, memory)

    assert after(back, 8) is None
    assert (after(back).status, after(back).graduated_to) == (Status.ACTIVE, 0)


@pytest.mark.parametrize("action", ["graduate", "confirm"])
def test_an_entity_neither_graduates_nor_fades(action):
    """Only memories do."""
    with pytest.raises(RecordStatus):
        ACTIONS[action](record(Status.ACTIVE, kind=MemoryKind.ENTITY))


def test_a_memory_graduates_into_what_an_entity_may_say():
    """A preference is no entity, unless it is said what it is."""
    preference = record(Status.ACTIVE, type=MemoryType.PREFERENCE)

    with pytest.raises(InvalidArgument):
        transitions.graduate(preference, 8, now=LATER)


def test_an_edit_keeps_what_it_first_said():
    """The first content stays, whatever comes after it."""
    once = after(transitions.edit(record(), content="Use Redis"))
    twice = after(
        transitions.edit(once, content="Use Kafka", type=MemoryType.CONSTRAINT, fact="")
    )

    assert (twice.content, twice.original_content) == ("Use Kafka", "Use Postgres")
    assert twice.type is MemoryType.CONSTRAINT


def test_deferring_twice_is_a_mistake():
    """A deferred record is taken up before it is put aside again."""
    aside = after(transitions.defer(record(), now=LATER))

    with pytest.raises(RecordStatus):
        transitions.defer(aside, now=LATER)
    with pytest.raises(RecordStatus):
        transitions.defer(record(), now=LATER, resume=True)
    assert after(transitions.defer(aside, now=LATER, resume=True)).deferred_at is None


def test_a_record_found_again_can_still_be_undone():
    """Being found again is no change that stands in the way, and it is not forgotten."""
    steps = transitions.reject(record(), by="op")
    seen = transitions.seen_again(after(steps), times=1, now=LATER)

    back = after(undo(logged(steps), {7: seen}, by="op"))

    assert back.status is Status.CANDIDATE
    assert (back.re_extraction_count, back.last_re_extracted_at) == (1, LATER)


def test_a_record_that_changed_is_not_undone():
    """Only the last change is taken back, and only once, and none of the queue's own."""
    edited = transitions.edit(record(), content="Use Redis")
    rejected = transitions.reject(after(edited), by="op")
    records = {7: rejected[0].record}

    with pytest.raises(CannotUndo):
        undo(logged(edited), records, by="op")
    with pytest.raises(CannotUndo):
        undo([replace(it, undone_by=5) for it in logged(rejected)], records, by="op")
    refilled = transitions.refill(record(Status.OVERFLOW), 2, now=LATER)
    with pytest.raises(CannotUndo):
        undo(logged([refilled]), {7: refilled.record}, by="op")


def test_an_etag_is_of_one_version():
    """A record that changed since it was read is not decided about; empty asks for nothing."""
    before = record()
    now = after(transitions.defer(before, now=LATER))

    transitions.check_etag(now, now.etag)
    transitions.check_etag(now, "")
    with pytest.raises(EtagMismatch):
        transitions.check_etag(now, before.etag)
    assert transitions.seen_again(before, times=1, now=LATER).etag == before.etag


@pytest.mark.parametrize("kind", MemoryKind)
@pytest.mark.parametrize("type", MemoryType)
def test_a_record_says_what_its_kind_may(kind, type):
    """A type that a kind has not is refused when it is offered."""
    offer = ProposedRecord(kind, type, "Use Postgres", EXTRACTED, 0.5, "headings")

    if type in TYPES[kind]:
        assert transitions.propose(offer, 1, now=NOW).type is type
    else:
        with pytest.raises(InvalidArgument):
            transitions.propose(offer, 1, now=NOW)


@pytest.mark.parametrize("status", Status)
def test_a_record_survives_json(status):
    """The log keeps the whole of it."""
    before = record(status, contradicts=(1, 2), last_re_extracted_at=NOW)

    assert MemoryRecord.from_json(json.loads(json.dumps(before.to_json()))) == before
