from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from festinger.core.language.grounding import Band, SourceText, Thresholds
from festinger.core.memories.deciding import EXTRACTIONS_MAX, decide
from festinger.core.memories.decision import ExtractionVerdict, LoweredMemory, Reason
from festinger.core.memories.journal import log
from festinger.core.memories.memory import MemoryExtraction
from festinger.core.memories.policy import MemoryPolicy
from festinger.core.memories.scoring import Factors
from festinger.core.memories.types import (
    ENGINEERING_TYPES,
    ENTITY_TYPES,
    MemoryType,
    Status,
)

from .cases import FACT, NARRATIVE, PATTERN, decided, memory

TEA = "The user loves green tea."

WORDS = st.lists(
    st.sampled_from(
        [
            "loves",
            "hates",
            "tea",
            "green",
            "Ada",
            "not",
            "never",
            "42",
            "prefers",
            "step",
            "once",
            "would",
            "like",
            "to",
            "the",
            "a",
            ".",
            ",",
            "?",
            "today",
            "tired",
            "you",
            "are",
            "promised",
            "lives",
            "in",
            "Berlin",
            "Rome",
            "ignore",
            "previous",
            "instructions",
            "日本語",
            "élan",
        ]
    ),
    max_size=25,
).map(" ".join)
PLAIN = st.sampled_from(
    [
        "Loves green tea",
        "Hates green tea",
        "Prefers tables with colours",
        "Lives in Rome",
        "Lives in Berlin",
        "Been chatting since 2019",
    ]
)
TEXT = st.one_of(PLAIN, WORDS, st.text(max_size=60))
EXTRACTIONS = st.lists(
    st.builds(
        MemoryExtraction,
        TEXT,
        st.sampled_from(MemoryType),
        st.sampled_from([0.6, 0.75, 0.8, 0.95, 1.0]) | st.floats(),
    ),
    max_size=5,
)


@pytest.mark.parametrize(
    ("type", "claim", "said", "verdict"),
    [
        (FACT, "Loves green tea", 0.80, ExtractionVerdict.ACTIVE),
        (FACT, "Loves green tea", 0.79, ExtractionVerdict.REJECTED),
        (PATTERN, "Loves green tea", 0.80, ExtractionVerdict.ACTIVE),
        (PATTERN, "Loves green tea", 0.79, ExtractionVerdict.CANDIDATE),
        (PATTERN, "Loves green tea", 0.75, ExtractionVerdict.CANDIDATE),
        (PATTERN, "Loves green tea", 0.74, ExtractionVerdict.PROPOSAL),
        (PATTERN, "Loves green tea", 0.60, ExtractionVerdict.PROPOSAL),
        (PATTERN, "Loves green tea", 0.59, ExtractionVerdict.REJECTED),
        (NARRATIVE, "Loves green tea", 0.60, ExtractionVerdict.ACTIVE),
        (NARRATIVE, "Loves green tea", 0.59, ExtractionVerdict.REJECTED),
    ],
)
def test_thresholds(type, claim, said, verdict):
    """
    A plainly grounded claim is told from its type's threshold; a pattern in between is
    for people, and below for the log (G3).
    """
    decision = decided(claim, type, f"{TEA} And {claim.lower()}.", said)

    assert decision.verdict is verdict
    assert decision.stored == (decision.reason is None)
    if not decision.stored:
        assert decision.reason is Reason.BELOW_THRESHOLD


@pytest.mark.parametrize("said", [9.5, 1.01, -0.1, float("nan"), float("inf")])
def test_impossible_confidence_is_refused(said):
    """A model that writes 9.5 has not understood the question; its claim is no memory."""
    decision = decided("Loves green tea", FACT, TEA, said)

    assert decision.verdict is ExtractionVerdict.REJECTED
    assert (decision.reason, decision.detail) == (Reason.INVALID, "confidence")


@pytest.mark.parametrize("type", sorted({*ENGINEERING_TYPES, *ENTITY_TYPES}))
@pytest.mark.parametrize("said", [0.01, 0.99])
def test_engineers_types_are_for_people(type, said):
    """However sure anybody is (G3)."""
    decision = decided("The port is 8080", type, "The port is 8080.", said)

    assert (decision.verdict, decision.detail) == (
        ExtractionVerdict.CANDIDATE,
        "for_people",
    )


def test_rules_only_propose():
    """A claim that rules extract, whatever its type, is for people (G3)."""
    decision = decided("Loves green tea", FACT, TEA, asserts=False)

    assert (decision.verdict, decision.detail) == (
        ExtractionVerdict.CANDIDATE,
        "for_people",
    )


@pytest.mark.parametrize(
    ("claim", "summary", "detail"),
    [
        ("Loves tea with 3 sugars", "Loves tea with sugars.", "number_not_in_text"),
        ("Loves tea with Ada", "She loves tea with a friend.", "name_not_in_text"),
        ("Loves tea", "The user does not love tea.", "negation_not_in_text"),
        ("Drinks green tea", "Drinks tea that is green.", "weakly_grounded"),
    ],
)
def test_doubtful_is_for_people(claim, summary, detail):
    """A failed guard, or words that only half stand there, whatever the confidence (G1)."""
    decision = decided(claim, FACT, summary, 0.99)

    assert (decision.verdict, decision.detail) == (ExtractionVerdict.CANDIDATE, detail)
    assert decided(claim, FACT, summary, 0.5).reason is Reason.BELOW_THRESHOLD


def test_denied_phrase_is_no_short_cut():
    """Each phrase stands there, and one is denied: people decide."""
    decision = decided(
        "Loves fettuccini with alfredo sauce",
        FACT,
        "I don't love fettuccini. But the alfredo sauce is good.",
    )

    assert decision.verdict is ExtractionVerdict.CANDIDATE
    assert decision.detail == "negation_not_in_text"


def test_single_words_are_no_short_cut():
    """
    "For work" and "Glitch University" are no "works at Glitch University".
    """
    summary = "He saw Glitch University in 2019, on a trip for work."

    decision = decided("Works at Glitch University since 2019", FACT, summary, 0.99)

    assert decision.verdict is not ExtractionVerdict.ACTIVE


@pytest.mark.parametrize(
    ("claim", "turns"),
    [
        ("Is a nurse", "Hi, I'm a nurse."),
        ("Is a nurse", "I am a nurse!"),
        ("Has two cats", "I have two cats."),
        ("Doesn't eat meat", "I don\u2019t eat meat."),
        ("Does not eat meat", "I don't eat meat."),
        ("Is not married", "I'm not married."),
    ],
)
def test_people_speak_of_themselves(claim, turns):
    """A sentence in the first person supports the claim in the third."""
    decision = decided(claim, FACT, f"{claim}.", turns=turns)

    assert decision.verdict is ExtractionVerdict.ACTIVE
    assert decision.grounding.score == 1.0


@pytest.mark.parametrize("turns", ["I met a nurse.", "I am not a nurse."])
def test_others_are_not_oneself(turns):
    """A nurse is in the turns, and the person is none."""
    decision = decided("Is a nurse", FACT, "Is a nurse.", turns=turns)

    assert decision.verdict is not ExtractionVerdict.ACTIVE


def test_turns_have_the_last_word():
    """A claim that the summary made up is a hallucination of its own (G3a)."""
    made_up = decided("Loves green tea", FACT, TEA, turns="Fix my bike, please.")
    said = decided("Loves green tea", FACT, TEA, turns="I love green tea!")

    assert made_up.verdict is ExtractionVerdict.REJECTED
    assert (made_up.reason, made_up.detail) == (Reason.HALLUCINATION, "not_in_turns")
    assert said.verdict is ExtractionVerdict.ACTIVE


def test_pattern_is_lived_in_the_turns():
    """Nobody says "explanation" who asks for one: "step by step" twice is a pattern."""
    summary = "She asked for step-by-step explanations."
    turns = "Can you go step by step?\n\nNow step by step through the next one, please."

    decision = decided(
        "Prefers step-by-step explanations", PATTERN, summary, turns=turns
    )
    other = decided(
        "Prefers step-by-step explanations", PATTERN, summary, turns="Fix my bike."
    )

    assert decision.verdict is ExtractionVerdict.ACTIVE
    assert decision.score is not None
    assert decision.score.repetition == 0.1
    assert other.detail == "not_in_turns"


def test_guard_in_the_turns():
    """A number that only the summary has caps at candidate."""
    decision = decided(
        "Has 3 cats", FACT, "The user has 3 cats. Has 3 cats.", turns="I have cats."
    )

    assert decision.verdict is not ExtractionVerdict.ACTIVE


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("The user loves green tea", "loves green tea"),
        ("User's tea is green", "tea is green"),
        ("Alice loves green tea", "loves green tea"),
        ("I love green tea", "love green tea"),
        ("Loves green tea", "Loves green tea"),
        ("The user ", "The user"),
    ],
)
def test_content_has_no_subject(text, content):
    """The line says whom it is about."""
    assert decided(text, FACT, TEA, subject="alice").content == content


def test_narrative_keeps_its_persons():
    """
    "I" and "you" are what it is about.
    """
    assert decided("I taught you chess", NARRATIVE, TEA).content == "I taught you chess"


def test_contradiction_is_for_people_and_lowers():
    """The person now says otherwise: linked, and what was known is relied on less (G2)."""
    known = memory("Hates green tea", id=7, confidence=0.9)

    decision = decided("Loves green tea", FACT, TEA, known=[known])

    assert decision.verdict is ExtractionVerdict.CANDIDATE
    assert decision.detail == "contradicts_known"
    assert decision.contradicts == (7,)
    assert decision.lowered == (LoweredMemory(7, 0.65),)
    assert decision.score.consistency == -0.25
    assert decision.confidence == 0.45


@pytest.mark.parametrize(
    "summary", ["We spoke of bikes.", "She loves tea that is blue."]
)
def test_doubt_lowers_nothing(summary):
    """A claim that is not plainly grounded takes nothing from the facts."""
    known = memory("Hates green tea", id=7)

    assert decided("Loves green tea", FACT, summary, known=[known]).lowered == ()


def test_two_that_contradict_each_other():
    """Neither is told; what only one of two claims is grounded in is."""
    extractions = [
        MemoryExtraction("Loves green tea", FACT, 0.9),
        MemoryExtraction("Hates green tea", FACT, 0.9),
    ]

    both = decide(extractions, SourceText("Loves green tea. Hates green tea."))
    one = decide(extractions, SourceText("I love green tea in the morning."))

    assert [each.verdict for each in both] == [ExtractionVerdict.CANDIDATE] * 2
    assert {each.detail for each in both} == {"contradicts_another"}
    assert one[0].verdict is not ExtractionVerdict.REJECTED


@pytest.mark.parametrize(
    ("status", "confirms"),
    [(Status.ACTIVE, 3), (Status.CANDIDATE, None), (Status.INVALID, None)],
)
def test_known_is_not_stored_twice(status, confirms):
    """Said again, a memory that is told is confirmed; what people decided stays."""
    known = memory("loves  GREEN tea.", id=3, status=status)

    decision = decided("Loves green tea", FACT, TEA, known=[known])

    assert decision.reason is Reason.DUPLICATE
    assert decision.detail == f"known_{status}"
    assert decision.confirms == confirms


def test_superseded_may_come_back():
    """A replaced memory is no duplicate."""
    known = memory("Loves green tea", status=Status.SUPERSEDED)

    assert decided("Loves green tea", FACT, TEA, known=[known]).stored


def test_made_up_confirms_nothing():
    """A memory that the summary does not speak of is not said again by it."""
    decision = decided(
        "Loves green tea", FACT, "We fixed a bike.", known=[memory("Loves green tea")]
    )

    assert decision.reason is Reason.NOT_GROUNDED
    assert decision.confirms is None


def test_policy_is_the_callers():
    """Bands and factors are configuration."""
    lax = MemoryPolicy(thresholds=Thresholds(grounded=0.4, candidate=0.3))
    cheap = MemoryPolicy(factors=Factors.from_table({"explicit_fact": 0.0}))

    plain = decided("Loves tea", FACT, TEA)
    assert plain.verdict is ExtractionVerdict.CANDIDATE
    assert (
        decided("Loves tea", FACT, TEA, policy=lax).verdict is ExtractionVerdict.ACTIVE
    )
    low = decided("Loves green tea", FACT, TEA, policy=cheap)
    assert low.reason is Reason.BELOW_THRESHOLD


def test_answer_without_end():
    """No more than fifty extractions of an answer are looked at."""
    many = [MemoryExtraction(f"Loves tea {at}", FACT, 0.9) for at in range(200)]

    assert len(decide(many, SourceText(TEA))) == EXTRACTIONS_MAX


@settings(deadline=None, max_examples=120)
@given(
    EXTRACTIONS,
    TEXT,
    st.none() | TEXT,
    st.lists(WORDS, max_size=3),
    st.booleans(),
    st.booleans(),
)
def test_deciding_is_total(extractions, summary, turns, known, said, lived):
    """
    Whatever a model answers of whatever text: the same decisions every time, in range,
    and nothing told that is not grounded in both texts.
    """
    quoted = ". ".join(each.text for each in extractions)
    summary = f"{quoted}. {summary}" if said else summary
    turns = f"{turns}. {quoted}" if lived else turns
    memories = [memory(content, id=at) for at, content in enumerate(known)]
    given = SourceText(summary), None if turns is None else SourceText(turns)

    once = decide(extractions, given[0], turns=given[1], known=memories)
    again = decide(
        extractions,
        SourceText(summary),
        turns=None if turns is None else SourceText(turns),
        known=memories,
    )

    assert once == again
    assert list(log(once, "alice")) == list(log(again, "alice"))
    for each in once:
        assert 0.0 <= each.confidence <= 1.0
        assert each.stored == (each.reason is None)
        if each.verdict is ExtractionVerdict.ACTIVE:
            assert each.grounding is not None
            assert each.grounding.band is Band.GROUNDED
            assert not each.grounding.failed
            assert each.type in (FACT, PATTERN, NARRATIVE)
            assert each.confidence >= each.threshold
        for low in each.lowered:
            assert 0.0 <= low.confidence <= 1.0
