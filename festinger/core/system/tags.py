"""The tags around a block of ours: what writes one and what takes it out must agree."""

from __future__ import annotations

from typing import Final

OPENING: Final = "<recollection>"
CLOSING: Final = "</recollection>"
