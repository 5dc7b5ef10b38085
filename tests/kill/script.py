"""Statements of the clients: they hold, confirm, contradict, deny and take back."""

from __future__ import annotations

import random
from dataclasses import dataclass

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.api.v1.triple_pb2 import Triple

CONCEPTS = tuple(f"thing{number}" for number in range(150))
PARENTS = ("repo", "container", "database")
DIMENSIONS = ("type", "glitch_university")
PEOPLE = ("alice", "bob", "carol")

# In a hundred calls.
DENIALS, RETRACTIONS = 10, 20


@dataclass(frozen=True)
class Call:
    """One call, which may be sent more than once."""

    id: str
    principal: str
    retracts: bool
    concept: str
    parent: str
    dimension: str
    negated: bool

    @property
    def request(self) -> pb.AssertRequest | pb.RetractRequest:
        """Its message."""
        triple = Triple(
            concept=self.concept,
            parent=self.parent,
            dimension=self.dimension,
            is_isa=True,
            negated=self.negated,
        )
        kind = pb.RetractRequest if self.retracts else pb.AssertRequest
        return kind(triple=triple, request_id=self.id)


class Script:
    """Calls without end, the same for the same seed."""

    def __init__(self, seed: int):
        self._random = random.Random(seed)
        self._seed = seed
        self._count = 0

    def next(self) -> Call:
        """Return a call that was not made before."""
        draw, self._count = self._random, self._count + 1
        return Call(
            f"{self._seed}-{self._count}",
            draw.choice(PEOPLE),
            draw.randrange(100) < RETRACTIONS,
            draw.choice(CONCEPTS),
            # What is said most often is held and confirmed, the rest contradicts it.
            draw.choice((*PARENTS, PARENTS[0])),
            draw.choice(DIMENSIONS),
            draw.randrange(100) < DENIALS,
        )
