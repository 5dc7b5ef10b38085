"""Runs `python -m gutask`."""

from __future__ import annotations

from gutask.cli import main

main()
