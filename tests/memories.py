"""Memories for the tests of the core, the services and the store."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from festinger.config import RoleTrust
from festinger.core.graph.outcome import Outcome
from festinger.core.graph.proposal import Proposal, StatementSource, Triple
from festinger.core.graph.statement import parse_fact
from festinger.core.language.turns import Role, Turn
from festinger.core.world.draft import Draft
from festinger.core.world.world import World
from festinger.services.recollection.recollect import Recollection, answer_prompt
from festinger.services.world.tenant_memory import TenantMemory
from tests.structures import (
    SoasRow,
    UrdEdge,
    build_world,
    soas_by_token,
    urd_by_concept,
    urd_by_concept_dim,
)

NOW = 1_800_000_000.0
DAY = 86_400.0
COMMON_WORDS = frozenset(
    ["what", "is", "the", "our", "when", "do", "we", "does", "on", "a"]
)
"""Words of the small dictionaries of several tests."""

DICTIONARY = frozenset(
    ["please", "update", "use", "instead", "python", "service", "work"]
)

TRUST: Mapping[Role, RoleTrust] = {
    Role.USER: RoleTrust.ASSERTS,
    Role.TOOL: RoleTrust.PROPOSES,
    Role.ASSISTANT: RoleTrust.PROPOSES,
    Role.SYSTEM: RoleTrust.NOTHING,
}


def write_dictionary(data_dir: Path) -> None:
    """Give a data directory a dictionary of few words, which a server loads at once."""
    (data_dir / "dictionary-en-3.3.txt").write_text("please\nupdate\n")


class Clock:
    """The time, which stands still until a test moves it."""

    def __init__(self, now: float = NOW):
        self.now = now

    def __call__(self) -> float:
        """Seconds since the epoch."""
        return self.now


def recollect_prompt(
    memory: TenantMemory, turns: list[Turn], **where: Any
) -> Recollection:
    """Answer a prompt, and queues what it states."""
    recollection, keep = answer_prompt(memory, turns, **where)
    keep()
    return recollection


def stated(fact: str, principal: str = "alice", **changes: Any) -> Proposal:
    """Return a proposal of what `gutask iknowthat` would state."""
    proposal = Proposal(
        parse_fact(fact),
        confidence=1.0,
        source=StatementSource.GUTASK,
        principal=principal,
        proposer=principal,
    )
    return proposal._replace(**changes)


def propose(world: World, *proposals: Proposal, now: float = NOW) -> list[Outcome]:
    """Judge, write and publish statements as one batch; return the outcomes."""
    draft = Draft(world, now=now)
    outcomes = [draft.propose(proposal).outcome for proposal in proposals]
    numbers = {entry.clash: 7 for entry in draft.changes.entries if entry.clash}
    draft.publish(numbers, world.version + 1)
    return outcomes


def world_of(*facts: str, dictionary: frozenset[str] = frozenset()) -> World:
    """Return a world that holds facts."""
    world = build_world(dictionary=dictionary)
    propose(world, *map(stated, facts))
    return world


def held(world: World) -> set[Triple]:
    """Return the facts of a world, without the roots of its dimensions."""
    token = world.vocabulary.token
    return {
        Triple(token(it.concept_id), token(it.parent_id), token(it.dim_id), it.is_isa)
        for it in world.graph
        if not it.concept_id == it.parent_id == it.dim_id
    }


def contested_world(**changes: Any) -> World:
    """Return the world of the specification's Test B: gnommoweb is a repo."""
    edge = UrdEdge(101, 201, 1, True, confidence=0.9, source="cloud_llm")
    structures: dict[str, Any] = {
        "rows": {
            "gnommoweb": SoasRow(id=101, saliency=1.2, novelty=1.0),
            "repo": SoasRow(id=201, saliency=0.8, novelty=0.5),
            "container": SoasRow(id=202, saliency=0.6, novelty=0.4),
            "type": SoasRow(id=1),
        },
        "edges": [edge],
    }
    return build_world(**structures | changes)


def snapshot(world: World) -> dict[str, Any]:
    """Return the five structures and the denials, as plain values that compare."""
    return {
        "soas_by_token": dict(soas_by_token(world)),
        "soas_by_id": {
            row.id: row.token for row in map(world.vocabulary.row, world.vocabulary)
        },
        "urd_by_concept": dict(urd_by_concept(world)),
        "urd_by_concept_dim": dict(urd_by_concept_dim(world)),
        "pending_conflicts": set(world.conflicts.doubts.keys()),
        "queue": {clash: world.queued(clash) for clash in world.conflicts},
        "denials": dict(world.denials),
        "people": world.people.memories,
        "lines": {(it.kind, it.text) for it in world.lines.every()},
        "version": world.version,
    }
