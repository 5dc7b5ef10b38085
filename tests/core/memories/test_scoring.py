from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from festinger.core.language.grounding import Band, Grounding
from festinger.core.memories.memory import TOLD_MIN, effective
from festinger.core.memories.rules import RULES
from festinger.core.memories.scoring import Factors, score
from festinger.core.memories.support import MentionKind, Support
from festinger.core.memories.types import MemoryType

from .cases import DAY, FACT, NARRATIVE, PATTERN

GROUNDED = Grounding(1.0, Band.GROUNDED)


def scored(type, mention, mentions, said=1.0, *, grounded=True, **kwargs):
    """Return the confidence in what is mentioned so."""
    support = Support(GROUNDED, mention, mentions)
    return score(type, said, support, grounded=grounded, **kwargs).final


@pytest.mark.parametrize(
    ("type", "mention", "mentions", "final"),
    [
        (FACT, MentionKind.EXACT, 1, 0.90),
        (FACT, MentionKind.EXACT, 2, 1.00),
        (FACT, MentionKind.PHRASES, 1, 0.80),
        (FACT, MentionKind.SIMILAR, 1, 0.30),
        (FACT, MentionKind.NONE, 0, 0.20),
        (PATTERN, MentionKind.PHRASES, 1, 0.65),
        (PATTERN, MentionKind.PHRASES, 2, 0.85),
        (PATTERN, MentionKind.PHRASES, 3, 0.95),
        (NARRATIVE, MentionKind.PHRASES, 1, 0.75),
    ],
)
def test_factors(type, mention, mentions, final):
    """Mention, repetition, consistency and credibility, as in the table."""
    assert scored(type, mention, mentions) == final


def test_contradiction_costs():
    """−0.25 where consistency would have been worth 0.20."""  # noqa: RUF002 - a number
    assert scored(FACT, MentionKind.EXACT, 1, contradicted=True) == 0.45


def test_model_is_the_limit():
    """A score never makes surer than the model is; nor does a confidence that is none."""
    assert scored(FACT, MentionKind.EXACT, 3, said=0.7) == 0.7
    assert scored(FACT, MentionKind.EXACT, 3, said=float("nan")) == 0.0
    assert scored(FACT, MentionKind.EXACT, 3, said=7.0) == 1.0
    assert scored(FACT, MentionKind.EXACT, 3, said=-1.0) == 0.0


def test_ungrounded_counts_by_its_mention():
    """The model's confidence × mention / 0.30."""  # noqa: RUF002 - a formula
    assert scored(FACT, MentionKind.SIMILAR, 1, said=0.7, grounded=False) == 0.2333
    assert scored(FACT, MentionKind.NONE, 0, said=0.7, grounded=False) == 0.0


@pytest.mark.parametrize(
    ("table", "wrong"),
    [
        ({"explicit": 0.4}, "no factor"),
        ({"exact": 0.0}, "above 0"),
        ({"exact": 1.5}, "from 0 to 1"),
        ({"contradicting": 0.25}, "from -1 to 0"),
        ({"often": float("nan")}, "from 0 to 1"),
    ],
)
def test_table_is_checked(table, wrong):
    """A configuration that makes no sense is refused, with what would."""
    with pytest.raises(ValueError, match=wrong):
        Factors.from_table(table)


@settings(max_examples=100)
@given(
    st.sampled_from(MemoryType),
    st.sampled_from(MentionKind),
    st.integers(0, 10),
    st.floats(),
    st.booleans(),
    st.booleans(),
)
def test_score_is_in_range(type, mention, mentions, said, grounded, contradicted):
    """Whatever is scored, it is in [0, 1], and never above what the model says."""
    support = Support(GROUNDED, mention, mentions)
    found = score(type, said, support, grounded=grounded, contradicted=contradicted)

    assert 0.0 <= found.final <= max(found.said, 0.0) + 1e-4
    assert 0.0 <= found.total <= 1.0


@pytest.mark.parametrize(
    ("type", "days", "threshold"),
    [(FACT, 30, 0.80), (PATTERN, 14, 0.75), (NARRATIVE, 7, 0.60)],
)
def test_half_is_left_after_a_window(type, days, threshold):
    """30, 14 and 7 days; and the thresholds beside them."""
    rule = RULES[type]

    assert rule.threshold == threshold
    assert effective(0.8, 0.0, days * DAY, rule.window_days) == pytest.approx(0.4)
    assert effective(0.8, 0.0, 3 * days * DAY, rule.window_days) < TOLD_MIN


def test_what_does_not_fade():
    """A decision is as good after years; and nothing gains by a clock put back."""
    window = RULES[MemoryType.DECISION].window_days

    assert effective(0.8, 0.0, 9999 * DAY, window) == 0.8
    assert effective(0.8, 9 * DAY, 0.0, 7.0) == 0.8
    assert effective(0.8, 0.0, 1e9 * DAY, 7.0) == 0.0
