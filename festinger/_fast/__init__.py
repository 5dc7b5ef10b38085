"""The hot path: tokens, the vocabulary and the collision index.

Two builds have the same interface: compiled (Cython) and plain Python (`_reference`).
The compiled build is used if it is installed. The environment variable
`FESTINGER_FAST` selects one by name (`cython` or `python`); if that one is missing, an
`ImportError` is raised. `BUILD` is the name of the build in use.

Nothing here depends on tenants, clocks or databases.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from .values import (
    CAPITAL,
    CLOSED,
    COMPOUND,
    CONCEPT,
    CUE,
    Edge,
    Kind,
    Line,
    Reading,
    Row,
    Telling,
)

__all__ = [
    "BUILD",
    "CAPITAL",
    "CLOSED",
    "COMPOUND",
    "CONCEPT",
    "CUE",
    "Edge",
    "Graph",
    "Kind",
    "Leads",
    "Line",
    "Lists",
    "Loader",
    "Mentions",
    "Postings",
    "Reading",
    "Row",
    "Scan",
    "Sentence",
    "SentenceReader",
    "Telling",
    "Vocabulary",
    "Wire",
    "Wordbook",
    "ask",
    "block",
    "filled",
    "readable",
    "scan",
    "tell",
    "unemphasised",
    "united",
]

#: The build in use: "cython" or "python".
BUILD: str

_WANTED = os.environ.get("FESTINGER_FAST", "")

if _WANTED not in ("", "cython", "python"):
    raise ImportError(
        f"FESTINGER_FAST={_WANTED!r} names no build. Set it to cython or python, "
        "or unset it to take the compiled build where there is one."
    )

_plain = _WANTED == "python"

if not TYPE_CHECKING and not _plain:
    try:
        from .asking import ask
        from .emphasis import unemphasised
        from .found import united
        from .graph import Graph
        from .leads import Leads
        from .lines import block
        from .lists import Lists
        from .loader import Loader
        from .mentions import Mentions
        from .naming import filled
        from .postings import Postings
        from .prose import readable
        from .scanner import Scan, scan
        from .sentences import Sentence, SentenceReader
        from .telling import tell
        from .vocabulary import Vocabulary
        from .wire import Wire
        from .wordbook import Wordbook

        BUILD = "cython"
    except ModuleNotFoundError as error:
        if _WANTED == "cython":
            raise ImportError(
                "FESTINGER_FAST=cython, but the compiled modules are not built. "
                "Install gcc and the Python headers and run "
                "`python setup.py build_ext --inplace`, or unset FESTINGER_FAST."
            ) from error
        _plain = True

if TYPE_CHECKING or _plain:
    from ._reference import (
        Graph,
        Leads,
        Lists,
        Loader,
        Mentions,
        Postings,
        Scan,
        Sentence,
        SentenceReader,
        Vocabulary,
        Wire,
        Wordbook,
        ask,
        block,
        filled,
        readable,
        scan,
        tell,
        unemphasised,
        united,
    )

    BUILD = "python"
