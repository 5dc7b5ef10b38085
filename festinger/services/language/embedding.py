"""Hand out the lines that have no embedding yet, and take their embeddings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Final

from festinger.core.lines.line import IndexedLine
from festinger.core.lines.wordvectors import MODEL
from festinger.core.recollection.weighing import shipped
from festinger.services.world.tenant_memory import TenantMemory

NUMBER_BYTES: Final = 8
DIGEST_BYTES: Final = 8


def unembedded(
    memory: TenantMemory, model: str, most: int
) -> Sequence[tuple[bytes, str]]:
    """Return lines without an embedding, newest first: their keys and their texts.

    Args:
        model: Name of the model; without weights for it there are none.
        most: Maximum number of lines.
    """
    # Weights hold for the model that they were fitted to (J17).
    if model not in shipped().embedded or model == MODEL:
        return ()
    lines = memory.world.lines.unembedded(model, most)
    return [(_key(line), line.embedded) for line in lines]


def embed(
    memory: TenantMemory, model: str, found: Iterable[tuple[bytes, bytes]]
) -> int:
    """Take the embeddings of lines, and return how many were taken.

    Args:
        model: Name of the model.
        found: Keys and vectors.

    Raises:
        ValueError: A vector is empty, zero, too long, or of another width.
    """
    index = memory.world.lines
    # The model was changed since the lines were handed out: its vectors do not compare.
    if index.vectors.model != model:
        return 0
    before = len(index.vectors)
    for key, vector in found:
        line = index.line(int.from_bytes(key[:NUMBER_BYTES], "big"))
        # A line that was reworded or replaced since must not get another one's vector.
        if line is not None and _key(line) == key:
            index.vectors.put(line.number, vector)
    return len(index.vectors) - before


def _key(line: IndexedLine) -> bytes:
    """Return the number of a line with a digest of its text."""
    # The digest, since another line may have the number after a restart.
    digest = blake2b(line.embedded.encode("utf-8", "replace"), digest_size=DIGEST_BYTES)
    return line.number.to_bytes(NUMBER_BYTES, "big") + digest.digest()
