from __future__ import annotations

import json
import multiprocessing
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from statistics import mean

import pytest
from rich.console import Console

from benchmarks import __main__ as command
from benchmarks import (
    contradictions,
    core,
    documents,
    extraction,
    followers,
    full,
    growth,
    ingestion,
    lines,
    overload,
    peers,
    processes,
    rates,
    recollect,
    report,
    rules,
    shim,
    sticky,
    storage,
    sybils,
    texts,
    votes,
    worlds,
    writing,
)
from benchmarks.report import Part, Row, Samples
from festinger import _fast
from festinger.core.validation.decision import CandidateVerdict

CONCEPTS = 8_000
CLIENTS = 4
"""How many send at once where a measurement has a crowd."""
TINY: dict[str, Callable[..., list[Part]]] = {
    "core": partial(core.measure, concepts=CONCEPTS, rounds=1),
    "full": partial(full.measure, concepts=CONCEPTS, rounds=1, prompts=2),
    "growth": partial(growth.measure, concepts=(4_000, CONCEPTS), rounds=2, prompts=2),
    "recollect": partial(recollect.measure, worlds=(CONCEPTS,), rounds=2, prompts=2),
    "shim": partial(shim.measure, rounds=1, counts=(4, 8)),
    "lines": partial(lines.measure, sizes=(500,), told=(100, 200), rounds=1),
    "storage": partial(storage.measure, prompts=20),
    "overload": partial(overload.measure, seconds=0.2),
    "sticky": partial(sticky.measure, turns=9),
    "followers": partial(followers.measure, facts=3),
    "writing": partial(writing.measure, rounds=1, facts=4),
    "contradictions": partial(contradictions.measure, facts=300),
    "ingestion": partial(ingestion.measure, counts=(20,), real=0),
    "extraction": command.MODULES["extraction"],
    "rates": partial(rates.measure, concepts=CONCEPTS, prompts=2),
    "votes": partial(votes.measure, runs=1, tasks=300),
    "sybils": partial(sybils.measure, runs=1, tasks=120),
    "rules": partial(rules.measure, runs=1, tasks=200),
}
MODULE_OF = {
    "core_vs_flashtext2": "flashtext2",
    "core_vs_countvectorizer": "sklearn",
    "core_vs_ahocorasick": "ahocorasick",
    "core_vs_wordlevel": "tokenizers",
}


@pytest.fixture
def console() -> Console:
    """A console that keeps what is printed."""
    return Console(record=True, width=140)


@pytest.fixture(scope="module")
def latest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, float]]:
    """The results of a run of everything, on worlds as small as can be."""
    file = tmp_path_factory.mktemp("benchmarks") / "latest.json"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(command, "LATEST", file)
        patch.setattr(command, "MODULES", TINY)
        patch.setattr(command, "SLOW", frozenset())
        for name in ("CASES", "PACED_CASES"):
            cases = [
                replace(it, clients=min(it.clients, CLIENTS))
                for it in getattr(shim, name)
            ]
            patch.setattr(shim, name, cases)
        patch.setattr(core, "TURN", 2)
        # One of each kind: all of them are judged by tests of the votes.
        patch.setattr(sybils, "TUNED", sybils.TUNED[-1:])
        patch.setattr(sybils, "HELD_OUT", sybils.HELD_OUT[-1:])
        # Each server is a process all the same, which need not import everything anew.
        multiprocessing.set_forkserver_preload(["benchmarks.shim", "benchmarks.sticky"])
        patch.setattr(processes, "START", "forkserver")
        command.main(["--quick"])
        yield json.loads(file.read_text())


@pytest.mark.slow
@pytest.mark.parametrize("key", command.PROMISED)
def test_promised_figures_are_numbers(latest: dict[str, float], key: str) -> None:
    """Everything that is promised stands in the file after a quick run."""
    if key in MODULE_OF and find_spec(MODULE_OF[key]) is None:
        pytest.skip(f"{MODULE_OF[key]} of requirements/dev.lock is not installed")

    assert type(latest[key]) is float
    assert latest[key] > 0


@pytest.mark.slow
@pytest.mark.parametrize("section", command.MODULES)
def test_sections_run(latest: dict[str, float], section: str) -> None:
    """Each section leaves its mark, and that it was quick."""
    assert latest[f"run.{section}.quick"] == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "key",
    [
        "core.32k.p50_us",
        "core.real.re.p50_us",
        "full.all.p50_us",
        "full.real.cues.p50_us",
        "full_vs_lookup.many",
        f"growth.{CONCEPTS}.look_up.p50_us",
        f"growth.{CONCEPTS}.re.total_mib",
        f"recollect.1k.{CONCEPTS}.p50_us",
        f"recollect.32k_seen.{CONCEPTS}.p50_us",
        f"recollect.32k_many.{CONCEPTS}.stream.p50_us",
        "stages.32k.cues.p50_us",
        *(
            f"shim.{told}.8k.{clients}.{part}{peer}.p50_us"
            for told in ("told", "untold")
            for clients in (1, CLIENTS)
            for part in ("first", "whole")
            for peer in ("", ".bare", ".floor", ".direct")
        ),
        *(f"shim.told.8k.{CLIENTS}.rate{peer}" for peer in ("", ".bare")),
        *(
            f"shim.told.8k.{CLIENTS}.processor{peer}.p50_us"
            for peer in ("", ".bare", ".floor")
        ),
        *(f"shim.paced.told.8k.{n}.chunk.p50_us" for n in (1, CLIENTS)),
        *(f"shim.passed.{name}.p50_us" for name in shim.PASSED),
        "shim.sessions.8",
        *(f"writing.{callers}.fact.p50_us" for callers in writing.CONCURRENCIES),
        "rates.made_up.statements",
    ],
)
def test_medians_are_told_beside_the_ratios(latest: dict[str, float], key: str) -> None:
    """The measurements of a ratio can be read, and were made."""
    assert latest[key] > 0


@pytest.mark.slow
def test_no_contradiction_is_missed(latest: dict[str, float]) -> None:
    """
    Of what was planted every contradiction is found and nothing else is taken for one;
    after all are settled, memory and database are the same.
    """
    assert latest["contradictions.planted"] > 5
    for key in ("missed", "false", "other", "left"):
        assert latest[f"contradictions.{key}"] == 0, key


@pytest.mark.slow
def test_sticky_spares_the_prefix_cache(latest: dict[str, float]) -> None:
    """
    With `sticky` a model reads at most a tenth more than without blocks, and less than
    at the other positions.
    """
    assert latest["sticky.sticky"] <= 1.1 * latest["sticky.off"]
    assert latest["sticky.sticky"] < latest["sticky.recent"] < latest["sticky.system"]


@pytest.mark.parametrize("attack", votes.ATTACKS[:3], ids=lambda it: it.name)
def test_attackers_cost_little_of_the_truth(attack: votes.Attack) -> None:
    """
    Two of five votes are theirs: accuracy falls by less than 0.03, and by far more
    where each rater has one number.
    """
    fell = {way: list[float]() for way in ("one number", "ours")}
    for seed in (7, 8, 9):
        alone, attacked = (votes.trial(seed, it, 400) for it in (None, attack))
        for way, all_of_it in fell.items():
            of = votes.WAYS[way]
            all_of_it.append(
                votes.right(of(alone.cast), alone.truth)
                - votes.right(of(attacked.cast), attacked.truth)
            )

    assert mean(fell["ours"]) < 0.03
    assert mean(fell["one number"]) > 0.3


def ended(attack: votes.Attack | None, **how: bool) -> list[rules.Ending]:
    """Return the final states of new statements under all rules, in three seeded crowds."""
    trials = [votes.trial(seed, attack, 400) for seed in (7, 8, 9)]
    return rules.all_endings(trials, **how)


@pytest.mark.parametrize("attack", votes.ATTACKS[:2], ids=lambda it: it.name)
def test_attackers_cost_little_under_all_rules(attack: votes.Attack) -> None:
    """
    Two of five accounts always say yes, or read from one script: with authors, community
    and moderators accuracy falls by less than 0.03, and hardly more that is false is held.
    """
    alone, attacked = ended(None), ended(attack)

    assert rules.accuracy(alone) > 0.9
    assert rules.accuracy(attacked) > rules.accuracy(alone) - 0.03
    assert rules.success(attacked) < rules.success(alone) + 0.05


def test_reputations_are_what_keeps_attackers_out() -> None:
    """If everybody is new the same accounts cost more, and are asked less."""
    attack = votes.ATTACKS[0]
    new, known = ended(attack, known=False), ended(attack)

    assert rules.accuracy(new) < rules.accuracy(known) - 0.1
    assert rules.success(new) > 3 * rules.success(known)
    assert mean(it.votes for it in new) < mean(it.votes for it in known)


def test_liars_are_believed_or_flagged() -> None:
    """
    A person who wrote a falsehood and stands by it is denied by the community only as
    far as it is a belief: this is what the rules say, and what the figures must not
    hide.
    """
    lied = ended(votes.ATTACKS[0], liars=True)
    false = [it for it in lied if not it.true]
    beliefs = [it for it in false if it.verdict is CandidateVerdict.BELIEF]

    assert rules.success(lied) > 0.5
    assert len(beliefs) > 0.1 * len(false)


@pytest.mark.slow
def test_lag_of_a_follower_has_a_median_and_a_tail(latest: dict[str, float]) -> None:
    """A second server on a real Postgres tells each fact, sooner or later."""
    assert 0 < latest["follower_lag_p50_ms"] <= latest["follower_lag_p99_ms"]


@pytest.mark.slow
def test_one_caller_has_a_commit_for_each_fact(latest: dict[str, float]) -> None:
    """Ours and the peer write as many commits."""
    assert latest["writing.1.batch"] == 1


def test_names_are_distinct_tokens() -> None:
    """No two concepts of a world share a name, and each name is one token."""
    names = {worlds.name(index) for index in range(50_000)}

    assert len(names) == 50_000
    assert names.isdisjoint(worlds.everyday())


def test_world_has_the_concepts_that_were_asked_for() -> None:
    """A world is what a database of that size would have sent."""
    world = worlds.world_of(CONCEPTS)

    assert len(world.vocabulary) == CONCEPTS
    assert len(world.graph) > worlds.names_in(CONCEPTS) // worlds.PLACED_EVERY


def test_prompts_are_the_same_on_every_run() -> None:
    """A figure of today was one of yesterday."""
    texts = [worlds.Prompts(CONCEPTS).text(4096) for _ in range(2)]

    assert texts[0] == texts[1]
    assert 4000 < len(texts[0]) <= 4096


def test_samples_have_a_median_and_a_spread() -> None:
    """The figures of a row come from all of its samples."""
    samples = Samples([5.0, 1.0, 3.0, 2.0, 4.0])

    assert (samples.quantile(0.1), samples.p50, samples.quantile(0.9)) == (1, 3, 5)
    assert samples.ratio(Samples([1.5])) == 2


def test_numbers_are_flat_and_in_microseconds() -> None:
    """Of a duration it is the median, of anything else the value."""
    rows = [
        report.timed("a", "A", Samples([2e-6]), ("b", Samples([1e-6]))),
        Row("bytes", "Bytes", 100.0, "B"),
    ]

    assert report.numbers([Part("", "", rows)]) == {"a.p50_us": 2, "bytes": 100}


def test_prompts_state_as_much_as_real_texts() -> None:
    """
    Made-up prose has a statement or two in 32 KB, names that nobody met, and words
    behind which a statement might have been.
    """
    found = report.numbers(rates.measure(concepts=30_000, prompts=16))

    assert 1 < found["rates.made_up.statements"] < 4
    assert 0.5 < found["rates.made_up.held"] < 2
    assert 9 < found["rates.made_up.may_match"] < 15
    assert 70 < found["rates.made_up.cues"] < 110
    assert found["rates.made_up.names"] > found["rates.made_up.considered"] + 50


def test_real_texts_are_here() -> None:
    """The installed packages and Python's library hold enough for a full run."""
    found = texts.pieces(32 * 1024, 32)

    assert [len(text) for text in found] == [32 * 1024] * 32
    assert len(set(found)) == 32


def test_real_words_are_known_as_a_reader_would() -> None:
    """Names that stand in enough texts are considered, the others stay new."""
    read = ["the gnommoweb and the service"] * texts.ENOUGH + ["the quuxly service"]
    world = rates.read_by(read)

    reading = world.vocabulary.read(
        _fast.scan("gnommoweb quuxly service"), now=1, threshold=0.5, count=False
    )

    assert [world.vocabulary.token(each) for each in reading.salient] == ["gnommoweb"]
    assert reading.unknown_tokens == ["quuxly"]


def test_renewed_prompts_bring_other_new_names() -> None:
    """Two readings of one text share what is known and nothing that is new."""
    text = worlds.Prompts(CONCEPTS).text(8192)
    world = worlds.world_of(CONCEPTS)

    first, second = (
        world.vocabulary.read(
            _fast.scan(worlds.renewed(text, number)), now=1, threshold=0.5, count=False
        )
        for number in (1, 2)
    )

    assert first.salient == second.salient
    assert len(first.unknown_tokens) > 10
    assert set(first.unknown_tokens).isdisjoint(second.unknown_tokens)


@pytest.mark.parametrize("name", ["re"])
def test_peers_are_weighed(name: str) -> None:
    """Ten times as many words weigh more, and a word weighs more than its letters."""
    less, more = (peers.weigh(name, worlds.tokens_of, n) for n in (10**4, 10**5))

    assert less < more
    assert 8 < more / 10**5 < 1_000


@pytest.mark.slow
def test_growth_is_drawn(tmp_path: Path, console: Console) -> None:
    """A PNG of some size comes of it, and a bar for each size."""
    pytest.importorskip("matplotlib", reason="dev.lock is not installed")
    picture = tmp_path / "growth.png"
    parts = TINY["growth"](True, picture=picture)
    report.show(console, parts[0])

    assert picture.read_bytes().startswith(b"\x89PNG")
    assert picture.stat().st_size > 10_000
    assert f"{CONCEPTS:,}  █" in console.export_text()


def test_quick_runs_draw_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The committed picture is of a full run."""
    monkeypatch.setattr(growth, "PICTURE", Path("/nowhere/growth.png"))
    parts = growth.measure(True, concepts=(4_000, 5_000), rounds=1, prompts=1)

    assert "growth.png" not in parts[0].note


def test_partial_runs_keep_the_other_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run of one section replaces what it measured and loses nothing."""
    file = tmp_path / "latest.json"
    file.write_text('{"full_vs_lookup": 1.5, "extraction.seen.recall": 9.0}')
    monkeypatch.setattr(command, "LATEST", file)
    monkeypatch.setattr(command, "MODULES", {"extraction": _found})
    command.main(["extraction"])
    flat = json.loads(file.read_text())

    assert flat["full_vs_lookup"] == 1.5
    assert flat["extraction.seen.recall"] == 0.5
    assert flat["run.extraction.quick"] == 0


def test_full_runs_start_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of an older run stays among the figures of a whole one."""
    file = tmp_path / "latest.json"
    file.write_text('{"old": 1.0}')
    monkeypatch.setattr(command, "LATEST", file)
    monkeypatch.setattr(command, "MODULES", {"extraction": _found})
    command.main([])

    assert "old" not in json.loads(file.read_text())


def test_stopped_runs_keep_what_they_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full run stopped in the middle has its beginning, and the rest of before."""

    def stopped(quick: bool) -> list[Part]:
        raise KeyboardInterrupt

    file = tmp_path / "latest.json"
    file.write_text('{"full_vs_lookup": 1.5}')
    monkeypatch.setattr(command, "LATEST", file)
    sections = {"extraction": _found, "full": stopped}
    monkeypatch.setattr(command, "MODULES", sections)
    with pytest.raises(KeyboardInterrupt):
        command.main([])
    flat = json.loads(file.read_text())

    assert flat["extraction.seen.recall"] == 0.5
    assert flat["full_vs_lookup"] == 1.5


def _found(quick: bool) -> list[Part]:
    return [Part("Found", "", [Row("extraction.seen.recall", "Recall", 0.5, "")])]


def test_what_is_missing_is_told(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A run that leaves promised figures open names them."""
    monkeypatch.setattr(command, "LATEST", tmp_path / "latest.json")
    monkeypatch.setattr(command, "MODULES", {"extraction": _found})
    command.main(["extraction"])

    assert "NOT MEASURED YET: core_vs_re_32k" in capsys.readouterr().out


def test_missing_texts_are_skipped_loudly(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Without the glossary there is a sentence instead of a figure."""
    monkeypatch.setattr(command, "LATEST", tmp_path / "latest.json")
    monkeypatch.setattr(extraction, "GLOSSARY", tmp_path / "none")
    command.main(["--quick", "extraction"])

    assert "SKIPPED" in capsys.readouterr().out
    assert json.loads((tmp_path / "latest.json").read_text())["machine.cores"] > 0


def test_unknown_names_are_refused() -> None:
    """A typo does not measure everything instead."""
    with pytest.raises(SystemExit):
        command.main(["recolect"])


def test_documents_are_measured(tmp_path, capsys):
    """Candidates are drawn to be judged once, and what was judged wrong is not promoted."""
    folder, labels = tmp_path / "shop", tmp_path / "labels.json"
    folder.mkdir()
    (folder / "rules.md").write_text(
        "# Rules\n\nThe billing service must answer within two seconds.\n\n"
        "The courier desk must never share the vault key.\n"
    )
    documents.main([str(folder), str(labels), "--sample", "9"])
    judged = json.loads(labels.read_text())["judged"]
    prompts = [
        {"prompt": "how fast must our billing service be?", "tells": "two seconds"},
        {"prompt": "may the courier desk share its vault key?", "tells": "vault key"},
    ]
    marks = dict.fromkeys(judged, "useful")
    marks["The courier desk must never share the vault key"] = "wrong"
    labels.write_text(
        json.dumps({"project": "shop", "judged": marks, "prompts": prompts})
    )
    capsys.readouterr()

    documents.main([str(folder), str(labels), "--sample", "9"])

    assert set(judged.values()) == {""}
    assert len(judged) == 2
    printed = capsys.readouterr().out
    figures = [line.split()[-2] for line in printed.splitlines() if "│" in line]
    # How many lines else a prompt is told is no matter of this.
    assert [*figures[:6], figures[7]] == ["2", "2", "0.5", "0", "0.5", "0.5", "0"]
