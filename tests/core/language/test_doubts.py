from __future__ import annotations

import pytest

from festinger.core.language.doubts import one_line, unstated


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("we pushed the gnommoweb repo", ""),
        ("is gnommoweb a repo?", "asked"),
        ("what does gnommoweb do", "asked"),
        ("maybe gnommoweb is a repo", "hedged"),
        ("gnommoweb might be a repo", "hedged"),
        ("gnommoweb may be a repo", "hedged"),
        ("gnommoweb moved to hetzner in May", ""),
        ("since May 2024 gnommoweb is a repo", ""),
        ("> gnommoweb is a repo", "quoted"),
        ("gnommoweb is a repo. is it slow?", "asked"),
    ],
)
def test_text_that_states_nothing_says_why(text, why):
    """By any of its sentences, although it may have every word of a fact."""
    assert unstated(text) == why


def test_sentence_is_kept_on_one_line():
    """Without what Postgres does not store."""
    assert one_line("gnommoweb\n is\0a  repo") == "gnommoweb is a repo"
