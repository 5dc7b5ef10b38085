"""Several threads on one compiled vocabulary: nothing is lost and nothing mixed up.

Texts longer than 64 KB are read without the lock, so that threads really meet there.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from festinger import _fast

THREADS = 4
ROUNDS = 25
SHORT = "dobby met gnommoweb, Glitch University’s pool "
TEXTS = [SHORT, SHORT + "x" * 70_000, SHORT + "İx 東京都 " * 5_000]


@pytest.fixture
def vocabulary() -> Any:
    """A vocabulary of three tokens that all texts have."""
    vocabulary = _fast.Vocabulary()
    for id, token in enumerate(["dobby", "gnommoweb", "glitch_university"], 1):
        vocabulary.add(token, id)
    return vocabulary


def together(*calls: Callable[[], None]) -> None:
    """Run calls at the same time, and raise what one of them raised."""
    barrier = threading.Barrier(len(calls))
    raised: list[BaseException] = []

    def run(call: Callable[[], None]) -> None:
        try:
            barrier.wait()
            call()
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if raised:
        raise raised[0]


@pytest.mark.parametrize("text", TEXTS, ids=["short", "long", "wide"])
def test_every_encounter_is_counted_once(vocabulary: Any, text: str) -> None:
    """The counters, and what is drained meanwhile, add up to the number of readings."""
    drained: Counter[int] = Counter()

    def read() -> None:
        for _ in range(ROUNDS):
            scan = _fast.scan(text)
            vocabulary.read(scan, now=1.0, threshold=9.0, count=True)

    def drain() -> None:
        for _ in range(ROUNDS):
            for id, count, _ in vocabulary.drain():
                drained[id] += count

    together(*[read] * THREADS, drain)
    drain()

    assert drained == dict.fromkeys((1, 2, 3), THREADS * ROUNDS)
    assert [vocabulary.row(id).encounters for id in (1, 2, 3)] == [THREADS * ROUNDS] * 3


def test_a_vocabulary_may_grow_while_it_is_read(vocabulary: Any) -> None:
    """Its tables move several times, and no reading misses what was there before."""
    texts = [TEXTS[1], " ".join(f"new{n}" for n in range(20_000))]

    def read() -> None:
        for _ in range(ROUNDS):
            for text in texts:
                scan = _fast.scan(text)
                vocabulary.read(scan, now=1.0, threshold=9.0, count=True)

    def grow() -> None:
        for id in range(10, 20_000):
            vocabulary.meet([f"new{id}"], [id], now=1.0)

    together(read, read, grow)

    assert vocabulary.row(1).encounters == 2 * ROUNDS
    assert len(vocabulary) == 3 + 19_990
    assert all(
        1 <= vocabulary.row(id).encounters <= 1 + 2 * ROUNDS for id in range(10, 20_000)
    )


def test_texts_that_are_read_at_once_do_not_mix() -> None:
    """Each scan has its own tokens, though they take their memory from one store."""
    texts = [f"{word} 東京 {word}_a " * 6_000 for word in ("ab", "cd", "ef", "gh")]
    expected = [list(_fast.scan(text)) for text in texts]

    def read(number: int) -> None:
        for _ in range(10):
            assert list(_fast.scan(texts[number])) == expected[number]

    together(*(lambda n=n: read(n) for n in range(4)))
