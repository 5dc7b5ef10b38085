"""Tests that run only if they are named: what they need is installed by a target."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def named(config: pytest.Config, directory: Path) -> bool:
    """Whether a run names a directory, or something in it."""
    paths = (config.invocation_params.dir / arg.split("::")[0] for arg in config.args)
    return any(path.is_relative_to(directory) for path in paths)


def require(environment: Path, what: str, target: str) -> None:
    """Skips, or fails where everything has to run, if an environment is not there."""
    if (environment / ".installed").exists():
        return
    why = f"there is no {what}: make {target}"
    if os.environ.get("CI") or os.environ.get("FESTINGER_REQUIRE_ALL"):
        pytest.fail(why)
    pytest.skip(why)


def environment_without_proxies() -> dict[str, str]:
    """The environment, without what would send requests elsewhere."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.lower().endswith("_proxy")
    }
