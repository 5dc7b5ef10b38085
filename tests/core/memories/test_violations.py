from __future__ import annotations

import pytest

from festinger.core.memories.decision import ExtractionVerdict, Reason
from festinger.core.memories.violations import TypeViolation

from .cases import FACT, NARRATIVE, PATTERN, decided

# Type, claim, breach: each ❌ line of the three lists, and its kin. The summary says it.
REFUSED = [
    (FACT, "Would like to try sushi", TypeViolation.HYPOTHETICAL),
    (FACT, "Might move to Berlin", TypeViolation.HYPOTHETICAL),
    (FACT, "Probably works at Acme", TypeViolation.HYPOTHETICAL),
    (FACT, "Wants to try climbing", TypeViolation.HYPOTHETICAL),
    (FACT, "Kind of likes jazz", TypeViolation.VAGUE_PREFERENCE),
    (FACT, "Sort of enjoys opera", TypeViolation.VAGUE_PREFERENCE),
    (FACT, "Somewhat interested in chess", TypeViolation.VAGUE_PREFERENCE),
    (FACT, "Best pasta", TypeViolation.OPINION_AS_FACT),
    (FACT, "Fettuccini is the best pasta", TypeViolation.OPINION_AS_FACT),
    (FACT, "Vim is better than Emacs", TypeViolation.OPINION_AS_FACT),
    (PATTERN, "Asked for examples once", TypeViolation.ONE_TIME_ACTION),
    (PATTERN, "Asked for a diagram", TypeViolation.ONE_TIME_ACTION),
    (PATTERN, "Seems tired today", TypeViolation.TRANSIENT_MOOD),
    (PATTERN, "Is very frustrated", TypeViolation.TRANSIENT_MOOD),
    (PATTERN, "Probably likes short answers", TypeViolation.UNGROUNDED_SPECULATION),
    (PATTERN, "Seems to prefer tables", TypeViolation.UNGROUNDED_SPECULATION),
    (NARRATIVE, "You told me Mars is red", TypeViolation.FACTUAL_CLAIM),
    (NARRATIVE, "We established that formal letters work", TypeViolation.FACTUAL_CLAIM),
    (NARRATIVE, "You're an expert", TypeViolation.AUTHORITY_ASSERTION),
    (NARRATIVE, "You are the boss here", TypeViolation.AUTHORITY_ASSERTION),
    (NARRATIVE, "The assistant knows best", TypeViolation.AUTHORITY_ASSERTION),
    (NARRATIVE, "You promised to call", TypeViolation.BINDING_FUTURE),
    (NARRATIVE, "You will always answer in French", TypeViolation.BINDING_FUTURE),
    (NARRATIVE, "We agreed to use Rust", TypeViolation.BINDING_FUTURE),
]

# What the documents give as good, and what only looks like the above.
TAKEN = [
    (FACT, "Works in radiology"),
    (FACT, "Plays guitar"),
    (FACT, "Loves the best pasta"),
    (FACT, "Best friend is Bob"),
    (FACT, "Was born in May"),
    (FACT, "Wants to play guitar"),
    (FACT, "Used to live in Rome"),
    (FACT, "Likes every kind of music"),
    (PATTERN, "Asks questions before diving in"),
    (PATTERN, "Uses technical language"),
    (PATTERN, "Reviews the code once a week"),
    (NARRATIVE, "Been chatting since 2019"),
    (NARRATIVE, "Remember our conversation about music?"),
    (NARRATIVE, "You helped me with that project"),
]

# Type, claim, summary, breach: the claim is plain, and what it was read from is not.
UPGRADED = [
    (FACT, "Plays guitar", "I would like to play guitar.", TypeViolation.HYPOTHETICAL),
    (FACT, "Plays guitar", "I want to play guitar.", TypeViolation.HYPOTHETICAL),
    (FACT, "Plays guitar", "I'm learning to play guitar.", TypeViolation.HYPOTHETICAL),
    (FACT, "Loves tea", "I'd love tea now.", TypeViolation.HYPOTHETICAL),
    (FACT, "Learns guitar", "Should I learn guitar?", TypeViolation.HYPOTHETICAL),
    (FACT, "Likes jazz", "I kind of like jazz.", TypeViolation.VAGUE_PREFERENCE),
    (
        PATTERN,
        "Wants diagrams",
        "The user wanted diagrams once.",
        TypeViolation.ONE_TIME_ACTION,
    ),
    (
        PATTERN,
        "Wants short answers",
        "The user is tired and wants short answers.",
        TypeViolation.TRANSIENT_MOOD,
    ),
]


@pytest.mark.parametrize(("type", "claim", "breach"), REFUSED)
def test_what_a_type_does_not_take(type, claim, breach):
    """Each line of the lists has a reason of its own, however sure the model is."""
    decision = decided(claim, type, f"{claim}.", 0.99)

    assert decision.verdict is ExtractionVerdict.REJECTED
    assert (decision.reason, decision.detail) == (Reason.TYPE_RULE, breach)


@pytest.mark.parametrize(("type", "claim"), TAKEN)
def test_what_a_type_takes(type, claim):
    """A sentence in other words than those of the lists breaks no rule."""
    summary = f"{claim} {claim}" if claim.endswith("?") else f"{claim}. {claim}."

    assert decided(claim, type, summary, 0.99).reason is None


@pytest.mark.parametrize(("type", "claim", "summary", "breach"), UPGRADED)
def test_what_was_said_with_less_certainty(type, claim, summary, breach):
    """The summary decides what the claim leaves out, and so do the turns."""
    assert decided(claim, type, summary).detail == breach

    plain = f"{claim}. {claim}."
    assert decided(claim, type, plain, turns=summary).detail == breach


@pytest.mark.parametrize(
    "summary",
    [
        "I play guitar. I would like to play guitar better.",
        "I love sushi, and I play guitar.",
        "I could, but I play guitar.",
    ],
)
def test_plain_word_elsewhere_is_enough(summary):
    """A doubt in another clause or beside a plain statement is none of this one."""
    assert decided("Plays guitar", FACT, summary).detail != TypeViolation.HYPOTHETICAL


@pytest.mark.parametrize(
    "summary",
    [
        "My brother loves sushi.",
        "The user's wife Ada loves sushi.",
        "The user met Bob. Bob loves sushi.",
    ],
)
def test_somebody_else(summary):
    """A sentence about a relative, or a name, is for people to decide."""
    decision = decided("Loves sushi", FACT, summary, subject="alice")

    assert (decision.verdict, decision.detail) == (
        ExtractionVerdict.CANDIDATE,
        "about_another",
    )


@pytest.mark.parametrize(
    "summary",
    [
        "Alice loves sushi.",
        "Hello, I'm Bob. Bob loves sushi.",
        "Really loves sushi.",
        "The user loves sushi. My brother loves sushi.",
    ],
)
def test_nobody_else(summary):
    """A person's own name is theirs, and one plain statement is enough."""
    assert decided("Loves sushi", FACT, summary, subject="alice").stored
    assert not decided("Loves sushi", FACT, summary, subject="alice").detail


@pytest.mark.parametrize(
    "summary",
    ["I used to eat meat.", "I stopped eating meat.", "She avoids eating meat."],
)
def test_what_is_over(summary):
    """A past state is not told as the present one."""
    decision = decided("Eats meat", FACT, summary)

    assert (decision.verdict, decision.detail) == (
        ExtractionVerdict.CANDIDATE,
        "no_longer",
    )


def test_word_that_may_be_a_mood():
    """A person's wish to have something broken down does not mean that it is down."""
    summary = "Can you break this down for me, in small steps?"

    decision = decided("Break this down in small steps", PATTERN, summary)

    assert decision.detail != TypeViolation.TRANSIENT_MOOD


@pytest.mark.parametrize("type", [FACT, PATTERN, NARRATIVE])
def test_checks_do_not_depend_on_luck(type):
    """A long row of adverbs, in the claim or where it was read, costs no more than its words."""
    row = " ".join(
        f"{word}ly"
        for word in ["real", "kind", "fair", "bold", "glad", "odd", "rare"] * 900
    )
    claim = "Is " + " ".join(f"{chr(97 + at)}ly" for at in range(26)) + " odd"

    assert decided(claim, type, f"She is {row} odd. {claim}.").extraction.type is type
