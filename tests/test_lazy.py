"""Imports of programs at their start, which is most of its time."""

from __future__ import annotations

import pytest

from tests.imports import PROGRAMS, imported_by

SDKS = {"anthropic", "openai", "httpx2", "slack_sdk"}


@pytest.mark.parametrize(
    "module", [*PROGRAMS, "festinger.app", "festinger.cli.system.start"]
)
def test_sdks_are_not_imported_before_they_are_needed(module):
    """They take longer to import than all the rest; a server that asks nobody starts without."""
    loaded = imported_by(module)

    assert "festinger" in loaded
    assert SDKS & loaded == set()


@pytest.mark.parametrize(
    ("program", "others"),
    [
        ("server", {"festinger.console", "festinger.shim.app", "festinger.chat"}),
        (
            "shim",
            {"festinger.services", "festinger.store", "festinger.chat", "asyncpg"},
        ),
        ("bots", {"festinger.services", "festinger.store", "festinger.console"}),
    ],
)
def test_a_program_imports_no_other(program, others):
    """One that was killed is back sooner without what it does not need."""
    assert others & imported_by(f"festinger.programs.{program}") == set()
