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
    GraphLineKind,
    GraphLines,
    Line,
    VocabularyEntry,
    VocabularyLookup,
)

try:
    from .native import (
        CueFilter,
        Graph,
        Lists,
        Loader,
        Mentions,
        Postings,
        Scan,
        Sentence,
        SentenceReader,
        Vectors,
        Vocabulary,
        ask,
        block,
        readable,
        scan,
        sum_of_rows,
        tell,
        united,
    )
except ModuleNotFoundError as error:
    raise ImportError(
        f"{error.name} is not compiled. Run `make install`, which needs gcc and "
        "Python's headers (Debian: apt install gcc python3-dev)."
    ) from error
