from __future__ import annotations

# The fixtures of the killed servers serve here too, and so does their report.
from tests.kill.conftest import (
    command,
    data_dir,
    pytest_terminal_summary,
    report,
    seed,
    serving,
    used,
)

__all__ = [
    "command",
    "data_dir",
    "pytest_terminal_summary",
    "report",
    "seed",
    "serving",
    "used",
]
