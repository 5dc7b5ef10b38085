"""Status of decision records."""

from __future__ import annotations

import pytest

from festinger.core.review.extractors import builtin
from festinger.core.review.standing import is_record, is_set_aside
from tests.documents import swept

DECISION = "## Decision\n\nWe will use Postgres.\n"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("docs/adr/0001-queue.md", True), ("docs/architecture/decisions/1.md", True),
        ("adr-12.md", True), ("a/architecture-decision-record/1.md", True),
        ("rfcs/0001.md", True), ("decisions.md", False),
        ("docs/cadres/1.md", False), ("README.md", False),
    ],
)  # fmt: skip
def test_path_of_a_record(path, expected):
    """A decision record is known by its folder or its number."""
    assert is_record(path) == expected


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ("## Status\n\nAccepted\n\n", False),
        ("## Status\n\nSuperseded by [9](0009.md)\n\n", True),
        ("## Status\n\nAccepted\n\nSuperceded by [9](0009.md)\n\n", True),
        ("## 2. Status:\n\nDeprecated (no superseding record)\n\n", True),
        ("## Status\n\nAccepted. Supersedes [3](0003.md)\n\n", False),
        ("## Status\n\n~~Accepted~~ Rejected\n\n", True),
        ("# Status\n\n🤔 Proposed\n\n", True),
        ("* Status: proposed\n\n", True),
        ("* **Status**: accepted\n\n", False),
        ("---\nstatus: superseded\n---\n\n", True),
        ("## Context\n\nDraft was rejected.\n\n", False),
        ("", False),
    ],
)
def test_record_that_does_not_hold(status, expected):
    """A record that was superseded, or is only proposed, is not shown to people."""
    text = f"{status}{DECISION}"
    found = swept(text, builtin(), "docs/adr/7.md").found

    assert is_set_aside("docs/adr/7.md", [text]) == expected
    assert bool(found) == (not expected)
    assert not is_set_aside("docs/queue.md", [text])


def test_record_argues_about_tools():
    """A record defines no tool: it may be the one not chosen."""
    text = "# Logs\n\n## Context\n\nFluentd is a collector of logs in Ruby.\n"

    assert not swept(text, builtin(), "docs/adr/7.md").found
    assert swept(text, builtin(), "docs/logs.md").found
