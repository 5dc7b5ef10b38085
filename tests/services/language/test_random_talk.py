"""A writer that goes on, whatever is said and in whatever order."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from structlog.testing import capture_logs

from tests.services.conftest import say, settled

NAMES = ("Gnommoweb", "The billing service", "Carol", "My sister", "the nightly job")
VALUES = (
    "podman",
    "podman 5.2",
    "postgres",
    "postgres 14",
    "8080",
    "port 9090",
    "Lyon",
    "a repo",
    "Dave Miller",
    "04:25",
    "Friday at 9",
    "gone",
    "30 euros",
)
SENTENCES = (
    "{name} runs on {value}.",
    "{name} is {value}.",
    "{name} uses {value}.",
    "{name}: {value}",
    "{name} moved from {other} to {value}.",
    "{name} no longer uses {value}.",
    "{name} isn't {other} but {value}.",
    "Actually {name} is {value} now, not {other}.",
    "{name} is owned by {value}.",
    "{name}'s port is {value}.",
    "{name} was replaced by {value}.",
    "I think {name} is {value}.",
)
PROMPTS = 60


@pytest.mark.parametrize("seed", range(3))
async def test_writer_goes_on_whatever_is_said(memory, seed):
    """No turn fails or holds up another, and the memory equals the database afterwards."""
    with capture_logs() as logged:
        for text in talk(Random(seed)):
            say(memory, text)
        await settled(memory)

    assert logged == []
    assert await memory.writer.check() == []


def talk(random: Random) -> Iterator[str]:
    """Yield turns of one to three sentences."""
    for _ in range(PROMPTS):
        sentences = random.choices(SENTENCES, k=random.randint(1, 3))
        yield " ".join(
            sentence.format(
                name=random.choice(NAMES),
                value=random.choice(VALUES),
                other=random.choice(VALUES),
            )
            for sentence in sentences
        )
