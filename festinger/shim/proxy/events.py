"""Server-sent events as bytes."""

from __future__ import annotations


def event(data: str, name: str = "") -> bytes:
    """An event of a stream.

    Args:
        data: One line of JSON.
        name: Of its kind, where the protocol names them.
    """
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {data}\n\n".encode("utf-8", "replace")
