from __future__ import annotations

import json

import pytest

LISTS = [
    "inbox",
    "memories",
    "review entities",
    "memories interactions",
    "memories rejections",
    "review ingestions",
    "graph predicates",
    "graph resolve --status",
    "validation raters",
    "validation raters calibration",
    "validation dream --last",
    "validation dream --waiting",
    "system models",
    "config",
    "facts",
    "check",
    "check --world",
]


@pytest.mark.parametrize("words", LISTS)
async def test_lists_are_printed_as_json(operator, words):
    """Programs read what people read, an object a line, and nothing else."""
    await operator.client.states("gnommoweb -isa repo")
    await operator.client.states("gnommoweb -isa container")

    code, printed, complained = await operator.runs(*words.split(), "--json")

    assert (code, complained) == (0, "")
    for line in printed.splitlines():
        assert isinstance(json.loads(line), dict)


async def test_conflict_is_printed_whole(operator):
    """The text of a conflict stands in the object, under the API's names."""
    await operator.client.states("gnommoweb -isa repo")
    await operator.client.states("gnommoweb -isa container")

    [told] = map(json.loads, (await operator.prints("inbox", "--json")).splitlines())

    assert (told["id"], told["kind"]) == ("conflict-1", "conflict")
    assert told["conflict"]["incoming"]["parent"] == "container"
