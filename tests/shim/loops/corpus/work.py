"""Conversations that look like loops and are work. None of their requests may be met."""

from __future__ import annotations

from tests.shim.loops.talks import Do, Say, Script, User

TASK = User("Make the tests of the parser pass, please.")
LONG = "The quick brown fox jumps over the lazy dog and runs into the dark forest. "


def edit_and_run() -> Script:
    """Return the same test run after each edit, with fewer failures each time."""
    script: Script = [TASK]
    for failures in range(6, -1, -1):
        edit = {"path": "parser.py", "new": f"depth = {failures}"}
        script.append(Do("edit_file", edit, "The file was edited."))
        script.append(Do("shell", {"code": "pytest -q"}, f"{failures} failed in 0.31s"))
    return script


def edit_and_run_with_the_same_failure() -> Script:
    """Edit that differ, and a test that goes on failing."""
    script: Script = [TASK]
    for number, name in enumerate(["lexer", "parser", "tokens", "grammar", "tree"]):
        edit = {"path": f"{name}.py", "new": f"{name} = Limit({number})"}
        script.append(Do("edit_file", edit, "ok"))
        script.append(Do("shell", {"code": "pytest -q"}, "Error: 1 failed"))
    return script


def rerun_of_a_flaky_test() -> Script:
    """Return the same command twice, since the first time may have been bad luck."""
    run = {"code": "pytest -q tests/test_flaky.py"}
    return [
        TASK,
        Do("shell", run, "Error: timed out"),
        Do("shell", run, "Error: timed out"),
        Do("read_file", {"path": "tests/test_flaky.py"}, "import time"),
        Do("shell", run, "Error: timed out"),
        Do("shell", run, "3 passed"),
    ]


def polling_with_changing_results() -> Script:
    """Return a build that is watched while it gets on."""
    return [TASK] + [
        Do("build_status", {"id": 7}, f"running, {percent} %")
        for percent in range(0, 100, 9)
    ]


def polling_by_age() -> Script:
    """Only the age changes in what is watched: that is a change."""
    return [TASK] + [
        Do("shell", {"code": "kubectl get pods"}, f"web-1 ContainerCreating 0 {age}s")
        for age in range(3, 90, 11)
    ]


def polling_by_an_exempted_tool() -> Script:
    """Return a tool that is made to be called again, and says the same each time."""
    return [TASK] + [Do("wait", {"seconds": 5}, "nothing new")] * 12


def polling_of_agent_zero() -> Script:
    """Agent Zero asks for more output of a command that is still running."""
    output = {"runtime": "output", "session": 0}
    return [TASK] + [Do("code_execution_tool", output, "no output yet")] * 12


def polling_with_sleep() -> Script:
    """Return a command that waits before it looks."""
    run = {"code": "sleep 30 && curl -s localhost:8080/health"}
    return [TASK] + [Do("shell", run, "Error: connection refused")] * 8


def waiting_in_between() -> Script:
    """Return a look, a wait, a look, a wait."""
    script: Script = [TASK]
    for _ in range(8):
        script.append(Do("queue_length", {}, "0"))
        script.append(Do("wait", {"seconds": 60}, "done"))
    return script


def pagination() -> Script:
    """Return one page after another, in long calls that differ by a number."""
    script: Script = [User("List all the customers.")]
    for page in range(1, 12):
        call = {
            "query": "select id name street town country phone mail from customers",
            "order": "name",
            "limit": 50,
            "page": page,
        }
        script.append(Do("sql", call, f"{50 * page} rows so far"))
    return script


def pagination_by_the_same_call() -> Script:
    """`next_page` has no arguments; its pages differ."""
    return [TASK] + [
        Do("next_page", {}, f"customers {n} to {n + 9}") for n in range(0, 100, 10)
    ]


def similar_edits() -> Script:
    """The same long replacement in one file after another, with the same result."""
    names = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"]
    return [TASK] + [
        Do("replace", {"path": f"src/{n}.py", "old": LONG, "new": LONG * 2}, "ok")
        for n in names
    ]


def similar_tries() -> Script:
    """Return a long script, better each time, whose error changes."""
    problems = ["name x", "index 3", "key 'a'", "type str", "value 7"]
    return [TASK] + [
        Do("python", {"code": LONG + f"x = {n}"}, f"Traceback: no such {problem}")
        for n, problem in enumerate(problems)
    ]


def status_between_steps() -> Script:
    """`git status` again and again, always clean, with work in between."""
    script: Script = [TASK]
    for name in ["one", "two", "three", "four", "five", "six"]:
        script.append(Do("shell", {"code": "git status"}, "nothing to commit"))
        script.append(Do("read_file", {"path": f"{name}.py"}, f"def {name}(): ..."))
    return script


def continued_story() -> Script:
    """Return a person says "continue" and gets the next part."""
    script: Script = [User("Tell me a long story.")]
    heroes = ["dragon", "miller", "ferryman", "queen", "hermit", "thief", "weaver"]
    places = ["tower", "mill", "river", "court", "cave", "market", "loom"]
    for hero, place in zip(heroes, places, strict=True):
        part = (
            f"Then the {hero} left the {place} at dawn, and nobody in the village of "
            f"the {place} saw the {hero} before the first snow fell on the hills."
        )
        script += [Say(part), User("continue")]
    return script


def numbered_report() -> Script:
    """Return a framework nudges, and each report tells of the next item."""
    script: Script = [User("Check all the items.")]
    for number in range(1, 9):
        report = (
            f"I have checked item number {number} of the list, and everything about "
            "it is as it should be, so I am going on with the one that comes next."
        )
        script += [Say(report), User("Go on.")]
    return script


def question_asked_twice() -> Script:
    """Return a user who asks the same thing twice gets the same answer twice."""
    answer = Say("The deployment takes place every Tuesday at nine in the morning.")
    return [
        User("When is the deployment?"),
        answer,
        User("When is the deployment?"),
        answer,
        User("And the one after that?"),
        Say("A week later, again on a Tuesday and again at nine in the morning."),
    ]


def same_answer_to_other_questions() -> Script:
    """A model that cannot help says so, in the same words, each time it is asked."""
    script: Script = []
    for what in ["weather", "news", "traffic", "prices", "dates", "scores"]:
        script.append(User(f"What are today's {what}?"))
        script.append(Say("I am sorry, but I have no access to anything of today."))
    return script


def ping() -> Script:
    """Return a person who tests the line: short answers may be alike."""
    return [User("ping"), Say("pong")] * 9 + [User("ping")]


def yes_and_no() -> Script:
    """Return a quiz with short answers, moved on by the same word."""
    return [User("next"), Say("Yes.")] * 8 + [User("next")]


def user_who_comes_back() -> Script:
    """Return the same call with the same result, each time because a user asked."""
    script: Script = []
    for who in ["me", "my boss", "the auditor", "my boss again"]:
        script.append(User(f"Is the site up? It is for {who}."))
        script.append(Do("check_site", {"url": "https://site"}, "200 OK"))
        script.append(Say("Yes, the site is up, and it answers as fast as ever."))
    return script


def interrupted_run() -> Script:
    """Return two identical calls, a word of the user's, and two more."""
    look = Do("shell", {"code": "cat log"}, "empty")
    return [TASK, look, look, User("Try again now."), look, look]


def many_at_once() -> Script:
    """Several identical calls in one turn are one."""
    return [
        TASK,
        Do("shell", {"code": "make"}, "ok", times=5),
        Do("shell", {"code": "make"}, "ok", times=5),
    ]


def alternating_reads() -> Script:
    """Return two files that are compared to and fro, and change."""
    script: Script = [TASK]
    for n in range(5):
        script.append(Do("read_file", {"path": "a.txt"}, f"version {n} of a"))
        script.append(Do("read_file", {"path": "b.txt"}, f"version {n} of b"))
    return script


def two_rounds() -> Script:
    """Return a round of four steps, twice: before the work and after it."""
    names = ["build", "lint", "test", "docs"]
    steps = [Do("shell", {"code": f"make {name}"}, "ok") for name in names]
    return [TASK, *steps, *steps, Say("All of it works, and it did so twice.")]


def test_driven() -> Script:
    """Red, code, green, again and again, with the same words for different tests."""
    script: Script = [TASK]
    for name in ["empty", "one", "many", "nested", "broken"]:
        test = {"path": "test_parser.py", "append": f"def test_{name}(): ..."}
        code = {"path": "parser.py", "append": f"if {name}: return"}
        script.append(Do("edit_file", test, "ok"))
        script.append(Do("shell", {"code": "pytest"}, f"FAILED test_{name}"))
        script.append(Do("edit_file", code, "ok"))
        script.append(Do("shell", {"code": "pytest"}, "passed"))
    return script


def translations() -> Script:
    """Return one paragraph after another is translated, each by a call of its own."""
    lines = ["Guten Tag", "Guten Abend", "Gute Nacht", "Bis bald", "Auf Wiedersehen"]
    return [User("Translate the file.")] + [
        Do("translate", {"text": line, "to": "en", "style": "formal"}, "stored")
        for line in lines
    ]


def long_list() -> Script:
    """Rows that are added one by one, all with the same receipt."""
    return [User("Enter the seven guests.")] + [
        Do("add_row", {"table": "guests", "name": name}, "1 row added")
        for name in ["Ann", "Ben", "Cy", "Di", "Ed", "Fay", "Gus"]
    ]


def whitespace_matters() -> Script:
    """Python that differs by its indentation only."""
    return [TASK] + [
        Do("write", {"code": f"if x:\n{' ' * n}return"}, "Error: bad indentation")
        for n in range(5)
    ]


def long_task() -> Script:
    """Ninety-nine different turns without a word of the user's."""
    return [TASK] + [
        Do("read_file", {"path": f"src/{n}.py"}, f"content {n}") for n in range(99)
    ]


def chat_of_years() -> Script:
    """More than a hundred turns with the same word of the user's in between."""
    script: Script = []
    for n in range(110):
        script += [User("continue"), Say(f"Chapter {n}. " + LONG)]
    return [*script, User("continue")]


def key_presses() -> Script:
    """Return a terminal that is driven key by key."""
    return [User("Scroll down.")] + [Do("press_key", {"key": "Down"}, "ok")] * 9


WORK = [
    alternating_reads,
    chat_of_years,
    continued_story,
    edit_and_run,
    edit_and_run_with_the_same_failure,
    interrupted_run,
    key_presses,
    long_list,
    long_task,
    many_at_once,
    numbered_report,
    pagination,
    pagination_by_the_same_call,
    ping,
    polling_by_age,
    polling_by_an_exempted_tool,
    polling_of_agent_zero,
    polling_with_changing_results,
    polling_with_sleep,
    question_asked_twice,
    rerun_of_a_flaky_test,
    same_answer_to_other_questions,
    similar_edits,
    similar_tries,
    status_between_steps,
    test_driven,
    translations,
    two_rounds,
    user_who_comes_back,
    waiting_in_between,
    whitespace_matters,
    yes_and_no,
]
