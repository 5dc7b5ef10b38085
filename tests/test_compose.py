"""The containers of compose.yaml are those of this version."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from festinger import config
from festinger.cli.commands import COMMANDS

ROOT = Path(__file__).parents[1]
SERVICES = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))[
    "services"
]


def test_each_part_has_a_container():
    """
    Postgres, the memory server, the shim and, for those who want them, the bots; each of
    ours runs a command that there is.
    """
    ours = {name: it["command"] for name, it in SERVICES.items() if "build" in it}

    assert set(SERVICES) == {"postgres", "server", "shim", "bots"}
    assert all(name in COMMANDS[room] for room, name in ours.values())
    assert SERVICES["bots"]["profiles"] == ["bots"]


@pytest.mark.parametrize("service", ["server", "shim", "bots"])
def test_each_variable_is_a_setting(service):
    """
    What a container is configured by is understood.
    """
    given = {name: str(it) for name, it in SERVICES[service]["environment"].items()}

    settings = config.load(environment=given)

    assert str(settings.data_dir) == "/data"
