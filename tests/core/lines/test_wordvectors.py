from __future__ import annotations

import pytest

from festinger import _fast
from festinger.core.lines.wordvectors import (
    MODEL,
    WIDTH,
    embed_lines,
    embedded_prompt,
    vector_of,
)
from tests.core.recollection.test_recall import CHAT, index_of, put

SHOWER = "Dettmer builds the level shower, from 23 March"


def likeness(one: str, other: str) -> float:
    """Return the cosine of two texts."""
    vectors = _fast.Vectors(WIDTH)
    row = vectors.put(vector_of(one))
    vectors.compare(vector_of(other))
    return vectors.cosine(row)


@pytest.mark.parametrize(
    ("prompt", "near", "far"),
    [
        ("Is the bathroom ready?", SHOWER, "The code freeze is on 14 November"),
        ("Which physician do we ask?", "Her doctor is Yilmaz", SHOWER),
        ("price of a bicycle", "The bike costs 900 EUR", "Her doctor is Yilmaz"),
    ],
)
def test_texts_about_the_same_are_alike(prompt: str, near: str, far: str) -> None:
    """Though they share no word."""
    assert likeness(prompt, near) > likeness(prompt, far) + 0.1


def test_frequent_words_count_little() -> None:
    """Words that every sentence has make none alike."""
    assert likeness("the bathroom", "it is of a bathroom and the") > 0.95


@pytest.mark.parametrize("text", ["", "4711 42", "Zwxqkj", "---"])
def test_text_without_a_known_word_has_no_vector(text: str) -> None:
    """Then words that are shared are all that finds it."""
    assert vector_of(text) == b""
    assert embedded_prompt(text) is None


def test_lines_are_embedded_once_and_new_ones_are_added() -> None:
    """A line without a known word waits no longer."""
    index = index_of(CHAT)
    embed_lines(index)
    before = len(index.vectors)
    put(index, 900, "nan", "shop", "Zwxqkj qqvx xkzw.")
    put(index, 901, "nan", "shop", f"{SHOWER}.")
    embed_lines(index)

    assert index.vectors.model == MODEL
    assert before > 0
    assert len(index.vectors) == before + 1
    assert index.vectors.waiting == 0


def test_vectors_of_a_model_are_left() -> None:
    """An index holds the vectors of one model, and a model's are better."""
    index = index_of(CHAT)
    index.unembedded("all-minilm", 1)
    embed_lines(index)

    assert index.vectors.model == "all-minilm"
    assert len(index.vectors) == 0
