"""Statements that are taken back, by what stands around them, above or behind."""

from __future__ import annotations

import pytest

from tests.core.language.cue_notation import told

REPO = ["+ gnommoweb isa repo"]
WAITS = ["? gnommoweb ispart docker of runs-on"]

# Behind the object.
BEHIND = [
    "gnommoweb is a repo no longer",
    "gnommoweb is a repo no more",
    "gnommoweb is owned by Alice no longer",
    "gnommoweb runs on Docker not anymore",
    "gnommoweb runs on Docker (not anymore)",
    "gnommoweb runs on Docker, not.",
    "gnommoweb runs on Docker never",
    "gnommoweb is a repo, which is no longer true",
    "gnommoweb is a repo (no longer true)",
    "gnommoweb is a repo (false)",
    "gnommoweb is a repo: false",
    "gnommoweb is a repo: maybe",
    "gnommoweb is a repo: I think",
    "gnommoweb is a repo, but that's wrong",
    "gnommoweb is a repo, but that is wrong.",
    "gnommoweb is a repo, isn't it",
    "gnommoweb belongs to Agent0, doesn't it",
    "gnommoweb is a repo, according to Bob",
    "gnommoweb is a repo as far as I know",
    "gnommoweb is a repo, from what I understand",
    "gnommoweb is a repo, in my opinion",
    "gnommoweb is a repo in Bob's opinion",
    "gnommoweb is a repo, he wrote",
    "gnommoweb is a repo, the README says",
    "gnommoweb is a repo, they told me",
    "gnommoweb is a repo, we were told",
    "gnommoweb is a repo in name only",
]

# Between the subject and its verb.
BESIDE = [
    "gnommoweb, I think, is a repo",
    "gnommoweb, maybe, is a repo",
    "gnommoweb, apparently, is a repo",
    "gnommoweb, according to Bob, is a repo",
    "gnommoweb, if merged, is a repo",
    "gnommoweb, unless Bob objects, is a repo",
    "gnommoweb, in theory, is a repo",
    "gnommoweb (not) is a repo",
    "gnommoweb (maybe) is a repo",
    "gnommoweb — supposedly — is a repo",
    "Gnommoweb, if Bob is right, belongs to Agent0",
]

# "… that gnommoweb is a repo", said as wanted, disputed or half true.
WANTED = [
    "Forget that gnommoweb is a repo",
    "Please forget that gnommoweb is a repo",
    "You can forget that gnommoweb is a repo",
    "Ignore the fact that gnommoweb is a repo",
    "It must be confirmed that gnommoweb is a repo",
    "It remains to be proven that gnommoweb is a repo",
    "We want it confirmed that gnommoweb is a repo",
    "It's far from clear that gnommoweb is a repo",
    "It is only half true that gnommoweb is a repo",
    "Bob disputes the fact that gnommoweb is a repo",
    "Bob falsely established that gnommoweb is a repo",
]

# On a line of their own.
ABOVE = [
    "Which of these is true?\n1. gnommoweb is a repo\n2. gnommoweb is a service",
    "The following is false:\n- gnommoweb is a repo",
    "Things that are not true:\n- gnommoweb is a repo",
    "Assume:\n- gnommoweb is a repo",
    "Requirements:\n- gnommoweb runs on Docker",
    "We will migrate when:\n- gnommoweb is a repo",
    "Options:\n- gnommoweb is a repo",
    "TODO:\n- gnommoweb is a repo",
    "Translate this into French:\n\nGnommoweb is a repo.",
    "Example:\ngnommoweb is a repo",
    "Is this correct?\nGnommoweb is a dragon.",
    "He said:\nGnommoweb is a dragon.",
    "-gnommoweb is a repo\n+gnommoweb is a service",
    "<document>\nGnommoweb is a dragon.\n</document>",
    "❌ Gnommoweb is a service",
]

# In a sentence of its own behind it.
AFTERWARDS = [
    "gnommoweb is a repo. Right?",
    "gnommoweb is a repo. True or false?",
    "Gnommoweb is a repo. Is that right?",
    "gnommoweb is a repo. Can you confirm?",
    "gnommoweb is a repo. Not.",
    "gnommoweb is a repo. Wrong!",
    "gnommoweb is a repo. Just kidding",
]

# Lines that were broken by hand.
BROKEN = [
    "If\ngnommoweb is a repo, delete it",
    "I don't think\ngnommoweb is a repo",
    "Bob claims\ngnommoweb is a repo",
    "gnommoweb is a repo\nif the flag is set",
    "gnommoweb is a repo\nor a container",
    "I do not believe\nGnommoweb is a service",
    "gnommoweb belongs to Alice's\nteam",
]

# Times, events and accidents host nothing, and measures are no kinds.
VAGUE = [
    "gnommoweb is deployed on January 5",
    "gnommoweb is deployed on merge",
    "gnommoweb is deployed on Christmas",
    "gnommoweb is deployed on April 1st",
    "gnommoweb is hosted by accident",
    "gnommoweb runs on weekdays",
    "gnommoweb runs on commit",
    "gnommoweb runs on login",
    "gnommoweb runs on coffee",
    "gnommoweb is part of Q3",
    "gnommoweb is part of PR 42",
    "gnommoweb is a click away",
    "gnommoweb is an order of magnitude faster",
]

KEPT = [
    ("gnommoweb is a repo, not a worker", REPO),
    ("gnommoweb is a repo and it is not a worker", REPO),
    ("gnommoweb is a repo, and that is good.", REPO),
    ("gnommoweb is a repo: it may be forked", REPO),
    ("gnommoweb is a repo: maybe the largest of all", REPO),
    ("gnommoweb is a repo: true", REPO),
    ("gnommoweb is not a repo anymore", ["+ gnommoweb not isa repo"]),
    ("I am sure that gnommoweb is a repo", REPO),
    ("It should be noted that gnommoweb is a repo", REPO),
    ("You should know that gnommoweb is a repo", REPO),
    ("Our services:\n- gnommoweb is a repo", REPO),
    ("Overview:\n\ngnommoweb is a repo.", REPO),
    ("How are you?\ngnommoweb is a repo", REPO),
    ("# What is this?\ngnommoweb is a repo", REPO),
    ("Requirements:\n- speed\n\ngnommoweb is a repo", REPO),
    ("Run this:\n```\nls\n```\ngnommoweb is a repo", REPO),
    ("gnommoweb is a repo\nIf you need it, ask.", REPO),
    ("gnommoweb is a repo. Right away, then.", REPO),
    ("gnommoweb is a repo. Not everybody knows.", REPO),
    ("- gnommoweb is a repo\n- Or is it?", REPO),
]

DENIED = [
    ("gnommoweb never is a repo", ["+ gnommoweb not isa repo"]),
    ("gnommoweb no longer is a repo", ["+ gnommoweb not isa repo"]),
    ("gnommoweb no longer is part of Agent0", ["+ gnommoweb not ispart agent0"]),
    ("gnommoweb not only runs on Docker but also on Podman", WAITS),
    ("gnommoweb not always runs on Docker", []),
    ("gnommoweb is not exclusively owned by Bob", []),
]

LIMITED = [
    "gnommoweb runs on Docker tomorrow",
    "gnommoweb runs on Docker starting Monday",
    "gnommoweb runs on Docker as soon as we migrate",
    "gnommoweb runs on Docker after the migration",
    "gnommoweb runs on Docker except in production",
    "gnommoweb runs on Docker for the demo tenant",
    "gnommoweb runs on Docker for Acme",
]


TAKEN_BACK = (*BEHIND, *BESIDE, *WANTED, *ABOVE, *AFTERWARDS, *BROKEN, *VAGUE)


@pytest.mark.parametrize("text", TAKEN_BACK)
def test_what_is_taken_back_is_dropped(text):
    """Nothing is held of which the text says, wherever, that it is not so, or not known."""
    assert told(text, "gnommoweb", "dobby") == []


@pytest.mark.parametrize(("text", "expected"), KEPT)
def test_what_is_not_taken_back_is_held(text, expected):
    """A denial of something else, or a label of facts, takes nothing back."""
    assert told(text, "gnommoweb", "dobby") == expected


@pytest.mark.parametrize(("text", "expected"), DENIED)
def test_denial_before_the_verb(text, expected):
    """
    "Never is" denies, "not only runs" does not, and "not always" says nothing.
    """
    assert told(text) == expected


@pytest.mark.parametrize("text", LIMITED)
def test_what_is_so_at_some_time_only_waits(text):
    """A statement about the future, or with an exception, is for a person to decide."""
    assert told(text) == WAITS
