"""
Conversations that go round in circles, each with the rule that must notice it and the
number of the request, from 1, at which it must.
"""

from __future__ import annotations

from collections.abc import Callable

from festinger.config import LoopRule
from tests.shim.loops.talks import Do, Say, Script, User

TASK = User("Put the README in order, please.")
NUDGE = User("Please continue with the task.")


def same_call() -> Script:
    """Return the same file, read again and again."""
    return [TASK] + [Do("read_file", {"path": "README.md"}, "# Title")] * 5


def same_call_at_another_time() -> Script:
    """Return the time and the duration in the result are not a change."""
    return [TASK] + [
        Do("shell", {"code": "make"}, f"2026-11-21 20:12:{n:02} up to date, {n}.{n} s")
        for n in range(10, 15)
    ]


def same_call_after_work() -> Script:
    """Honest work first, then the same search over and over."""
    work = [Do("read_file", {"path": f"{n}.md"}, f"text {n}") for n in range(9)]
    return [TASK, *work] + [Do("search", {"query": "title"}, "no match")] * 4


def same_call_thrice_in_a_turn() -> Script:
    """Return each turn makes the call three times; turns count, not calls."""
    return [TASK] + [Do("read_file", {"path": "a"}, "text", times=3)] * 4


def arguments_in_another_order() -> Script:
    """Return the order of the arguments changes nothing."""
    pairs = [("path", "a.md"), ("from", "1"), ("to", "9")]
    return [TASK] + [
        Do("read_file", dict(pairs[n % 3 :] + pairs[: n % 3]), "text") for n in range(4)
    ]


def same_speech() -> Script:
    """Return the same announcement whenever the framework says to go on."""
    speech = Say("I will now look at the README and then put all of it in order.")
    return [TASK, *[speech, NUDGE] * 5]


def same_failure() -> Script:
    """Return a call that fails in the same way each time."""
    error = "Error: no such file or directory: READ.ME"
    return [TASK] + [Do("read_file", {"path": "READ.ME"}, error, failed=True)] * 5


def failure_with_changing_ids() -> Script:
    """Return the error is of one kind; only its reference changes."""
    return [TASK] + [
        Do("deploy", {"to": "prod"}, f"Error: denied by policy, reference {n}x{n * 7}")
        for n in range(101, 106)
    ]


def misfit_answers() -> Script:
    """Return a traceback, whatever is tried in the same words."""
    trace = "Traceback (most recent call last):\n  File 'x'\nNameError: name 'y'"
    return [TASK] + [Do("python", {"code": "print(y)"}, trace)] * 4


def two_steps() -> Script:
    """To and fro between two files that do not change."""
    a = Do("read_file", {"path": "a.md"}, "see b")
    b = Do("read_file", {"path": "b.md"}, "see a")
    return [TASK, *[a, b] * 4]


def three_steps_after_work() -> Script:
    """Honest work, then a round of three."""
    steps = [Do(n, {}, f"{n} done") for n in ("plan", "check", "review")]
    return [TASK, Do("list", {}, "a b c"), *steps * 4]


def five_steps() -> Script:
    """Return a round of five."""
    steps = [Do("open", {"page": n}, f"page {n}") for n in "abcde"]
    return [TASK, *steps * 3]


def same_edit_and_run() -> Script:
    """Return an edit that is made again and again, and the test that still fails."""
    edit = Do("edit_file", {"path": "a.py", "new": "x = 1"}, "ok")
    run = Do("shell", {"code": "pytest"}, "Error: 1 failed")
    return [TASK, *[edit, run] * 4]


def near_speech() -> Script:
    """Apology that differ in a word."""
    words = ["confusion", "mistake", "delay", "trouble", "error", "problem"]
    script: Script = [TASK]
    for word in words:
        speech = (
            f"I apologise for the {word}. Let me look at the file again and see what "
            "the headings are, then I will change them one after another and tell you "
            "which of them were wrong."
        )
        script += [Say(speech), NUDGE]
    return script


def near_calls() -> Script:
    """A long script with another name in it each time, and always the same error."""
    body = (
        "import json, sys, os; data = json.load(open(path)); keys = sorted(data); "
        "first, last = keys.pop(), keys.pop(); print(first, last, len(data)); "
        "total = sum(value for value in data.values() if value); print(total)"
    )
    error = "Traceback (most recent call last): KeyError: path"
    return [TASK] + [
        Do("python", {"code": f"{body}; {name}()"}, error)
        for name in ["run", "main", "start", "go", "work", "begin"]
    ]


def endless() -> Script:
    """Return a hundred different turns without a word of the user's."""
    return [TASK] + [
        Do("read_file", {"path": f"src/{n}.py"}, f"content {n}") for n in range(102)
    ]


Stuck = tuple[Callable[[], Script], LoopRule, int]

STUCK: list[Stuck] = [
    (same_call, LoopRule.REPEAT, 4),
    (same_call_at_another_time, LoopRule.REPEAT, 4),
    (same_call_after_work, LoopRule.REPEAT, 13),
    (same_call_thrice_in_a_turn, LoopRule.REPEAT, 4),
    (arguments_in_another_order, LoopRule.REPEAT, 4),
    (same_speech, LoopRule.REPEAT, 4),
    (same_failure, LoopRule.ERROR, 4),
    (failure_with_changing_ids, LoopRule.ERROR, 4),
    (misfit_answers, LoopRule.ERROR, 4),
    (two_steps, LoopRule.CYCLE, 7),
    (three_steps_after_work, LoopRule.CYCLE, 11),
    (five_steps, LoopRule.CYCLE, 16),
    (same_edit_and_run, LoopRule.CYCLE, 7),
    (near_speech, LoopRule.NEAR, 5),
    (near_calls, LoopRule.NEAR, 5),
    (endless, LoopRule.CAP, 101),
]
