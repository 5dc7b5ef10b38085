"""Comparison of two scans."""

from __future__ import annotations

from typing import Any


def told(scan: Any) -> tuple[Any, ...]:
    """Return everything that a scan says, except for its steps."""
    positions = range(len(scan))
    return (
        scan.text,
        list(scan),
        [scan.span(i) for i in positions],
        [scan.flags(i) for i in positions],
        scan.cues(),
    )
