from __future__ import annotations

import json
from pathlib import Path

import pytest
from rich.console import Console

from benchmarks import __main__ as command
from benchmarks import (
    extraction,
    followers,
    growth,
    recollect,
    report,
    shim,
    sticky,
    worlds,
    writing,
)
from benchmarks.report import Part, Row, Samples

CONCEPTS = 5_000


@pytest.fixture
def console() -> Console:
    """
    A console that keeps what is printed.
    """
    return Console(record=True, width=140)


def ratios(parts: list[Part]) -> dict[str, float]:
    """
    The ratios that were measured, by the keys of their rows.
    """
    return {r.key: r.ratio for part in parts for r in part.rows if r.ratio is not None}


def test_names_are_distinct_tokens() -> None:
    """
    No two concepts of a world share a name, and each name is one token.
    """
    names = {worlds.name(index) for index in range(50_000)}

    assert len(names) == 50_000
    assert names.isdisjoint(worlds.everyday())


def test_world_has_the_concepts_that_were_asked_for() -> None:
    """
    A world is what a database of that size would have sent.
    """
    world = worlds.world_of(CONCEPTS)

    assert len(world.vocabulary) == CONCEPTS
    assert len(world.graph) > worlds.names_in(CONCEPTS) // worlds.PLACED_EVERY


def test_prompts_are_the_same_on_every_run() -> None:
    """
    What is measured today was measured yesterday.
    """
    texts = [worlds.Prompts(CONCEPTS).text(4096) for _ in range(2)]

    assert texts[0] == texts[1]
    assert 4000 < len(texts[0]) <= 4096


def test_samples_have_a_median_and_a_spread() -> None:
    """
    The figures of a row come from all of its samples.
    """
    samples = Samples([5.0, 1.0, 3.0, 2.0, 4.0])

    assert (samples.quantile(0.1), samples.p50, samples.quantile(0.9)) == (1, 3, 5)
    assert samples.ratio(Samples([1.5])) == 2


def test_numbers_are_flat_and_in_microseconds() -> None:
    """
    A duration has its spread and its ratio beside it, anything else its value.
    """
    rows = [
        report.timed("a", "A", Samples([2e-6]), ("b", Samples([1e-6]))),
        Row("bytes", "Bytes", 100.0, "B"),
    ]

    assert report.numbers([Part("", "", rows)]) == {
        "a.p50_us": 2,
        "a.p10_us": 2,
        "a.p90_us": 2,
        "a.ratio": 2,
        "bytes": 100,
    }


@pytest.mark.slow
def test_growth_runs(console: Console) -> None:
    """
    Every size is compared with the least one.
    """
    parts = growth.measure(concepts=(4_000, CONCEPTS), rounds=2, prompts=2)
    report.show(console, parts[0])

    assert f"growth.{CONCEPTS}.look_up" in ratios(parts)
    assert f"{CONCEPTS:,}  █" in console.export_text()


@pytest.mark.slow
def test_recollect_runs(console: Console) -> None:
    """
    Each prompt is compared with an empty handler, the stream with the call, and the
    stages with their sum.
    """
    parts = recollect.measure(worlds=(CONCEPTS,), rounds=2, prompts=2)
    for part in parts:
        report.show(console, part)

    measured = ratios(parts)
    assert {
        f"recollect.{size}.{CONCEPTS}" for size in ("1k", "32k", "32k_seen")
    } <= measured.keys()
    assert f"recollect.32k.{CONCEPTS}.stream" in measured
    assert "stream_vs_unary_p50" in report.numbers(parts)
    assert "stages.32k.cues" in measured


@pytest.mark.slow
def test_shim_runs() -> None:
    """
    The shim is compared with a bare proxy, whether there is something to tell or not.
    """
    measured = ratios(shim.measure(rounds=shim.CONCURRENT))

    assert {
        f"shim.{told}.{clients}.{part}"
        for told in ("told", "untold")
        for clients in (1, shim.CONCURRENT)
        for part in ("first", "whole")
    } == measured.keys()


@pytest.mark.slow
def test_sticky_spares_the_prefix_cache() -> None:
    """
    With `sticky` a model reads at most a tenth more than without blocks, and less than
    at the other positions.
    """
    measured = ratios(sticky.measure(turns=9))

    assert measured["sticky.sticky"] <= 1.1
    assert measured["sticky.sticky"] < measured["sticky.recent"]
    assert measured["sticky.recent"] < measured["sticky.system"]


@pytest.mark.slow
def test_followers_run() -> None:
    """
    A second server on a real Postgres tells each fact, sooner or later.
    """
    measured = report.numbers(followers.measure(facts=3))

    assert measured.keys() == {"follower_lag_p50_ms", "follower_lag_p99_ms"}
    assert 0 < measured["follower_lag_p50_ms"] <= measured["follower_lag_p99_ms"]


@pytest.mark.slow
def test_writing_runs() -> None:
    """
    Facts are written by ours and by the peer, in as many commits.
    """
    measured = report.numbers(writing.measure(rounds=1, facts=4))

    for callers in writing.CONCURRENCIES:
        assert measured[f"writing.{callers}.fact.ratio"] > 0
        assert measured[f"writing.{callers}.per_second"] > 0
    assert measured["writing.1.batch"] == 1


def test_missing_texts_are_skipped_loudly(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """
    Without the glossary there is a sentence instead of a figure.
    """
    monkeypatch.setattr(command, "LATEST", tmp_path / "latest.json")
    monkeypatch.setattr(extraction, "GLOSSARY", tmp_path / "none")
    command.main(["--quick", "extraction"])

    assert "SKIPPED" in capsys.readouterr().out
    assert json.loads((tmp_path / "latest.json").read_text())["machine.cores"] > 0


def test_unknown_names_are_refused() -> None:
    """
    A typo does not measure everything instead.
    """
    with pytest.raises(SystemExit):
        command.main(["recolect"])
