from __future__ import annotations

import pickle

import pytest

from festinger import config
from festinger.core.language.grounding import Thresholds
from festinger.core.memories.decision import ExtractionVerdict, Reason
from festinger.core.memories.interaction import InteractionFinding
from festinger.core.memories.policy import POLICY, MemoryPolicy, policy_of
from festinger.core.memories.rejections import (
    aggregate,
    explain,
    report,
)

from .cases import FACT, NARRATIVE, PATTERN, STEPS, STRONG, STUDIO, decided

SAID = {
    FACT: ("Loves fettuccini", STRONG),
    PATTERN: ("Prefers step-by-step explanations", STEPS),
    NARRATIVE: ("Discussed music production in FL Studio", STUDIO),
}
"""A claim of each type, and the text that grounds it."""


def configured(**sections: object) -> MemoryPolicy:
    """Return the policy of a configuration that sets these."""
    return policy_of(config.load(overrides=sections, environment={}))


def test_configuration_that_says_nothing_changes_nothing():
    """The defaults that `festinger check` prints are those used without a file."""
    assert configured() == POLICY


def test_every_number_arrives():
    """No setting of the sections is read and then left out."""
    settings = config.load(environment={})
    for section in ("grounding", "memories"):
        for _, key, value, _ in config.values(getattr(settings, section)):
            changed: dict[str, object] = {
                key[-1]: value + (0.01 if value < 0 else 1e-4)
            }
            for level in reversed((section, *key[:-1])):
                changed = {level: changed}

            assert configured(**changed) != POLICY, key


def test_policy_goes_to_another_process():
    """Conversations are considered apart, by the policy that is in force here."""
    policy = configured(grounding={"grounded": 0.9})

    assert pickle.loads(pickle.dumps(policy)) == policy
    assert policy.thresholds == Thresholds(0.9, 0.5)


@pytest.mark.parametrize(
    ("thresholds", "type", "confidence", "before", "after"),
    [
        (
            {"user_fact": 0.97},
            FACT,
            0.95,
            ExtractionVerdict.ACTIVE,
            ExtractionVerdict.REJECTED,
        ),
        (
            {"user_fact": 0.60},
            FACT,
            0.70,
            ExtractionVerdict.REJECTED,
            ExtractionVerdict.ACTIVE,
        ),
        (
            {"user_pattern_active": 0.9},
            PATTERN,
            0.85,
            ExtractionVerdict.ACTIVE,
            ExtractionVerdict.CANDIDATE,
        ),
        (
            {"user_pattern": 0.65},
            PATTERN,
            0.7,
            ExtractionVerdict.PROPOSAL,
            ExtractionVerdict.CANDIDATE,
        ),
        (
            {"user_pattern_proposal": 0.5},
            PATTERN,
            0.55,
            ExtractionVerdict.REJECTED,
            ExtractionVerdict.PROPOSAL,
        ),
        (
            {"shared_narrative": 0.8},
            NARRATIVE,
            0.75,
            ExtractionVerdict.ACTIVE,
            ExtractionVerdict.REJECTED,
        ),
    ],
)
def test_thresholds_are_those_of_their_type(
    thresholds, type, confidence, before, after
):
    """Each moves what becomes of its own type."""
    claim, text = SAID[type]
    policy = configured(memories={"thresholds": thresholds})

    assert decided(claim, type, text, confidence).verdict is before
    assert decided(claim, type, text, confidence, policy=policy).verdict is after


def test_factors_are_what_the_score_adds():
    """A fact that nobody's word makes credible is no longer relied on."""
    policy = configured(memories={"factors": {"explicit_fact": 0.0}})

    decision = decided(*SAID[FACT][:1], FACT, STRONG, policy=policy)

    assert decision.score is not None
    assert decision.score.credibility == 0.0
    assert decision.reason is Reason.BELOW_THRESHOLD


def test_refusal_tells_the_band_in_force():
    """If more is required than similarity, the log says how much."""
    strict = configured(grounding={"grounded": 0.99, "candidate": 0.98})

    decision = decided("Loves green fettuccini", FACT, STRONG, policy=strict)

    assert "below 0.98" in explain(decision)


def test_report_tells_the_threshold_in_force():
    """The requirements of a type are those of its configuration."""
    policy = configured(memories={"thresholds": {"user_fact": 0.9}})
    past = [InteractionFinding("", FACT, 0.85, "rejected", Reason.BELOW_THRESHOLD)]

    assert "(needs 0.90+)" in report(aggregate(past), policy)
