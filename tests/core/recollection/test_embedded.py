from __future__ import annotations

from dataclasses import replace

import pytest

from festinger.core.lines import wordvectors
from festinger.core.lines.index import LineIndex
from festinger.core.lines.vectors import Embedding
from festinger.core.recollection.recall import RecallRequest, RecallResult, recall
from festinger.core.recollection.weighing import RelevanceWeights, shipped
from tests.core.recollection.test_recall import CHAT, EVERYDAY, NOW, index_of

MODEL = "all-minilm"
PROMPT = "When do we need our import ready tomorrow?"
NEAR, FAR = b"\x7f\0\0", b"\0\0\x7f"
NEEDED = "Kassel delivers the stock file"


def embedded(model: str = MODEL) -> LineIndex:
    """Return an index in which the line about the stock file is near to the prompt."""
    index: LineIndex = index_of(CHAT)
    for line in index.unembedded(model, 100):
        index.vectors.put(line.number, NEAR if NEEDED in line.text else FAR)
    return index


def recalled(
    index: LineIndex,
    embedding: Embedding | None,
    weighing: RelevanceWeights | None = None,
) -> RecallResult:
    """Return the lines that the prompt is told."""
    asked = RecallRequest(PROMPT, asker="nan", project="shop", embedding=embedding)
    return recall(
        index, asked, dictionary=EVERYDAY, tokens=200, now=NOW, weighing=weighing
    )


def test_line_that_shares_no_word_is_told() -> None:
    """If it is near to the prompt, and it is said why."""
    assert not any(NEEDED in it.text for it in recalled(embedded(), None).lines)

    found = recalled(embedded(), Embedding(MODEL, NEAR))

    (line,) = [it for it in found.lines if NEEDED in it.text]
    assert "shared 0" in line.why
    assert "likeness 1.00" in line.why
    assert found.choices[0].found.features["likeness"] == pytest.approx(1.0)


def test_words_are_compared_until_a_model_has_embedded_lines() -> None:
    """A prompt that a model embedded is told the same as one that none did."""
    found = recalled(index_of(CHAT), Embedding(MODEL, NEAR))

    assert found == recalled(index_of(CHAT), None)
    assert found.choices[0].found.features["likeness"] > 0


@pytest.mark.parametrize(
    ("index", "embedding"),
    [
        (embedded(), None),
        (embedded(), Embedding("other", NEAR)),
        (embedded("other"), Embedding("other", NEAR)),
        (embedded(), Embedding(MODEL, NEAR[:2])),
    ],
    ids=["none", "another model", "no weights", "another width"],
)
def test_without_vectors_to_compare_nothing_changes(
    index: LineIndex, embedding: Embedding | None
) -> None:
    """The same lines with the same probabilities as without embeddings."""
    plain = recalled(index_of(CHAT), None, replace(shipped(), embedded={}))
    found = recalled(index, embedding)

    assert found.openness == plain.openness
    assert [it.text for it in found.lines] == [it.text for it in plain.lines]
    assert [it.found.values for it in found.rejected] == [
        it.found.values for it in plain.rejected
    ]


def test_words_of_a_prompt_are_not_added_up_beside_a_model(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """While a model's vectors are held, none of words could be compared with them."""
    before = recalled(embedded(), None)
    monkeypatch.setattr(wordvectors, "vector_of", lambda text: pytest.fail(text))

    assert recalled(embedded(), None) == before


def test_earlier_request_is_not_told_for_being_like_this_one() -> None:
    """It says nothing that the prompt does not; what it asks about is told."""
    chat = [
        *CHAT,
        ("nan", "shop", "Tell me about the tiles of the new bathroom."),
        ("nan", "shop", "Dettmer builds the level shower from March on."),
    ]
    asked = RecallRequest("Tell me about our bathroom.", asker="nan", project="shop")
    found = recall(
        index_of(chat), asked, dictionary=EVERYDAY, tokens=200, now=NOW
    ).lines

    assert any("level shower" in it.text for it in found)
    assert not any("Tell me" in it.text for it in found)


@pytest.mark.parametrize(
    ("prompt", "beside", "is_considered"),
    [
        ("Tell me about our bathroom.", 8, True),
        # Of the first few lines only those that are like it, but for one's own affairs.
        ("Tell me about our bathroom.", 0, False),
        ("Which bathroom do we have?", 0, True),
    ],
)
def test_each_line_of_a_young_memory_is_considered(
    prompt: str, beside: int, is_considered: bool
) -> None:
    """None is left out for sharing no word with the prompt, and being like nothing in it."""
    shower = ("nan", "shop", "Dettmer builds the level shower from March on.")
    others = [("nan", "shop", f"Shelf {at} holds gloves.") for at in range(beside)]
    index = index_of([*CHAT, shower, *others])
    asked = RecallRequest(prompt, asker="nan", project="shop")

    found = recall(index, asked, dictionary=EVERYDAY, tokens=200, now=NOW)
    scored = [*found.choices, *(it.found for it in found.rejected)]
    assert any("Kassel" in str(it) for it in scored) is is_considered
