from __future__ import annotations

import csv

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from festinger.core.language.grounding import (
    GUARD_COST,
    PATTERN_FRAME,
    Band,
    Guard,
    SourceText,
    Thresholds,
    ground,
)
from tests.apart import SHARED

BEGIN = SHARED / "data/begin_wow/begin_dev_wow.tsv"
AUC_MIN = 0.92
"""What is reached on these 430 answers is 0.926."""
FALSE_MAX = 3
"""How many of the 250 that are not attributable are taken for grounded."""

PASTA = "User said: I absolutely love fettuccini pasta, especially with alfredo sauce."
STEPS = "Asked for step-by-step explanation of the algorithm."

# Claim, text: the specification's examples.
GROUNDED = [
    ("Loves fettuccini", PASTA),
    ("love fettuccini", PASTA),
    ("Prefers step-by-step explanations", STEPS),
    ("prefers step by step explanation", STEPS),
]
REJECTED = [
    (
        "Absolutely loves fettuccini pasta with truffle oil",
        "We discussed fettuccini briefly.",
    ),
    ("Loves fettuccini specifically", "User mentioned liking pasta."),
    (
        "Works as a professional FL Studio producer",
        "We discussed music production in FL Studio.",
    ),
    ("Works as professional producer", "We discussed music production."),
    ("", PASTA),
    ("Loves fettuccini", ""),
]

WORDS = st.lists(
    st.sampled_from(
        [
            "gnommoweb",
            "repo",
            "Glitch",
            "runs",
            "not",
            "on",
            "42",
            "docker",
            "never",
            "loves",
            "the",
            "a",
            ".",
        ]
    ),
    max_size=30,
).map(" ".join)


def hold(claim, text, **changes):
    """Return the support of a claim by a text."""
    return ground(claim, SourceText(text), frame=PATTERN_FRAME, **changes)


@pytest.mark.parametrize(("claim", "text"), GROUNDED)
def test_what_stands_there_is_grounded(claim, text):
    """Word for word but for their endings: no score is needed (G1)."""
    grounding = hold(claim, text)

    assert (grounding.band, grounding.score) == (Band.GROUNDED, 1.0)
    assert grounding.window == text


@pytest.mark.parametrize(("claim", "text"), REJECTED)
def test_what_does_not_stand_there_is_rejected(claim, text):
    """The specification's failures fail."""
    assert hold(claim, text).band is Band.REJECTED


@pytest.mark.parametrize(
    "text",
    [
        "She loves fettuccini, and that she does not eat meat is known.",
        "She does not eat meat but loves fettuccini.",
        "She does not eat meat, she loves fettuccini.",
    ],
)
def test_denial_of_something_else_is_none(text):
    """The denial in another clause takes nothing from a claim."""
    assert hold("loves fettuccini", text).failed == ()


@pytest.mark.parametrize(
    "text",
    [
        "She does not say that she loves fettuccini.",
        "She does not eat meat and loves fettuccini.",
        "Nobody of them loves fettuccini, pasta or meat.",
        "She never, so they say, loves fettuccini.",
    ],
)
def test_denial_reaches_to_the_end_of_its_clause(text):
    """A possible denial counts as one: people decide."""
    grounding = hold("loves fettuccini", text)

    assert grounding.failed == (Guard.NEGATION,)
    assert grounding.band is Band.CANDIDATE


def test_words_across_a_mark_are_no_phrase():
    """The end of one clause and the beginning of the next say nothing together."""
    apart = hold("container gnommoweb", "restart the container, gnommoweb is slow")

    assert apart.band is not Band.GROUNDED


@pytest.mark.parametrize(
    ("claim", "text", "guard"),
    [
        ("the flat costs 900 euros", "the flat costs euros", Guard.NUMBER),
        ("she met Berta in the park", "she met in the park", Guard.NAME),
        ("she was never in the park", "she was in the park", Guard.NEGATION),
        (
            "She loves fettuccini",
            "She doesn't say she loves fettuccini",
            Guard.NEGATION,
        ),
    ],
)
def test_failed_guard_costs_and_caps(claim, text, guard):
    """
    A number, a name or a denial that one has and the other has not is never grounded,
    however low the threshold (G1).
    """
    grounding = hold(claim, text, thresholds=Thresholds(grounded=0.1, candidate=0.1))

    assert grounding.failed == (guard,)
    assert grounding.band is Band.CANDIDATE
    assert grounding.score <= 1 - GUARD_COST


def test_window_is_where_it_stands():
    """The sentences that support a claim best, of a text that has more."""
    text = "One. Two. Gnommoweb is here. It is a small repo. Five. Six. Seven."

    assert (
        "Gnommoweb is here. It is a small repo." in hold("gnommoweb, repo", text).window
    )


def test_thresholds_are_the_callers():
    """They do not transfer between kinds of text."""
    claim, text = "gnommoweb is a repo", "Our gnommoweb is a small Python repo"

    assert hold(claim, text).band is Band.CANDIDATE
    assert hold(claim, text, thresholds=Thresholds(0.7, 0.3)).band is Band.GROUNDED
    assert hold(claim, text, thresholds=Thresholds(0.95, 0.9)).band is Band.REJECTED


@settings(deadline=None)
@given(claim=st.text(max_size=80), text=st.text(max_size=200))
def test_score_is_bounded(claim, text):
    """Whatever is claimed of whatever text, the score is in [0, 1]."""
    grounding = hold(claim, text)

    assert 0.0 <= grounding.score <= 1.0


@settings(deadline=None)
@given(claim=WORDS, text=WORDS)
def test_band_follows_the_score(claim, text):
    """
    Below 0.50 nothing is more than rejected, below 0.87 nothing grounded, and nothing
    with a failed guard.
    """
    grounding = hold(claim, text)

    assert (grounding.band is Band.REJECTED) == (grounding.score < 0.50)
    if grounding.band is Band.GROUNDED:
        assert grounding.score >= 0.87
        assert grounding.failed == ()


@settings(deadline=None)
@given(text=WORDS.filter(lambda text: any(map(str.isalnum, text))))
def test_text_supports_itself(text):
    """A claim that is repeated word for word as one sentence is there."""
    sentence = " ".join(text.replace(".", " ").split())

    assert hold(sentence, sentence).score == 1.0 or not sentence


@settings(deadline=None)
@given(st.permutations(["I met Ada here.", "gnommoweb is a repo.", "It rains."]))
def test_order_of_few_sentences_does_not_matter(sentences):
    """Three sentences are one window, whatever their order."""
    held = hold("gnommoweb is a small repo", " ".join(sentences))

    known = hold(
        "gnommoweb is a small repo", "I met Ada here. gnommoweb is a repo. It rains."
    )
    assert held.score == pytest.approx(known.score)


@pytest.mark.skipif(
    not BEGIN.exists(), reason=f"the labelled answers are not at {BEGIN}"
)
def test_people_agree():
    """
    On answers that people have judged, what is attributable scores higher than what is
    not, and hardly anything else is grounded.
    """
    with BEGIN.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    judged = [
        (ground(row["response"], SourceText(row["knowledge"])), row["begin_label"])
        for row in rows
    ]
    good = [it for it, label in judged if label == "Fully attributable"]
    bad = [it for it, label in judged if label == "Not fully attributable"]

    assert (len(good), len(bad)) == (180, 250)
    assert auc(good, bad) >= AUC_MIN
    assert sum(it.band is Band.GROUNDED for it in bad) <= FALSE_MAX


def auc(good, bad):
    """
    The share of pairs in which the good one scores higher than the bad one; half for a
    tie.
    """
    wins = sum(
        (one.score > other.score) + (one.score == other.score) / 2
        for one in good
        for other in bad
    )
    return wins / (len(good) * len(bad))
