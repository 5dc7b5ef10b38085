"""The hot path in plain Python: what the compiled build must agree with.

It is the oracle of the property tests, and the build of a machine without a compiler.
Where the two differ, this one is right until a decision says otherwise.
"""

from __future__ import annotations

from .graph import Graph
from .loader import Loader
from .scanner import Scan, scan
from .telling import tell
from .vocabulary import Vocabulary

__all__ = ["Graph", "Loader", "Scan", "Vocabulary", "scan", "tell"]
