"""Requirements of tests that a target installs, or that are not shipped."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"
"""Labelled data beside the checkout, which are not shipped: tests of them are skipped."""


def named(config: pytest.Config, directory: Path) -> bool:
    """Return whether a run names a directory, or something in it."""
    paths = (config.invocation_params.dir / arg.split("::")[0] for arg in config.args)
    return any(path.is_relative_to(directory) for path in paths)


def ignore_unless_named(directory: Path) -> Callable[[pytest.Config], bool | None]:
    """A `pytest_ignore_collect` that leaves a directory out of runs that do not name it."""

    def pytest_ignore_collect(config: pytest.Config) -> bool | None:
        return None if named(config, directory) else True

    return pytest_ignore_collect


def tell_if_left_out(
    directory: Path, what: str
) -> Callable[[pytest.TerminalReporter, pytest.Config], None]:
    """A `pytest_terminal_summary` that says that a directory was left out, and of what."""

    def pytest_terminal_summary(
        terminalreporter: pytest.TerminalReporter, config: pytest.Config
    ) -> None:
        if not named(config, directory):
            terminalreporter.write_line(what, yellow=True)

    return pytest_terminal_summary


def require(environment: Path, what: str, target: str) -> None:
    """Skip, or fail where everything has to run, if an environment is not there."""
    if not (environment / ".installed").exists():
        miss(f"there is no {what}: make {target}")


def miss(why: str) -> None:
    """Skip a test, or fail it where everything has to run."""
    if os.environ.get("CI") or os.environ.get("FESTINGER_REQUIRE_ALL"):
        pytest.fail(why)
    pytest.skip(why)


def environment_without_proxies() -> dict[str, str]:
    """Return the environment, without what would send requests elsewhere."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.lower().endswith("_proxy")
    }
