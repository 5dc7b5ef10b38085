"""The cue scanner over the oracle, in which every step can be counted."""

from __future__ import annotations

import importlib
import sys
from functools import cache
from types import ModuleType

import pytest

from festinger import _fast
from tests import oracle

CUES = "festinger.core.language.cues"


@cache
def oracle_cues() -> dict[str, ModuleType]:
    """Return second copies of the cue scanner's modules, by their names.

    They read the oracle's scans; those in use are not changed.
    """
    importlib.import_module(CUES)
    used = _taken_out()
    parent = sys.modules[CUES.rpartition(".")[0]]
    in_use = parent.__dict__["cues"]
    with pytest.MonkeyPatch.context() as patch:
        for name in oracle.__all__:
            patch.setattr(_fast, name, getattr(oracle, name))
        importlib.import_module(CUES)
        copies = _taken_out()
    sys.modules.update(used)
    parent.__dict__["cues"] = in_use
    return {name.removeprefix(f"{CUES}."): part for name, part in copies.items()}


def _taken_out() -> dict[str, ModuleType]:
    names = [name for name in sys.modules if f"{name}.".startswith(f"{CUES}.")]
    return {name: sys.modules.pop(name) for name in names}
