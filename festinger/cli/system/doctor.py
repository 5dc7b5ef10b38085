"""`festinger system doctor`: checks of everything that an operator would look at."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console
from rich.text import Text

from festinger.cli.lines import harmless
from festinger.cli.listing import JSON, print_json
from festinger.cli.options import (
    CONFIG,
    DATA_DIR,
    DSN,
    SERVER,
    SHIM,
    UPSTREAM,
    options,
    settings,
)
from festinger.cli.system.supervising import supervised

STYLES: Final = {"ok": "green", "warn": "yellow", "fail": "bold red"}


@click.command()
@options(CONFIG, DATA_DIR, UPSTREAM, SHIM, SERVER, DSN)
@JSON
def doctor(config_file: Path | None, as_json: bool, **values: Any) -> None:
    """Check the machine, the servers, the database and the queues.

    One line for each check: ok, warn or fail, and what to do. The exit code is 1 if
    something fails. Nothing is started or changed.
    """
    # Imported here: `--help` needs none of it.
    from festinger.cli.system.diagnoses import Severity, diagnose

    found = supervised(diagnose(settings(config_file, **values)))
    console = Console(highlight=False)
    for each in found:
        if as_json:
            print_json(each._asdict())
            continue
        # Padded, for columns.
        line = Text(f"{each.severity.value:<5}", style=STYLES[each.severity])
        line.append(f"{each.check:<18} {harmless(each.found)}", style="default")
        if each.advice:
            line.append(f": {harmless(each.advice)}", style="default")
        console.print(line, soft_wrap=True)
    # Warnings do not fail a script.
    if any(each.severity is Severity.FAIL for each in found):
        raise SystemExit(1)
