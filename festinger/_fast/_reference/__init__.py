"""The hot path in plain Python, as the reference for the compiled build.

It is the oracle of the property tests, and the build for machines without a compiler.
Where the two differ, this one is right unless a decision says otherwise.
"""

from __future__ import annotations

from .asking import ask
from .found import united
from .graph import Graph
from .leads import Leads
from .lines import block
from .lists import Lists
from .loader import Loader
from .mentions import Mentions
from .naming import filled
from .postings import Postings
from .prose import readable, unemphasised
from .scanner import Scan, scan
from .sentences import Sentence, SentenceReader
from .telling import tell
from .vocabulary import Vocabulary
from .wire import Wire
from .wordbook import Wordbook

__all__ = [
    "Graph",
    "Leads",
    "Lists",
    "Loader",
    "Mentions",
    "Postings",
    "Scan",
    "Sentence",
    "SentenceReader",
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
