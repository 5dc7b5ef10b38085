"""Tags around a recollection block, shared by its writer and its remover."""

from __future__ import annotations

from typing import Final

OPENING: Final = "<recollection>"
CLOSING: Final = "</recollection>"
