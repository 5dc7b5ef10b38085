"""`festinger review extract`, as a process: it needs no server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

COMPOSE = "services:\n  backend:\n    image: nginx\n    depends_on: [db, cache]\n"
NOTES = "# Shop\n\n## Decision: Use Postgres\n\nBecause. gnommoweb is a repo.\n"


@pytest.fixture
def extract(tmp_path):
    """Run the command on a file of some bytes; its code, what it printed and complained."""

    def run(name, data, *options):
        file = tmp_path / name
        file.write_bytes(data)
        finished = subprocess.run(
            [
                Path(sys.executable).with_name("festinger"),
                "review",
                "extract",
                file,
                *options,
            ],
            capture_output=True,
            encoding="utf-8",
            check=False,
            env={**os.environ, "PYTHONWARNINGS": "error"},
        )
        return finished.returncode, finished.stdout, finished.stderr

    return run


def test_what_is_found_in_a_document(extract):
    """One JSON object a line, with everything that tells where it comes from."""
    code, printed, complained = extract("decisions.md", NOTES.encode(), "--json")

    first, second = map(json.loads, printed.splitlines())
    assert (code, complained) == (0, "")
    assert NOTES[first["start"] : first["end"]] == "## Decision: Use Postgres"
    assert len(first.pop("chunk")) == 32
    del first["start"], first["end"]
    assert first == {
        "type": "decision",
        "content": "Use Postgres",
        "fact": "",
        "prior": 0.7,
        "confidence": 0.77,
        "extractor": "headings",
        "version": "0.2.0",
        "rule": "heading",
        "headings": ["Shop", "Decision: Use Postgres"],
    }
    assert second["fact"] == "gnommoweb -isa repo in context of type"


def test_what_is_found_in_a_compose_file(extract):
    """A line for people; the project names what the services belong to."""
    code, printed, complained = extract(
        "compose.yaml", COMPOSE.encode(), "--project", "shop"
    )

    assert (code, complained) == (0, "")
    assert printed == (
        "component 0.90  backend of shop uses the image nginx and depends on db, cache"
        "  [compose.service]  ⇒ backend -ispart nginx in context of tech\n"
    )


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("compose.yaml", b"services: [\n", "line 2: no YAML"),
        ("a.md", b"\x00\x01\x02", "it is binary"),
        ("a.md", b"\xfd\xff" * 99, "cannot be read"),
        ("package.json", b"{", "line 1: no JSON"),
    ],
)
def test_what_cannot_be_read(extract, name, data, reason):
    """A broken or binary file is a sentence on standard error and exit code 2."""
    code, printed, complained = extract(name, data, "--json")

    assert (code, printed) == (2, "")
    assert reason in complained
    assert complained.count("\n") == 1
