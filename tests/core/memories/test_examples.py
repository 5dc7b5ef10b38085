from __future__ import annotations

import pytest

from festinger.core.language.grounding import Band, SourceText
from festinger.core.memories.deciding import decide
from festinger.core.memories.decision import ExtractionVerdict, Reason
from festinger.core.memories.journal import log
from festinger.core.memories.memory import MemoryExtraction
from festinger.core.memories.scoring import score
from festinger.core.memories.support import hold

from .cases import CONCEPT, FACT, NARRATIVE, PATTERN, STEPS, STRONG, STUDIO, decided

PASSING = [
    (
        "Loves fettuccini",
        FACT,
        "User said: I absolutely love fettuccini pasta, especially with alfredo sauce.",
    ),
    (
        "Prefers step-by-step explanations",
        PATTERN,
        "Asked for step-by-step explanation of the algorithm.",
    ),
]
FAILING = [
    (
        "Absolutely loves fettuccini pasta with truffle oil",
        "We discussed fettuccini briefly.",
        ("truffle", "oil", "loves"),
    ),
    (
        "Loves fettuccini specifically",
        "User mentioned liking pasta.",
        ("fettuccini",),
    ),
]

LOGGED = """\
[EXTRACTION] Processing summary for user:12345
[EXTRACT] Found 5 candidate extractions
[VALIDATE] Fact "loves fettuccini" → validation: PASS (0.95 confidence)
[VALIDATE] Fact "hates broccoli" → validation: FAIL (not in summary)
[VALIDATE] Pattern "prefers detailed explanations" → validation: PASS (0.80 confidence)
[VALIDATE] Narrative "been chatting since 2019" → validation: PASS (0.90 confidence)
[GATE] Fact 1/1 passed confidence gate (0.95 >= 0.80)
[GATE] Pattern 1/1 passed confidence gate (0.80 >= 0.75)
[GATE] Narrative 1/1 passed confidence gate (0.90 >= 0.60)
[STORE] Writing 3 memories to Postgres
[RESULT] 3/5 extractions stored successfully"""


@pytest.mark.parametrize(("claim", "type", "summary"), PASSING)
def test_passes(claim, type, summary):
    """The two examples of a claim that is grounded are."""
    assert hold(claim, type, SourceText(summary)).grounding.band is Band.GROUNDED
    assert decided(claim, type, summary).stored


@pytest.mark.parametrize(("claim", "summary", "missing"), FAILING)
def test_fails(claim, summary, missing):
    """The two examples of a claim that is not grounded are not, and the words are named."""
    decision = decided(claim, FACT, summary)

    assert decision.verdict is ExtractionVerdict.REJECTED
    assert decision.reason is Reason.NOT_GROUNDED
    assert set(missing) <= set(decision.missing)


def test_strong_fact():
    """Example 1: stored with 0.95, by 0.30 + 0.20 + 0.20 + 0.25 of what counts."""
    decision = decided("Loves fettuccini with alfredo sauce", FACT, STRONG, 0.95)

    assert decision.verdict is ExtractionVerdict.ACTIVE
    assert decision.confidence == 0.95
    score = decision.score
    assert (score.mention, score.repetition, score.consistency) == (0.3, 0.2, 0.2)
    assert score.credibility >= 0.25


def test_inferred_pattern():
    """Example 2: stored with 0.85; its key phrases are there, twice."""
    decision = decided("Prefers step-by-step explanations", PATTERN, STEPS, 0.85)

    assert decision.verdict is ExtractionVerdict.ACTIVE
    score = decision.score
    assert (score.mention, score.repetition, score.consistency) == (0.2, 0.1, 0.2)
    assert decision.confidence == 0.85


def test_pattern_below_the_threshold():
    """Example 3: 0.65 is too little, and it is logged as a proposal."""
    decision = decided("Prefers conceptual explanations", PATTERN, CONCEPT, 0.65)

    assert decision.verdict is ExtractionVerdict.PROPOSAL
    assert decision.reason is Reason.BELOW_THRESHOLD
    assert decision.grounded
    score = decision.score
    assert (score.mention, score.repetition, score.consistency) == (0.2, 0.0, 0.2)
    assert decision.confidence == 0.65


def test_hallucination_attempt():
    """Example 4: 0.70 × 0.10 / 0.30 = 0.23, and "professional" and "works" are missing."""  # noqa: RUF002 - a formula
    decision = decided("Works as a professional FL Studio producer", FACT, STUDIO, 0.70)

    assert decision.verdict is ExtractionVerdict.REJECTED
    assert decision.reason is Reason.HALLUCINATION
    assert round(decision.confidence, 2) == 0.23
    assert decision.missing == ("works", "professional")


def test_extraction_hallucination_rejection():
    """The example test: not valid, scored below 0.80, never stored."""
    summary = SourceText("We discussed music production.")
    extraction = MemoryExtraction("Works as professional producer", FACT, 0.70)

    support = hold(extraction.text, extraction.type, summary)
    scored = score(FACT, 0.70, support, grounded=False)

    assert support.grounding.band is Band.REJECTED
    assert scored.final < 0.80
    assert not decide([extraction], summary)[0].stored


def test_log():
    """The example log, line for line; the fifth extraction repeats the first."""
    summary = (
        "The user loves fettuccini and said so: who loves fettuccini cooks. "
        "They prefer detailed explanations, and asked for detailed explanations again. "
        "They have been chatting since 2019. To be chatting since 2019 is long."
    )
    extractions = [
        MemoryExtraction("loves fettuccini", FACT, 0.95),
        MemoryExtraction("hates broccoli", FACT, 0.90),
        MemoryExtraction("prefers detailed explanations", PATTERN, 0.80),
        MemoryExtraction("been chatting since 2019", NARRATIVE, 0.90),
        MemoryExtraction("Loves fettuccini.", FACT, 0.90),
    ]

    lines = log(decide(extractions, SourceText(summary)), "user:12345")

    assert "\n".join(lines) == LOGGED
