"""The hot path: tokens, the vocabulary and the collision index, compiled by Cython.

`tests/oracle` holds the same in plain Python: tests compare the two.

Nothing here depends on tenants, clocks or databases.
"""

from __future__ import annotations

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

try:
    from .asking import ask
    from .found import united
    from .graph import Graph
    from .leads import Leads
    from .lines import block
    from .lists import Lists
    from .loader import Loader
    from .mentions import Mentions
    from .postings import Postings
    from .prose import readable
    from .scanner import Scan, scan
    from .sentences import Sentence, SentenceReader
    from .telling import tell
    from .vocabulary import Vocabulary
except ModuleNotFoundError as error:
    raise ImportError(
        f"{error.name} is not compiled. Run `make install`, which needs gcc and "
        "Python's headers (Debian: apt install gcc python3-dev)."
    ) from error

__all__ = [
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
    "ask",
    "block",
    "readable",
    "scan",
    "tell",
    "united",
]
