from __future__ import annotations

import csv
import json

import pytest
from click.testing import CliRunner

from festinger.cli import cli
from tests.apart import SHARED

BEGIN = SHARED / "data/begin_wow/begin_dev_wow.tsv"
AUC_MIN = 0.92

TEA = {"id": "a", "claim": "Loves green tea", "text": "I love green tea. It rains."}


def run(file, *words, **kwargs):
    """Return the command's answer."""
    return CliRunner().invoke(
        cli, ["language", "grounding", "--claims", str(file), *words], **kwargs
    )


def written(path, *lines):
    """Return a file of claims."""
    file = path / "claims.jsonl"
    text = "\n".join(it if isinstance(it, str) else json.dumps(it) for it in lines)
    file.write_text(text, encoding="utf-8")
    return file


def test_each_claim_has_its_line(tmp_path):
    """In their order, blank lines left out, without a server."""
    other = {"id": 7, "claim": "Has 3 cats", "text": "I have cats.", "more": "ignored"}

    result = run(written(tmp_path, TEA, "", other), "--json")

    assert result.exit_code == 0
    first, second = map(json.loads, result.stdout.splitlines())
    assert first == {
        "id": "a",
        "score": 1.0,
        "band": "grounded",
        "failed": [],
        "window": "I love green tea.",
    }
    assert (second["id"], second["failed"]) == (7, ["number"])
    assert second["band"] != "grounded"


def test_for_people(tmp_path):
    """Without --json: id, score, band."""
    assert run(written(tmp_path, TEA)).stdout == "a  1.00 grounded\n"


def test_standard_input():
    """A dash is what is piped."""
    result = run("-", "--json", input=json.dumps(TEA))

    assert json.loads(result.stdout)["band"] == "grounded"


def test_bands_are_those_of_the_configuration(tmp_path, monkeypatch):
    """Of a file, or of the environment: what the server would decide by."""
    claims = written(tmp_path, {**TEA, "claim": "Loves green tea daily"})
    settings = tmp_path / "festinger.yaml"
    settings.write_text("grounding: {grounded: 0.4, candidate: 0.3}\n")

    usual = run(claims).stdout.split()
    lax = run(claims, "--config", str(settings)).stdout.split()
    monkeypatch.setenv("FESTINGER_GROUNDING__CANDIDATE", "0.8")
    strict = run(claims).stdout.split()

    assert usual[1] == lax[1] == strict[1]
    assert [usual[2], lax[2], strict[2]] == ["candidate", "grounded", "rejected"]


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("{", "line 2: Invalid JSON"),
        ("[]", "line 2"),
        ('{"id": 1, "claim": "x"}', "line 2: text: Field required"),
        ('{"id": 1, "claim": 5, "text": "x"}', "line 2: claim"),
        ('{"id": null, "claim": "x", "text": "x"}', "line 2: id"),
    ],
)
def test_bad_line_is_named(tmp_path, line, wrong):
    """With its number and exit code 2, and nothing is printed of the others."""
    result = run(written(tmp_path, TEA, line), "--json")

    assert result.exit_code == 2
    assert wrong in result.stderr
    assert result.stdout == ""


def test_no_file(tmp_path):
    """An unreadable file is refused in a sentence."""
    result = run(tmp_path / "none.jsonl")

    assert result.exit_code == 1
    assert "cannot read" in result.exception.message


@pytest.mark.skipif(
    not BEGIN.exists(), reason=f"the labelled answers are not at {BEGIN}"
)
def test_people_agree(tmp_path):
    """On answers that people have judged, through the command."""
    with BEGIN.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    claims = [
        {"id": at, "claim": row["response"], "text": row["knowledge"]}
        for at, row in enumerate(rows)
    ]

    result = run(written(tmp_path, *claims), "--json")

    scores = {
        it["id"]: it["score"] for it in map(json.loads, result.stdout.splitlines())
    }
    good = [scores[at] for at, row in enumerate(rows) if said_yes(row)]
    bad = [scores[at] for at, row in enumerate(rows) if not said_yes(row)]
    wins = sum((one > other) + (one == other) / 2 for one in good for other in bad)
    assert wins / (len(good) * len(bad)) >= AUC_MIN


def said_yes(row):
    """Return whether people found that the text says it."""
    return row["begin_label"] == "Fully attributable"
