"""Which build one gets."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fast.builds import needs_compiled

ROOT = Path(__file__).parents[2]


def build_in_a_new_process(wanted: str | None, before: str = "") -> tuple[str, str]:
    """What BUILD is there, and what the process complained of."""
    environment = {k: v for k, v in os.environ.items() if k != "FESTINGER_FAST"}
    if wanted is not None:
        environment["FESTINGER_FAST"] = wanted
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            f"{before}\nfrom festinger._fast import *; print(BUILD)",
        ],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip(), done.stderr


# Hides the compiled modules, as if they had never been built.
HIDE = """
import importlib.abc, sys
class Hide(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.rpartition(".")[2] in ("scanner", "vocabulary", "graph"):
            if "_reference" not in name:
                raise ModuleNotFoundError(name, name=name)
sys.meta_path.insert(0, Hide())
"""


def test_the_plain_build_can_be_asked_for() -> None:
    """
    `FESTINGER_FAST=python` is that, whatever was compiled.
    """
    assert build_in_a_new_process("python")[0] == "python"


@needs_compiled
@pytest.mark.parametrize("wanted", [None, "", "cython"])
def test_the_compiled_build_is_taken_where_there_is_one(wanted: str | None) -> None:
    """
    Asked for or not.
    """
    assert build_in_a_new_process(wanted)[0] == "cython"


def test_without_a_compiled_build_the_plain_one_is_taken() -> None:
    """
    If nobody asked for the compiled one. It has all that is promised.
    """
    assert build_in_a_new_process(None, HIDE)[0] == "python"


def test_a_build_that_cannot_be_had_is_an_error() -> None:
    """
    It is never another one quietly, and the message says what to do.
    """
    build, complaint = build_in_a_new_process("cython", HIDE)

    assert build == ""
    assert "ImportError: FESTINGER_FAST=cython, but" in complaint
    assert "build_ext --inplace" in complaint


def test_a_build_that_does_not_exist_is_an_error() -> None:
    """
    A slip of the pen is not taken for a wish.
    """
    build, complaint = build_in_a_new_process("cpython")

    assert build == ""
    assert "Set it to cython or python" in complaint
