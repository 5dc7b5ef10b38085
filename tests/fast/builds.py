"""The builds under test: both, in one run."""

from __future__ import annotations

import importlib
import os
import sys
from functools import cache
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from festinger import _fast
from festinger._fast import _reference

reference: Any = _reference

try:
    compiled: Any = SimpleNamespace(
        **{
            name: getattr(importlib.import_module(f"festinger._fast.{module}"), name)
            for name, module in [
                ("Graph", "graph"),
                ("Leads", "leads"),
                ("Lists", "lists"),
                ("Loader", "loader"),
                ("Postings", "postings"),
                ("Mentions", "mentions"),
                ("Scan", "scanner"),
                ("SentenceReader", "sentences"),
                ("scan", "scanner"),
                ("tell", "telling"),
                ("Vocabulary", "vocabulary"),
                ("Wire", "wire"),
                ("Wordbook", "wordbook"),
                ("ask", "asking"),
                ("block", "lines"),
                ("filled", "naming"),
                ("readable", "prose"),
                ("unemphasised", "emphasis"),
                ("united", "found"),
            ]
        }
    )
except ModuleNotFoundError:
    if os.environ.get("FESTINGER_REQUIRE_EXTENSIONS") == "1":
        raise
    compiled = None

needs_compiled = pytest.mark.skipif(
    compiled is None,
    reason="THE COMPILED BUILD IS NOT TESTED: run python setup.py build_ext --inplace",
)

BUILDS = [
    pytest.param(reference, id="python"),
    pytest.param(compiled, id="cython", marks=needs_compiled),
]


CUES = "festinger.core.language.cues"


@cache
def plain_cues() -> dict[str, ModuleType]:
    """The modules of the cue scanner as they are without a compiler, by their names.

    They stand beside those in use, and read the scans of the plain build.
    """
    importlib.import_module(CUES)
    used = _taken_out()
    parent = sys.modules[CUES.rpartition(".")[0]]
    in_use = parent.__dict__["cues"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_fast, "BUILD", "python")
        for name in (
            "Leads", "Lists", "Scan", "Sentence", "SentenceReader", "Vocabulary",
            "Wordbook", "filled", "readable", "scan", "unemphasised",
        ):  # fmt: skip
            patch.setattr(_fast, name, getattr(reference, name))
        importlib.import_module(CUES)
        plain = _taken_out()
    for place in plain[CUES].__path__:
        sys.path_importer_cache.pop(place, None)
    sys.modules.update(used)
    parent.__dict__["cues"] = in_use
    return {name.removeprefix(f"{CUES}."): part for name, part in plain.items()}


def _taken_out() -> dict[str, ModuleType]:
    names = [name for name in sys.modules if f"{name}.".startswith(f"{CUES}.")]
    return {name: sys.modules.pop(name) for name in names}


def told(scan: Any) -> tuple[Any, ...]:
    """Everything that a scan tells, but for its steps."""
    positions = range(len(scan))
    return (
        scan.text,
        list(scan),
        [scan.span(i) for i in positions],
        [scan.flags(i) for i in positions],
        scan.cues(),
    )
