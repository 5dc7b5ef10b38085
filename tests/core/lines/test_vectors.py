from __future__ import annotations

import pytest

from festinger.core.lines.index import LineIndex
from festinger.core.lines.line import LineKind
from festinger.core.lines.vectors import Embedding, quantised
from tests.core.recollection.test_recall import put

MODEL = "all-minilm"


@pytest.fixture
def index() -> LineIndex:
    """An index of two sentences and one that was said in confidence."""
    index = LineIndex()
    put(index, 1, "nan", "shop", "Kassel delivers the stock file at 05:40.")
    put(index, 2, "nan", "shop", "The staging cluster runs in Falkenstein.")
    put(index, 3, "nan", "shop", "Don't tell Theo: the vault moves to Kassel in May.")
    return index


def embed(index: LineIndex) -> None:
    """Embed all lines alike."""
    while lines := index.unembedded(MODEL, 10):
        for line in lines:
            index.vectors.put(line.number, b"\1\2")


def test_lines_wait_newest_first_without_what_was_said_in_confidence(
    index: LineIndex,
) -> None:
    """And later lines wait as they come."""
    assert [it.text[:7] for it in index.unembedded(MODEL, 10)] == ["The sta", "Kassel "]
    embed(index)
    assert index.unembedded(MODEL, 10) == []

    put(index, 4, "nan", "shop", "Invoices are archived for eleven years.")

    assert [it.key for it in index.unembedded(MODEL, 10)] == [4]


def test_nothing_waits_before_a_model_is_named(index: LineIndex) -> None:
    """An index without embeddings keeps nothing for them."""
    assert index.vectors.waiting == 0
    assert not index.vectors.fits(Embedding(MODEL, b"\1\2"))


def test_forgotten_line_has_no_vector(index: LineIndex) -> None:
    """Nor is it found any more, or given one that comes late."""
    embed(index)
    (line,) = index.lines_of(LineKind.UTTERANCE, 1)
    assert index.vectors.compare(Embedding(MODEL, b"\1\2"))
    assert index.vectors.likeness(line.number) == pytest.approx(1.0)

    index.sources.remove(LineKind.UTTERANCE, 1)
    index.vectors.put(line.number, b"\1\2")

    assert index.vectors.likeness(line.number) is None
    assert line.number not in index.vectors.nearest()
    assert len(index.vectors) == 1


def test_another_model_starts_anew(index: LineIndex) -> None:
    """Its vectors are not compared with those of the former one."""
    embed(index)

    assert len(index.unembedded("other", 10)) == 2
    assert not index.vectors.fits(Embedding(MODEL, b"\1\2"))
    assert not index.vectors.fits(Embedding("other", b"\1\2"))


@pytest.mark.parametrize(
    "embedding",
    [
        None,
        Embedding("other", b"\1\2"),
        Embedding(MODEL, b"\1"),
        Embedding(MODEL, b"\0\0"),
    ],
)
def test_embedding_that_does_not_fit_is_not_compared(
    index: LineIndex, embedding: Embedding | None
) -> None:
    """Of another model or width, or without a direction."""
    embed(index)

    assert not index.vectors.compare(embedding)


@pytest.mark.parametrize(
    "values", [[], [0.0, 0.0], [float("inf")], [float("nan")], [1.0] * 4_097]
)
def test_no_vector_is_refused(values: list[float]) -> None:
    """A vector without direction, or with too many values."""
    with pytest.raises(ValueError, match="an embedding"):
        quantised(values)


def test_vector_is_of_signed_bytes() -> None:
    """The largest value becomes 127."""
    assert quantised([0.02, -0.01, 0.0]) == bytes([127, 256 - 64, 0])
