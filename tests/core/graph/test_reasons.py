from __future__ import annotations

import pytest

from festinger.core.graph.reasons import REASONS, reason_in_words
from festinger.core.language.cues.doubts import MOST


@pytest.mark.parametrize("reason", sorted({*MOST, *REASONS}))
def test_reason_is_a_clause(reason):
    """People read why something waits, and not the name of a rule."""
    words = reason_in_words(reason)

    assert words == REASONS[reason]
    assert len(words.split()) > 2
    assert "_" not in words


def test_unknown_reason_is_readable():
    """The reasons of models are words already."""
    assert reason_in_words("subject reworded") == REASONS["subject_reworded"]
    assert reason_in_words("found_by_hand") == "found by hand"
