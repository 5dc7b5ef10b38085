from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from festinger.store.system.retention import PRUNE
from festinger.store.system.runs import PostgresRuns
from festinger.store.validation.backlog import PostgresDreamRuns

ROOT = Path(__file__).parents[1]
PACKAGES = [ROOT / "festinger", ROOT / "clients" / "gutask" / "gutask"]
DOOR = ROOT / "festinger" / "store" / "sql" / "commit.sql"

WRITES_URD = re.compile(
    r"\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate(?:\s+table)?|copy)"
    r"\s+(?:only\s+)?(?:public\.)?urd\b",
    re.IGNORECASE,
)
NAMES_QUERY = re.compile(r"\b(?:sql|later|_rows?|_value|_run)\(\s*[\"'](\w+)[\"']")
IS_QUERY = re.compile(r"^-- name: (\w+)$", re.MULTILINE)


def sources(*endings):
    """Return every file of ours with one of these endings."""
    return [
        file
        for package in PACKAGES
        for file in sorted(package.rglob("*"))
        if file.suffix in endings
    ]


def test_facts_are_written_through_one_door():
    """SQL that writes to `urd` stands in one file, which belongs to the batch's commit."""
    writing = {
        file
        for file in sources(".py", ".sql", ".pyx")
        if WRITES_URD.search(file.read_text(encoding="utf-8"))
    }

    assert writing == {DOOR}


@pytest.mark.parametrize(
    "statement",
    [
        "insert into urd (tenant)",
        "UPDATE urd SET confidence = 1",
        "delete\n  from urd where",
        "truncate urd",
        "insert into public.urd",
    ],
)
def test_a_second_door_would_be_seen(statement):
    """The check above finds what it looks for, and not its neighbours."""
    assert WRITES_URD.search(statement)
    assert not WRITES_URD.search(statement.replace("urd", "urd_history"))


def test_the_doors_queries_are_the_commits():
    """Whoever names a query of the door is the commit, or seeds a new memory's roots."""
    queries = set(IS_QUERY.findall(DOOR.read_text(encoding="utf-8")))
    facts = {it for it in queries if "edge" in it or "root" in it}

    users = {
        file.name
        for file in sources(".py")
        if facts & set(NAMES_QUERY.findall(file.read_text(encoding="utf-8")))
    }

    assert facts == {
        "hold_edges",
        "confirm_edges",
        "close_edges",
        "pass_edges",
        "drop_edges",
        "add_roots",
    }
    assert users == {"edges.py", "tenancy.py", "quarantine.py"}


def test_only_the_pen_writes():
    """A transaction that may write facts is opened by the service that owns their order."""
    callers = {
        file.relative_to(ROOT).as_posix()
        for file in sources(".py")
        if "writing" in (text := file.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "writing"
    }

    assert callers == {"festinger/services/world/committer.py"}


def test_every_named_query_is_there_and_used():
    """No code names a query that no file has, and no file has one that no code names."""
    there = [
        name
        for file in (ROOT / "festinger" / "store" / "sql").glob("*.sql")
        for name in IS_QUERY.findall(file.read_text(encoding="utf-8"))
    ]
    texts = [file.read_text(encoding="utf-8") for file in sources(".py")]
    named = {name for text in texts for name in NAMES_QUERY.findall(text)}

    in_tables = {*PRUNE.values(), *PostgresRuns.queries, *PostgresDreamRuns.queries}

    assert len(there) == len(set(there))
    assert set(there) == named | in_tables
