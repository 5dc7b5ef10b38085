"""The wheel is complete, and needs no compiler where it is installed."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.conftest import fastest_place

ROOT = Path(__file__).parents[1]

# What is compiled, and what compiling leaves behind.
SOURCES = {".pyx", ".pxi", ".h", ".c", ".so", ".pyc"}
SECONDS_MAX = 120
MOMENT = "1700000000"


def run(*command: str | Path, cwd: Path | None = None, **environment: str) -> str:
    """Run a command that must succeed, and return what it wrote."""
    done = subprocess.run(
        command,
        cwd=cwd,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def install(wheel: Path, home: Path) -> Path:
    """Install a wheel in a new environment, whose dependencies are those of here."""
    run(sys.executable, "-m", "venv", "--without-pip", home)
    run(
        *(sys.executable, "-m", "pip", "--python", home / "bin" / "python", "install"),
        *("--no-deps", "--no-index", wheel),
    )
    (packages,) = home.glob("lib/*/site-packages")
    # A path file is read for its lines only: the Festinger of here stays out.
    (packages / "dependencies.pth").write_text(sysconfig.get_path("platlib"))
    return home


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    """A directory that Postgres' user can enter."""
    directory = Path(tempfile.mkdtemp(prefix="festinger-", dir=fastest_place()))
    directory.chmod(0o755)
    yield directory
    shutil.rmtree(directory)


@pytest.fixture(scope="module")
def archive(place: Path) -> Path:
    """The source archive of a tree in which was compiled, as it is here."""
    source = place / "source"
    shutil.copytree(
        ROOT / "festinger",
        source / "festinger",
        ignore=shutil.ignore_patterns("__pycache__", "*.so"),
    )
    for name in ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    build = f"from setuptools import build_meta; build_meta.build_sdist({str(place)!r})"
    run(sys.executable, "-c", build, cwd=source)
    (made,) = place.glob("*.tar.gz")
    return made


@pytest.fixture(scope="module")
def wheel(archive: Path, place: Path) -> Path:
    """The wheel, built from the source archive."""
    return build(archive, place)


def build(archive: Path, directory: Path) -> Path:
    """Build a wheel into a directory, as of a moment."""
    run(
        *(sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation"),
        *("--no-index", "--wheel-dir", directory, archive),
        # Nothing here is timed, and it compiles six times as fast.
        FESTINGER_CFLAGS="-O0",
        SOURCE_DATE_EPOCH=MOMENT,
    )
    (built,) = directory.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, place: Path) -> Path:
    """The wheel in an environment of its own; its dependencies are those of here."""
    return install(wheel, place / "installed") / "bin" / "festinger"


def test_wheel_is_the_same_bytes_again(archive: Path, wheel: Path, place: Path) -> None:
    """Anybody can build what was released, and see that it is that."""
    again = place / "again"
    again.mkdir()

    assert build(archive, again).read_bytes() == wheel.read_bytes()


@pytest.mark.slow
def test_a_wheel_from_the_source_archive_has_every_file(wheel: Path) -> None:
    """Stubs, SQL, migrations, templates and static files are in it, sources in C are not."""
    names = {
        name for name in zipfile.ZipFile(wheel).namelist() if "dist-info" not in name
    }
    compiled = {name for name in names if name.endswith(".so")}
    wanted = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "festinger").rglob("*")
        if path.is_file() and path.suffix not in SOURCES
    }

    assert names - compiled == wanted
    assert [name.split(".")[0] for name in compiled] == ["festinger/_fast/native"]


@pytest.mark.slow
def test_a_wheel_starts_without_a_compiler(installed: Path, place: Path) -> None:
    """With nothing on the path, the command helps, and all of it starts on its own Postgres."""
    file, log = place / "festinger.yaml", place / "log"
    file.write_text(
        yaml.safe_dump(
            {
                "data_dir": str(place / "data"),
                "server": {"address": "127.0.0.1:0"},
                "shim": {"address": "127.0.0.1:0"},
            }
        )
    )
    empty = place / "empty"
    empty.mkdir()

    assert "Usage: festinger" in run(installed, "--help", PATH=str(empty))
    with log.open("wb") as output:
        process = subprocess.Popen(
            [installed, "up", "--config", file],
            env=os.environ | {"PATH": str(empty)},
            stdout=output,
            stderr=output,
        )
    try:
        until = time.monotonic() + SECONDS_MAX
        while "is ready" not in log.read_text() and process.poll() is None:
            assert time.monotonic() < until, log.read_text()
            time.sleep(0.1)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()
    assert "is ready" in log.read_text(), log.read_text()
    assert re.search(r"  console   http://\S+:\d+/admin\n", log.read_text())
    assert process.returncode == 0
