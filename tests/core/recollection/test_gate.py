from __future__ import annotations

import pytest

from festinger.core.recollection.recall import RecallRequest, recall
from tests.core.recollection.test_recall import EVERYDAY, NOW, index_of

SAID = [
    ("ann", "", "Livia is 7 and Bas is 4."),
    ("ann", "", "Mark pays the rent on the first."),
    ("ann", "", "Our events go through Kafka, on three small machines."),
    ("ann", "", "The boiler was serviced in March."),
]


def openness(prompt):
    """Return how likely it is that a prompt needs this memory."""
    asked = RecallRequest(prompt, asker="ann")
    everyday = EVERYDAY | {"mark", "marks"}
    found = recall(index_of(SAID), asked, dictionary=everyday, tokens=200, now=NOW)
    return found.openness


@pytest.mark.parametrize(
    "prompt",
    [
        "how old is Livia?",
        "how tall is livia by now",
        "has Mark answered?",
        "Who is Bas?",
    ],
)
def test_prompt_about_whom_the_memory_knows_opens_the_gate(prompt):
    """Whatever else it looks like; an everyday word counts as a name only in capitals."""
    assert openness(prompt) == 1.0


@pytest.mark.parametrize(
    "prompt",
    [
        "What is Kafka?",
        "explain Kafka to a beginner",
        "Kafka vs a plain queue",
        "how do I install Kafka",
        "translate 'Livia is tired' into Dutch",
        "how many marks are in a euro",
    ],
)
def test_general_prompt_with_a_name_is_left_to_the_weights(prompt):
    """A name in a definition, a comparison, an instruction or a translation needs nothing."""
    assert openness(prompt) < 1.0
