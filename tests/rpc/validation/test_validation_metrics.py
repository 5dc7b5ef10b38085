"""Validation as Prometheus sees it, and the rules that are shipped for it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from prometheus_client import generate_latest

from festinger.metrics.server import registry_of
from tests.ballots import Ballots
from tests.exposition import complaints, families, value

RULES = Path(__file__).parents[3] / "docs" / "prometheus-rules.yaml"
DURATION = re.compile(r"(\d+(ms|[smhdwy]))+")
NAME = re.compile(r"\bfestinger_\w+")
PREFIX = "festinger_validation_"


@pytest.fixture
def scraped(memories, clock):
    """The metrics that Prometheus would get now."""
    registry = registry_of(memories, clock, lambda: 0.0)
    return lambda: generate_latest(registry).decode()


@pytest.fixture(scope="module")
def rules():
    """The rules, group after group."""
    groups = yaml.safe_load(RULES.read_text(encoding="utf-8"))["groups"]
    assert len({it["name"] for it in groups}) == len(groups)
    return [rule for group in groups for rule in group["rules"]]


async def test_numbers_are_those_of_the_last_look(retrainer, ballots, scraped):
    """Before it all are zero; afterwards they are what was measured."""
    before = scraped()
    late = await ballots.decided(True, status="expired", priority="critical")
    await ballots.asks(late, "ann", posted_at=1_799_999_900.0)
    await ballots.decided(True, "ann yes")
    await retrainer.watch()
    after = scraped()

    assert complaints(before) == complaints(after) == []
    assert set(families(before)) == set(families(after))
    for text, count in ((before, 0), (after, 1)):
        name = f"{PREFIX}candidates_late"
        assert value(text, name, priority="critical") == count
        assert value(text, name, priority="low") == 0
        assert value(text, f"{PREFIX}candidates_ended", outcome="confirmed") == count
        assert value(text, f"{PREFIX}questions_posted") == count
        assert value(text, f"{PREFIX}answers_received") == count
        assert value(text, f"{PREFIX}alerts", alert="ttl_breach") == count
        assert value(text, f"{PREFIX}expired_share") == count / 2


async def test_memories_are_counted_together(retrainer, scraped, store, pool):
    """And none is named."""
    await store.add_tenant("acme")
    await Ballots(pool, "acme").proposes()
    await Ballots(pool).proposes()
    await retrainer.watch()

    text = scraped()

    assert value(text, f"{PREFIX}candidates_pending", priority="normal") == 2
    assert "acme" not in text


def test_rules_are_rules(rules):
    """Each is an alert with a severity and words for people, or records something."""
    for rule in rules:
        assert isinstance(rule["expr"], str)
        assert rule["expr"].count("(") == rule["expr"].count(")")
        if "record" in rule:
            assert re.fullmatch(r"[a-z_]+:[a-z_:]+", rule["record"])
            assert set(rule) == {"record", "expr"}
            continue
        assert re.fullmatch(r"Festinger[A-Za-z]+", rule["alert"])
        assert set(rule) <= {"alert", "expr", "for", "labels", "annotations"}
        assert rule["labels"]["severity"] in {"warning", "critical"}
        assert rule["annotations"]["summary"].endswith(".")
        assert rule["annotations"]["description"]
        assert "for" not in rule or DURATION.fullmatch(rule["for"])
    alerts = [it["alert"] for it in rules if "alert" in it]
    assert len(set(alerts)) == len(alerts) >= 6


def test_rules_name_what_is_told(rules, scraped):
    """Every metric of a rule exists, and every label that one asks for."""
    told = families(scraped())
    said = {
        (sample.name, label, text)
        for family in told.values()
        for sample in family.samples
        for label, text in sample.labels.items()
    }
    for rule in rules:
        names = set(NAME.findall(rule["expr"]))
        assert names
        assert names <= set(told)
        for name, label, text in re.findall(r'(\w+)\{(\w+)="(\w+)"\}', rule["expr"]):
            assert (name, label, text) in said


def test_every_alert_has_a_rule(rules, scraped):
    """An alert of the console is a rule as well: by its own number or its name."""
    expressions = " ".join(it["expr"] for it in rules)

    for metric in (
        "candidates_late", "expired_share", "channels_crowded", "breakers_open",
        "rules_drifting",
    ):  # fmt: skip
        assert PREFIX + metric in expressions
    assert 'alerts{alert="opt_outs"}' in expressions
