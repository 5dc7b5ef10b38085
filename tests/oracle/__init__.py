"""The hot path in plain Python: what property tests compare the compiled modules with.

Where the two differ, this one is right unless a decision says otherwise.
"""

from __future__ import annotations

from tests.oracle.asking import ask
from tests.oracle.cuefilter import CueFilter
from tests.oracle.found import united
from tests.oracle.graph import Graph
from tests.oracle.lines import block
from tests.oracle.lists import Lists
from tests.oracle.loader import Loader
from tests.oracle.mentions import Mentions
from tests.oracle.postings import Postings
from tests.oracle.prose import readable
from tests.oracle.scanner import Scan, scan
from tests.oracle.sentences import Sentence, SentenceReader
from tests.oracle.telling import tell
from tests.oracle.vectors import Vectors, sum_of_rows
from tests.oracle.vocabulary import Vocabulary

__all__ = [
    "CueFilter",
    "Graph",
    "Lists",
    "Loader",
    "Mentions",
    "Postings",
    "Scan",
    "Sentence",
    "SentenceReader",
    "Vectors",
    "Vocabulary",
    "ask",
    "block",
    "readable",
    "scan",
    "sum_of_rows",
    "tell",
    "united",
]
