"""Serialisation of server-sent events."""

from __future__ import annotations


def event(data: str, name: str = "") -> bytes:
    """Return a server-sent event.

    Args:
        data: One line of JSON.
        name: Name of the event's type; empty if the protocol does not name events.
    """
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {data}\n\n".encode("utf-8", "replace")
