from __future__ import annotations

import json
from typing import Any

import pytest

from benchmarks import comparison, plain, relevance
from benchmarks.fitting import as_json
from benchmarks.general import KEPT_OUT, play_general, prompts_in
from benchmarks.joined import joined
from benchmarks.playing import play
from benchmarks.ranking import Cases, RankedCases
from benchmarks.reading import SimulatedModel
from benchmarks.talks import LabelledTalk
from benchmarks.variants import variants
from festinger.core.recollection.features import (
    GATE,
    LINE,
    STATEMENT,
    STATEMENT_SUCCESSOR,
    SUCCESSOR,
)
from festinger.core.recollection.weighing import RelevanceWeights, shipped

SAYING = "The stock file of the Kassel depot arrives at 05:40."
CHANGING = "Kassel moved: the stock file arrives at 06:10 now."


def turn(number, text, role="user"):
    """Return a turn as it stands in a file."""
    return {
        "id": f"t{number}",
        "time": f"2031-03-0{number}T09:00:00",
        "session": f"s{number}",
        "speaker": "Ada",
        "project": "shop",
        "role": role,
        "text": text,
    }


def fact(number, quote, value):
    """Return a label of what a turn says."""
    return {
        "id": f"f{number}",
        "turn": f"t{number}",
        "quote": quote,
        "subject": "stock file",
        "predicate": "arrives",
        "value": value,
        "kind": "fact",
        "single": True,
    }


@pytest.fixture
def file(tmp_path):
    """A conversation of three turns with one question and one quiet prompt."""
    asked = {"after": "t3", "speaker": "Ben", "project": "shop"}
    talk = {
        "name": "stock",
        "speakers": {"Ada": "engineer", "Ben": "engineer"},
        "projects": ["shop"],
        "turns": [
            turn(1, SAYING),
            turn(2, CHANGING),
            turn(3, "Gloves are sold in pairs."),
        ],
        "facts": [fact(1, SAYING, "05:40"), fact(2, CHANGING, "06:10")],
        "changes": [
            {"turn": "t2", "quote": CHANGING, "old": "f1", "new": "f2", "how": "moved"}
        ],
        "conflicts": [],
        "decoys": [],
        "questions": [
            {
                **asked,
                "id": "q1",
                "prompt": "When does the stock file arrive?",
                "needs": ["f2"],
                "stale": ["f1"],
                "direct": True,
            }
        ],
        "quiet": [{**asked, "prompt": "Explain what a regex is."}],
    }
    path = tmp_path / "stock.json"
    path.write_text(json.dumps(talk), encoding="utf-8")
    return path


def test_stale_fact_counts_unless_its_successor_is_told_with_it(file):
    """The old value alone is stale; on a line with the new one it is history."""
    talk = LabelledTalk.read(file)
    (moment, _) = play(talk)
    alone = talk.count(moment.asked, [f"ada: {SAYING}"])
    both = talk.count(moment.asked, [f"ada: {SAYING} — later ada: {CHANGING}"])
    assert (alone["needs_told"], alone["stale_told"]) == (0, 1)
    assert (both["needs_told"], both["stale_told"]) == (1, 0)


@pytest.mark.parametrize(("model", "found"), [("none", 0), ("oracle", 1)])
def test_contradiction_counts_as_found_by_who_ended_the_older_statement(
    file, model, found
):
    """Without anybody who reads, both stand."""
    talk = LabelledTalk.read(file)
    count = relevance.measure(talk, shipped(), [], SimulatedModel(model))
    assert (count["contradictions"], count["contradictions_found"]) == (1, found)


async def test_processor_time_of_a_memory_is_counted_by_prompt(file):
    """Of questions and quiet prompts alike."""
    talk = LabelledTalk.read(file)
    spent = []
    for rounds in (0, 3_000_000):

        class BusyMemory(plain.Sentences):
            async def ask(self, prompt):
                return [str(sum(range(rounds)))]  # noqa: B023

        count = await plain.compare(BusyMemory(), talk)
        assert count["prompts"] == 2
        spent.append(count["microseconds"])

    assert spent[0] < spent[1]


def test_quiet_prompt_counts_as_disturbed_by_any_line(file):
    """A quiet prompt needs nothing."""
    talk = LabelledTalk.read(file)
    (_, quiet) = play(talk)
    assert talk.count(quiet.asked, ["x"])["disturbed"] == 1
    assert talk.count(quiet.asked, [])["disturbed"] == 0


def test_prompts_in_need_nothing_and_stand_where_others_do(file):
    """They are asked instead of each question and each quiet prompt."""
    talk = LabelledTalk.read(file)

    moments = list(play_general(talk))

    assert len(moments) == len(talk.prompts)
    assert all("needs" not in it.asked for it in moments)
    assert {it.asked["prompt"] for it in moments} <= {*prompts_in()}


def test_prompts_that_are_kept_out_are_not_fitted_to():
    """Otherwise their figure would not show what other prompts are told."""
    assert not {*prompts_in()} & {*prompts_in(KEPT_OUT)}


def test_variants_ask_short_prompts_of_young_memories(file):
    """
    Each prompt is asked again behind few turns, and once with one of its sentences
    outside of any project; what it needs and what changed that are among the turns.
    """
    talk = LabelledTalk.read(file)
    found = [it.data for it in variants(talk)]

    assert [len(it["questions"]) + len(it["quiet"]) for it in found] == [1] * 4
    assert all(it["facts"] == talk.data["facts"] for it in found[:2])
    assert [it["questions"][0]["project"] for it in found[:2]] == ["shop", None]
    assert found == [it.data for it in variants(talk)]


def test_joined_conversations_share_one_memory(file):
    """Their sessions alternate, outside of any project, and each prompt needs what it needed."""
    talk = LabelledTalk.read(file)
    both = joined([talk, talk])
    moments = list(play(both))

    assert len(moments) == 2 * len(list(play(talk)))
    assert len(moments[-1].index) == 2 * len(list(play(talk))[-1].index)
    assert {turn["project"] for turn in both.data["turns"]} == {None}
    assert both.data["turns"] == sorted(both.data["turns"], key=lambda it: it["time"])
    for asked in both.data["questions"]:
        needed = [both.facts[it] for it in asked["needs"]]
        assert {it.turn[0] for it in needed} == {asked["after"][0]}


def test_conversation_is_measured(file, capsys):
    """The command prints its measures."""
    relevance.main([str(file)])
    printed = capsys.readouterr().out
    assert "needed facts told" in printed
    assert "1 questions, 1 quiet prompts" in printed


def test_perfect_reader_hears_the_change(file):
    """A fact labelled as changed is held in its new form only, and told so."""
    talk = LabelledTalk.read(file)
    (moment, _) = play(talk, SimulatedModel.ORACLE)

    read: Any = moment.index.read
    assert [it.text for it in read.recent()] == ["stock file: [arrives] 06:10"]
    told = [it.text for it in moment.recall(shipped()).lines]
    assert talk.count(moment.asked, told)["needs_told"] == 1
    assert talk.count(moment.asked, told)["stale_told"] == 0


def test_noisy_reader_finds_no_more_than_a_perfect_one(file):
    """It leaves things out, and has values wrong, but reads no turn twice."""
    talk = LabelledTalk.read(file)
    (moment, _) = play(talk, SimulatedModel.NOISY)

    read: Any = moment.index.read
    assert len(read) <= 2
    quotes = {SAYING, CHANGING}
    assert all(it.origin.quote in quotes for it in read.recent())


def test_no_reader_reads_nothing(file):
    """Without a model there are no statements."""
    (moment, _) = play(LabelledTalk.read(file))

    assert moment.index.read is None


@pytest.mark.parametrize("model", ["oracle", "noisy"])
def test_conversation_is_measured_with_a_reader(file, capsys, model):
    """The command simulates one."""
    relevance.main(["--model", model, str(file)])
    assert "1 questions, 1 quiet prompts" in capsys.readouterr().out


def test_missing_conversations_are_an_error(tmp_path, capsys):
    """Nobody takes a measurement that did not happen for one."""
    with pytest.raises(SystemExit):
        relevance.main([str(tmp_path / "none.json")])
    assert "no such file" in capsys.readouterr().err


def test_weights_help_in_conversations_of_the_project():
    """
    Two in five needed facts are told without a reader; one quiet prompt in five at most
    is disturbed, and one in four of those that any model answers.
    """
    told = relevance.total(
        relevance.measure(
            LabelledTalk.read(relevance.CONVERSATIONS / f"{name}.json"), shipped(), []
        )
        for name in ("architects", "choir")
    )
    assert told["needs_told"] >= 0.4 * told["needs"]
    assert told["disturbed"] <= 0.2 * told["quiet"]
    assert told["general_disturbed"] <= 0.25 * told["general"]


def test_first_evening_is_of_use():
    """
    Two in five needed facts are told without a reader where people type short questions
    into a memory of a dozen sentences, and one quiet prompt in five at most is disturbed.
    """
    told = relevance.total(
        relevance.measure(
            LabelledTalk.read(relevance.CONVERSATIONS / f"{name}.json"), shipped(), []
        )
        for name in ("frontend-agent", "road-trip", "small-shop", "wedding-helper")
    )
    assert told["needs_told"] >= 0.4 * told["needs"]
    assert told["disturbed"] <= 0.2 * told["quiet"]


def test_other_memories_are_measured_alike(file, tmp_path, capsys):
    """All hear the same conversation; what is not installed is left out, loudly."""
    picture = tmp_path / "told.png"
    comparison.main(["--plot", str(picture), str(file)])

    printed = capsys.readouterr()
    for name in (
        "BM25 over sentences",
        "All that was said",
        "Festinger, perfect reader",
    ):
        assert name in " ".join(printed.out.split())
    assert "SKIPPED: the vector store, the reference server" in printed.err
    assert picture.read_bytes().startswith(b"\x89PNG")


async def test_whole_history_has_all_that_was_said(file):
    """Told everything, a model reads what it needs, and what no longer holds."""
    count = await plain.compare(plain.Sentences(), LabelledTalk.read(file))
    assert (count["needs_told"], count["stale_told"]) == (1, 1)
    assert (count["quiet"], count["disturbed"]) == (1, 1)


def test_fit_finds_what_tells_cases_apart():
    """A feature that decides gets a weight, one that is always the same gets none."""
    cases = Cases()
    for at in range(40):
        cases.add((float(at % 2), 1.0), at % 2 == 1)
    fitted = cases.fit(1.0)
    assert fitted.probability((1.0, 1.0)) > 0.8
    assert fitted.probability((0.0, 1.0)) < 0.2
    assert fitted.weights[1] == 0


def test_fit_ranks_the_lines_of_each_prompt():
    """
    A feature that tells a line from the others of its prompt gets a weight, though in other
    prompts lines with less of it help; what all lines of a prompt share gets none.
    """
    cases = RankedCases()
    for at in range(40):
        level, size = float(at), 3.0
        rows = [_values(level + 1, size), _values(level, size), _values(level, size)]
        cases.add(zip(rows, (True, False, False), strict=True))
    fitted = cases.fit(1.0)

    assert fitted.weights[0] > 0
    assert not any(fitted.weights[1:])


def test_more_lines_of_a_small_memory_help():
    """The probability depends on the memory's size, the rank does not."""
    cases = RankedCases()
    for at in range(40):
        size = 2.0 + at % 2 * 3
        rows = [_values(1.0, size), _values(0.0, size)]
        cases.add(zip(rows, (True, size < 3 and at % 4 == 0), strict=True))
    fitted = cases.fit(1.0)

    small, large = (fitted.probability(_values(0.0, it)) for it in (2.0, 5.0))
    assert small > 2 * large


def _values(covered: float, size: float) -> tuple[float, ...]:
    """Return the features of a line, of which all others are zero."""
    values = dict.fromkeys(LINE, 0.0) | {"own": covered, "size": size}
    return tuple(values.values())


def test_weights_that_are_written_are_read_again():
    """A file holds all that is fitted, each weight under its feature's name."""
    data = as_json(shipped(), "a test")
    assert RelevanceWeights.from_json(data) == shipped()
    for name, features in (
        ("line", LINE),
        ("statement", STATEMENT),
        ("gate", GATE),
        ("successor", SUCCESSOR),
        ("statement_successor", STATEMENT_SUCCESSOR),
    ):
        assert tuple(data[name]["weights"]) == features
