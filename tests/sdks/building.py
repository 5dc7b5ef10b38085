"""Compilers of other languages as processes."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from festinger.credentials import OPERATOR, read_token
from tests.apart import ROOT
from tests.e2e.conftest import Festinger

CLIENTS = ROOT / "clients"
SECONDS = 900.0
"""For a first build, which fetches and compiles what the client is built on."""


def compiler(name: str) -> str:
    """Return the path of a program; skips the test where it is missing, or not in `SDKS`."""
    chosen = os.environ.get("SDKS", "").split()
    if chosen and name not in chosen:
        pytest.skip(f"NOT TRIED: {name} is not in SDKS")
    if not (path := shutil.which(name)):
        pytest.skip(f"NOT TRIED: there is no {name} on this machine")
    return path


async def run(
    *command: str | Path, at: Path, festinger: Festinger | None = None, **more: str
) -> str:
    """
    Run a program in a directory, with the server's address and token; what it
    printed.
    """
    server = {}
    if festinger:
        token = read_token(festinger.settings.data_dir, OPERATOR) or ""
        server = {
            "FESTINGER_SERVER": festinger.running.server,
            "FESTINGER_TOKEN": token,
        }
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=at,
        env={**os.environ, **server, **more},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        printed, _ = await asyncio.wait_for(process.communicate(), SECONDS)
    finally:
        if process.returncode is None:
            process.kill()
    output = printed.decode()
    assert process.returncode == 0, output
    return output


async def fetch(*command: str | Path, at: Path) -> None:
    """Fetch what a client is built on; skips the test where that cannot be had."""
    try:
        await run(*command, at=at)
    except AssertionError as error:
        pytest.skip(f"NOT TRIED: {command[0]} could not fetch: {error}")


def assert_current(language: str, plugins: Path, target: Path, scratch: Path) -> None:
    """Check that the messages that are committed are those of `proto/`."""
    command = (CLIENTS / "generate.py", language, plugins, "--out", scratch)
    subprocess.run([sys.executable, *command], check=True)
    made = {it.relative_to(scratch): it for it in scratch.rglob("*.*")}
    held = {it.relative_to(target): it for it in target.rglob("*.*")}
    assert made.keys() == held.keys()
    for name, path in made.items():
        assert path.read_bytes() == held[name].read_bytes(), (
            f"{name} is not current: run clients/generate.py {language}"
        )
