from __future__ import annotations

import inspect
from dataclasses import replace

import pytest

from festinger.core.memories.types import MemoryKind, MemoryType, Status
from festinger.core.review import policies
from festinger.core.review.policies import (
    CONFIDENCE_MIN,
    REFERENCES_SECONDS,
    CandidateFacts,
    Policies,
    PromotionPolicy,
    eligible,
)
from festinger.core.review.queue import confidence

NOW = 1_800_000_000.0
ALL = Policies(references=True, confidence=True, personal=True)
ENTRY = CandidateFacts(
    kind=MemoryKind.MEMORY,
    type=MemoryType.PREFERENCE,
    status=Status.CANDIDATE,
    content="I prefer tabs over spaces",
    rule="heading",
    confidence=0.9,
    interaction=True,
    references=tuple(NOW - day * 86_400 for day in range(5)),
)


def test_all_are_off():
    """Nothing is eligible unless somebody switched a policy on."""
    assert eligible(ENTRY, Policies(), now=NOW) == ()


def test_all_are_on():
    """A candidate may be eligible by each of them."""
    assert eligible(ENTRY, ALL, now=NOW) == tuple(PromotionPolicy)


@pytest.mark.parametrize("policy", PromotionPolicy)
def test_each_is_switched_alone(policy):
    """A policy that is on does not bring in the others."""
    assert eligible(ENTRY, Policies(**{policy: True}), now=NOW) == (policy,)


@pytest.mark.parametrize(
    ("policy", "changed"),
    [
        (PromotionPolicy.REFERENCES, {"references": ENTRY.references[:4]}),
        (PromotionPolicy.REFERENCES, {"references": (NOW - REFERENCES_SECONDS,) * 9}),
        (PromotionPolicy.REFERENCES, {"references": (NOW + 60,) * 9}),
        (PromotionPolicy.REFERENCES, {"seen": True}),
        (PromotionPolicy.CONFIDENCE, {"confidence": 0.799}),
        (PromotionPolicy.CONFIDENCE, {"rule": "sentence_preference"}),
        (PromotionPolicy.PERSONAL, {"interaction": False}),
        (PromotionPolicy.PERSONAL, {"content": "Alice prefers tabs"}),
        (PromotionPolicy.PERSONAL, {"content": "I preferred tabs"}),
        (PromotionPolicy.PERSONAL, {"type": MemoryType.REQUIREMENT}),
        (PromotionPolicy.PERSONAL, {"kind": MemoryKind.ENTITY}),
    ],
)
def test_what_a_policy_wants(policy, changed):
    """Each condition of a policy is needed for it, and for no other."""
    expected = tuple(it for it in PromotionPolicy if it is not policy)
    others = eligible(replace(ENTRY, **changed), ALL, now=NOW)

    assert policy not in others
    assert set(others) <= set(expected)


@pytest.mark.parametrize("type", [MemoryType.DECISION, MemoryType.VALIDATION_CLAIM])
def test_consequential_entities_are_for_people(type):
    """A decision or a validation claim is never eligible as an entity."""
    entry = replace(ENTRY, kind=MemoryKind.ENTITY, type=type)

    assert eligible(entry, ALL, now=NOW) == ()


@pytest.mark.parametrize("status", set(Status) - {Status.CANDIDATE})
def test_only_candidates_are_eligible(status):
    """Active, invalid or further records are no business of a policy."""
    assert eligible(replace(ENTRY, status=status), ALL, now=NOW) == ()


def test_trusted_state_is_out_of_reach():
    """A policy returns names of policies, and its module has nothing else to call."""
    public = {
        name
        for name, value in vars(policies).items()
        if not name.startswith("_") and inspect.getmodule(value) is policies
    }

    assert public == {"CandidateFacts", "Policies", "PromotionPolicy", "eligible"}
    assert all(isinstance(it, PromotionPolicy) for it in eligible(ENTRY, ALL, now=NOW))


def test_a_fresh_decision_in_its_place_is_sure_enough():
    """The formula's score of a typed heading reaches the limit of the policy."""
    path = "docs/decisions/queue.md"

    assert confidence(0.7, path, changed=0.0, now=1.0) >= CONFIDENCE_MIN
