from collections.abc import Sequence
from typing import Any, Literal

class Layout:
    def __init__(
        self,
        fields: Sequence[tuple[int, Literal["number", "text", "data"] | Layout]],
    ) -> None: ...
    def read(self, data: bytes) -> tuple[Any, ...] | None: ...
