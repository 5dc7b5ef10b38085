"""Properties that the fuzzer checks hold on its seeds, its traps and Hypothesis' texts.

Each target compares with the oracle: tokens and counters, cues, facts.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from fuzz import cues, facts, tokeniser
from fuzz.texts import TRAPS
from tests.fast.strategies import ADVERSARIAL, FACTS, PROSE, TEXTS

TARGETS = [pytest.param(it, id=it.__name__) for it in (tokeniser, cues, facts)]


@pytest.mark.parametrize("target", TARGETS)
def test_seeds_and_traps_hold(target: Any) -> None:
    """Every text that the fuzzer begins with is read alike, alone and in a statement."""
    for text in (*target.SEEDS, *TRAPS):
        target.check(text)
        target.check(f"gnommoweb{text} is a {text} of Glitch{text}University")
        target.check(f"Glitch{text}University -isa repo in context of a{text}b")


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("make", ADVERSARIAL.values(), ids=list(ADVERSARIAL))
def test_adversarial_texts_hold(target: Any, make: Any) -> None:
    """Texts that say one thing over and over are read alike, around the ends of blocks."""
    for size in (63, 64, 65, 380):
        target.check(make(size))


@settings(max_examples=200, deadline=None)
@given(text=TEXTS)
def test_any_text_is_tokenised_and_counted_alike(text: str) -> None:
    """Tokens, steps, and what a vocabulary makes of them when it is asked three times."""
    tokeniser.check(text)


@settings(max_examples=200, deadline=None)
@given(text=PROSE | TEXTS)
def test_any_text_states_what_it_states_to_the_oracle(text: str) -> None:
    """Cues are the same, within the text, and fit to be told where they are not dropped."""
    cues.check(text)


@settings(max_examples=200, deadline=None)
@given(text=FACTS | TEXTS)
def test_any_text_is_the_fact_that_the_oracle_reads(text: str) -> None:
    """It reads as it is shown, or is refused with the same words."""
    facts.check(text)
