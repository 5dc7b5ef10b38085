from __future__ import annotations

import json
import random
from time import process_time

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from festinger.cli import cli

HEADER = "task,rater,answer,gold"
LINES = st.lists(
    st.tuples(
        st.sampled_from(["t", "u"]),
        st.sampled_from("abc"),
        st.sampled_from(["yes", "N", "1", "False", "abstain"]),
    ),
    max_size=8,
)


def run(text, *words, file="-"):
    """Return the command's answer to a table."""
    given = text.encode() if isinstance(text, str) else text
    return CliRunner().invoke(
        cli, ["validation", "aggregate", str(file), *words], input=given
    )


def read(*lines, header=HEADER):
    """Return the results for tasks and raters."""
    result = run("\n".join([header, *lines]) + "\n", "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    found = [json.loads(line) for line in result.stdout.splitlines()]
    tasks = {it["task"]: it for it in found if "task" in it}
    raters = {it["rater"]: it for it in found if "task" not in it}
    assert len(tasks) + len(raters) == len(found)
    return tasks, raters


def test_who_errs_together_is_told():
    """Two scripts among honest raters count as one, and the table says so."""
    source = random.Random(1)
    lines = []
    for at in range(80):
        true, script = source.random() < 0.5, source.random() < 0.5
        for name in "abcdef":
            says = true if source.random() < 0.85 else not true
            lines.append(f"t{at},{name},{'yes' if says else 'no'},")
        lines += [f"t{at},s{it},{'yes' if script else 'no'}," for it in (1, 2)]

    table = run("\n".join([HEADER, *lines]) + "\n").stdout
    tasks, _ = read(*lines)

    assert "errs together with s1: their answers count as one" in table
    assert {it["accounts"] for it in tasks["t0"]["votes"]} == {1, 2}


def test_each_task_and_each_rater_has_a_line():
    """Tasks first, with the votes that were used and what they weigh."""
    tasks, raters = read("t,ann,yes,", "t,bob,yes,", "u,ann,no,")

    assert tasks["t"] == {
        "task": "t",
        "decision": "confirmed",
        "rule": "two_distinct",
        "posterior": 0.9,
        "by_votes": 0.9,
        "gold": None,
        "votes_used": 2,
        "votes": [
            {"rater": "ann", "answer": "yes", "weight": 1.098612, "accounts": 1},
            {"rater": "bob", "answer": "yes", "weight": 1.098612, "accounts": 1},
        ],
    }
    assert tasks["u"]["decision"] == "ask_people"
    assert set(raters) == {"ann", "bob"}
    assert raters["ann"]["votes"] == 2
    assert raters["ann"]["known"] is False


def test_last_vote_of_a_rater_counts():
    """Once."""
    tasks, raters = read("t,ann,yes,", "t,bob,yes,", "t,ann,no,", "t,bob,y,")

    assert tasks["t"]["votes_used"] == 2
    assert [it["answer"] for it in tasks["t"]["votes"]] == ["no", "yes"]
    assert raters["ann"]["votes"] == 1


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        *((it, "yes") for it in ("yes", "y", "1", "true", "YES", " Yes ", "True")),
        *((it, "no") for it in ("no", "n", "0", "false", "N", "FALSE")),
    ],
)
def test_answers(said, answer):
    """In any of the usual ways."""
    tasks, _ = read(f"t,ann,{said},")

    assert tasks["t"]["votes"][0]["answer"] == answer


def test_columns_in_any_order():
    """And of any case; others are ignored, and so are empty lines and a byte order mark."""
    tasks, raters = read(
        '"x, y",yes,t,ann', "", ",no,t,bob", header="\ufeffNote,Answer,TASK, Rater "
    )

    assert [it["answer"] for it in tasks["t"]["votes"]] == ["yes", "no"]
    assert list(raters) == ["ann", "bob"]


@pytest.mark.parametrize("text", ["", "\n\n", "task,rater,answer\n"])
def test_no_votes(text):
    """Nothing is said of nothing."""
    assert run(text, "--json").stdout == ""
    assert run(text).stdout == "no votes\n"
    assert run(text).exit_code == 0


def test_all_abstain():
    """The task is there, and more people are asked."""
    tasks, raters = read("t,ann,abstain,", "t,bob,Abstain,")

    assert tasks["t"]["decision"] == "ask_people"
    assert tasks["t"]["votes"] == []
    assert raters["ann"]["votes"] == 0


def test_gold_alone():
    """A known truth needs no votes."""
    tasks, raters = read("t,,,yes", "u,,,0", "u,ann,no,")

    assert tasks["t"]["decision"] == "confirmed"
    assert tasks["t"]["posterior"] == 1.0
    assert (tasks["u"]["decision"], tasks["u"]["rule"]) == ("rejected", "gold")
    assert list(raters) == ["ann"]


def test_gold_tells_who_is_good():
    """Two who always say yes lose to one who is right, where that is known."""
    lines = []
    for at in range(40):
        true = at % 2 == 0
        gold = "" if at >= 30 else "yes" if true else "no"
        lines += [f"t{at},{it},yes,{gold}" for it in ("yes1", "yes2")]
        lines += [f"t{at},{it},{'yes' if true else 'no'}," for it in ("ann", "bob")]

    tasks, raters = read(*lines)

    assert raters["ann"]["good_at_no"] > 0.9 > 0.2 > raters["yes1"]["good_at_no"]
    assert [raters[it]["counts_as"] for it in ("yes1", "yes2")] == ["yes1", "yes2"]
    assert raters["yes1"]["low"]
    assert tasks["t31"]["decision"] == "rejected"
    assert tasks["t32"]["decision"] == "confirmed"
    assert [it["accounts"] for it in tasks["t32"]["votes"]] == [1] * 4


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("t,ann,yes\n", "line 1: there is no column task and no column rater"),
        ("task,rater\nt,ann\n", "line 1: there is no column answer"),
        ("task,rater,answer,Task\n", "line 1: there are two columns task"),
        (
            "task,rater,answer\nt,ann,yes\nt,bob,maybe\n",
            "line 3: the answer is 'maybe'",
        ),
        ("task,rater,answer\nt,ann,\n", "line 2: the answer is ''"),
        ("task,rater,answer\nt\n", "line 2: there is no rater"),
        ("task,rater,answer\nt,,yes\n", "line 2: there is no rater"),
        ("task,rater,answer\n\n,ann,yes\n", "line 3: there is no task"),
        ("task,rater,answer\nt,ann,yes,no\n", "line 2: it has 4 cells"),
        ('task,rater,answer\nt,"ann,yes\n', "line 2: this is no CSV"),
        (
            'task,rater,answer,note\nt,ann,yes,"two\nlines"\nt,bob,5,\n',
            "line 4: the answer is '5'",
        ),
        ("task,rater,answer,gold\nt,ann,yes,perhaps\n", "line 2: gold is 'perhaps'"),
        (
            "task,rater,answer,gold\nt,ann,yes,1\nt,bob,yes,\nt,cat,yes,no\n",
            "line 4: gold of 't' is 'no', and yes in line 2",
        ),
    ],
)
@pytest.mark.parametrize("words", [["--json"], []])
def test_bad_lines_are_named(text, wrong, words):
    """With their number and exit code 2, and nothing is printed of the others."""
    result = run(text, *words)

    assert (result.exit_code, result.stdout) == (2, "")
    assert wrong in result.stderr


def test_all_bad_lines_are_named():
    """The first twenty of them."""
    result = run("task,rater,answer\n" + "t,ann,what\n" * 25)

    assert "line 2: " in result.stderr
    assert "line 21: " in result.stderr
    assert "line 22: " not in result.stderr
    assert "and 5 more" in result.stderr


def test_what_is_no_text(tmp_path):
    """Is a sentence, and so is what is not there."""
    assert "not UTF-8" in run(b"task,rater,answer\n\xff").exception.message
    missing = run("", file=tmp_path / "none.csv")
    assert (missing.exit_code, missing.stdout) == (1, "")
    assert "cannot read" in missing.exception.message


def test_for_people():
    """Without --json: two tables; names cannot command a terminal."""
    result = run("task,rater,answer\nt,a\x1b[2J,yes\nt,bob,yes\n")

    tasks, raters = (part.splitlines() for part in result.stdout.split("\n\n"))
    assert tasks == [
        "task  decision   posterior  yes  no  by",
        "t     confirmed  0.900      2    0   two_distinct",
    ]
    assert raters[0] == "rater  good at yes  good at no  votes  judged"
    assert [line.split()[0] for line in raters[1:]] == ["a?[2J", "bob"]
    assert all(
        it.endswith("too few judged votes: weighs as anybody") for it in raters[1:]
    )


@given(LINES, st.randoms(use_true_random=False))
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
def test_order_of_lines_means_nothing(lines, source):
    """If each rater's last answer to a task is what it was, so is all that is printed."""
    last = {(task, rater): answer for task, rater, answer in lines}
    shuffled = [(*key, answer) for key, answer in last.items()]
    source.shuffle(shuffled)

    def text(of):
        return "\n".join([HEADER, *(",".join((*it, "")) for it in of)])

    assert run(text(lines), "--json").stdout == run(text(shuffled), "--json").stdout


@given(
    st.text('task,rate\nnswergold"\r\x00 1é', max_size=60),
    st.sampled_from(["", "task,rater,answer\n", "answer,GOLD,task,rater\r\n"]),
    st.sampled_from([[], ["--json"]]),
)
@settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow])
def test_any_text_is_a_table_or_a_sentence(text, header, words):
    """Never a traceback."""
    result = run(header + text, *words)

    assert result.exit_code in {0, 2}
    assert result.exit_code == 0 or "line " in result.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tasks", "answers", "raters"), [(4_000, 5, 500), (200, 100, 100)]
)
def test_twenty_thousand_votes_take_seconds(tasks, answers, raters):
    """Few of many raters on each task, or all of few."""
    source = random.Random(1)
    lines = ["task,rater,answer"]
    for at in range(tasks):
        true = source.random() < 0.5
        for rater in source.sample(range(raters), answers):
            said = (source.random() < 0.8) == true
            lines.append(f"t{at},r{rater},{'yes' if said else 'no'}")
    started = process_time()

    result = run("\n".join(lines), "--json")

    assert process_time() - started < 60
    assert len(result.stdout.splitlines()) == tasks + raters
