from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import pytest
import Stemmer

from festinger.core.language.terms import terms

ENDINGS = ("ed", "ing", "ization", "iveness", "fulness")
NAMES = [
    f"{first}{second}{ending}"
    for first, second, ending in product(
        ("zorb", "dobb", "quil", "mant", "pell", "rasp"),
        ("art", "ev", "imp", "ost", "ul", "yn"),
        ENDINGS,
    )
]


@pytest.fixture
def hasty_threads():
    """Thread that take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_threads_find_the_terms_of_one_alone(hasty_threads):
    """A long message is read in a thread while prompts are answered: both stem words."""
    stem = Stemmer.Stemmer("english").stemWord
    alone = [[stem(name)] for name in NAMES]

    with ThreadPoolExecutor(2) as threads:
        halves = [threads.submit(list, map(terms, NAMES[at::2])) for at in range(2)]
    found = [half.result() for half in halves]

    assert found == [alone[at::2] for at in range(2)]
