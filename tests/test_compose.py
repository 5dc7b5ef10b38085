"""The containers of compose.yaml are those of this version."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from festinger import config
from festinger.cli.commands import COMMANDS
from tests.imports import PROGRAMS, imported_by

ROOT = Path(__file__).parents[1]
SERVICES = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))[
    "services"
]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
IMAGE = dict(re.findall(r"(FESTINGER_\w+)=(\S+)", DOCKERFILE))
COMPOSE = shutil.which("docker") and not subprocess.call(
    ["docker", "compose", "version"],
    stdout=subprocess.DEVNULL,
    stderr=subprocess.DEVNULL,
)


def test_each_part_has_a_container():
    """
    Postgres, the memory server, the shim and, for those who want them, the bots and an
    Ollama; each of ours runs a command that there is.
    """
    ours = {name: it["command"] for name, it in SERVICES.items() if "build" in it}

    assert set(SERVICES) == {"postgres", "server", "shim", "bots", "ollama"}
    assert all(name in COMMANDS[room] for room, name in ours.values())
    assert all(SERVICES[it]["profiles"] == [it] for it in ("bots", "ollama"))


@pytest.mark.parametrize("service", ["server", "shim", "bots"])
def test_each_variable_is_a_setting(service):
    """The configuration of a container is understood."""
    given = {
        name: re.sub(r"\$\{\w+:-(.*)\}", r"\1", str(it))
        for name, it in SERVICES[service]["environment"].items()
    }

    settings = config.load(environment=IMAGE | given)

    assert str(settings.data_dir) == "/data"


def test_the_image_serves_beyond_its_container():
    """The shim only: the memory server is asked by the programs beside it."""
    settings = config.load(environment=IMAGE)

    assert settings.shim.address == "0.0.0.0:11435"
    assert settings.server.address.startswith("127.0.0.1:")


def test_nobody_is_root():
    """The image names its user by number, so that it can be seen not to be root."""
    assert re.findall(r"^USER (\S+)", DOCKERFILE, re.MULTILINE) == ["10001:10001"]


def test_image_has_its_programs_compiled():
    """In a container that can write nothing they would be compiled at each start."""
    run = re.search(
        r'^RUN \["python3", "-c", "import (.+?)"\]', DOCKERFILE, re.M | re.S
    )
    assert run
    compiled = imported_by(*re.findall(r"[\w.]+", run[1]))

    started = (*PROGRAMS, "festinger.cli.system.start")
    assert frozenset().union(*map(imported_by, started)) <= compiled


@pytest.mark.parametrize("service", ["server", "shim", "bots"])
def test_a_container_is_asked_for_its_own_health(service):
    """The image asks the shim: a container without one asks another, or nobody."""
    health = SERVICES[service].get("healthcheck", {})

    assert bool(health) == (service != "shim")


@pytest.mark.skipif(not COMPOSE, reason="NO COMPOSE: docker has no such plugin")
def test_compose_reads_the_files():
    """With all profiles on."""
    for file in ("compose.yaml", "deploy/compose.yaml"):
        done = subprocess.run(
            ["docker", "compose", "--profile", "*", "-f", ROOT / file, "config", "-q"],
            env=os.environ | {"FESTINGER_KEYS": "k"},
            capture_output=True,
            text=True,
            check=False,
        )

        assert done.returncode == 0, done.stderr
