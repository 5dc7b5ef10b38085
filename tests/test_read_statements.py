"""Counts of the benchmark of reading statements, and statements it must not find."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from benchmarks import statements
from benchmarks.talks import LabelledTalk

TALKS = sorted(
    Path(os.environ.get("FESTINGER_CONVERSATIONS", "missing")).glob("*.json")
)
"""Labelled conversations, which are not part of the project."""


@pytest.fixture
def file(tmp_path):
    """A conversation with two facts, a change, and a decoy that looks like one."""
    texts = [
        "The depot database runs on podman. Release day is friday.",
        "moved the depot database to kubernetes",
        "if the depot database ran on nomad we would be done",
    ]
    turns = [
        {
            "id": f"t{at}",
            "time": f"2031-03-0{at}T09:00:00",
            "session": "s1",
            "speaker": "Ada",
            "project": None,
            "role": "user",
            "text": text,
        }
        for at, text in enumerate(texts, 1)
    ]

    def fact(number, turn, quote, value):
        return {
            "id": f"f{number}",
            "turn": turn,
            "quote": quote,
            "subject": "depot database",
            "predicate": "runs on",
            "value": value,
        }

    talk = {
        "name": "depot",
        "turns": turns,
        "facts": [
            fact(1, "t1", "The depot database runs on podman", "podman"),
            fact(2, "t2", "moved the depot database to kubernetes", "kubernetes"),
        ],
        "changes": [
            {
                "turn": "t2",
                "quote": "moved the depot database",
                "old": "f1",
                "new": "f2",
            }
        ],
        "decoys": [
            {"turn": "t3", "quote": "ran on nomad", "why": "hypothetical"},
        ],
    }
    path = tmp_path / "depot.json"
    path.write_text(json.dumps(talk), encoding="utf-8")
    return path


def test_what_is_read_is_held_against_the_labels(file):
    """Two of the three statements are labelled, the change is heard, the decoy is left."""
    _, count = statements.judge(LabelledTalk.read(file))

    assert count["statements"] == 3
    assert count["right"] == 2
    assert count["decoys"] == 0
    assert (count["changes"], count["heard"]) == (1, 1)


def test_the_command_prints_the_figures(file, capsys):
    """A line of figures stands at the end."""
    statements.main([str(file)])

    assert "labelled right 0.67 (2/3)" in capsys.readouterr().out


def test_files_that_are_not_there_are_skipped_loudly(tmp_path, capsys):
    """Nobody takes no figures for good ones."""
    statements.main([str(tmp_path / "none.json")])

    assert "SKIPPED" in capsys.readouterr().err


@pytest.mark.skipif(
    not TALKS, reason="FESTINGER_CONVERSATIONS names no folder of conversations"
)
def test_people_talking_hardly_state_what_is_no_fact():
    """No decoy is held, and nearly all that is read stands in a labelled fact's words."""
    counts = [statements.judge(LabelledTalk.read(file))[1] for file in TALKS]
    read = sum(count["statements"] for count in counts)

    assert sum(count["decoys"] for count in counts) == 0
    assert sum(count["worded"] for count in counts) >= 0.85 * read
    assert read >= 50
