"""`festinger system status`: how large the memories are, and will be."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from festinger.cli.listing import JSON, print_json
from festinger.cli.options import CONFIG, DATA_DIR, DSN, options, settings
from festinger.cli.system.databases import running_dsn
from festinger.cli.system.supervising import supervised


@click.command()
@options(CONFIG, DATA_DIR, DSN)
@JSON
def status(config_file: Path | None, as_json: bool, **values: Any) -> None:
    """Show the sizes of the tables, and what they will be in 30 days.

    The forecast goes on at the pace of the last week. Rows that are deleted after some
    days do not add up for longer than that.
    """
    # Imported here: `--help` needs no store.
    from festinger.store.system.database_status import sizes_of

    chosen = settings(config_file, **values)
    sizes = supervised(sizes_of(running_dsn(chosen), chosen))
    if as_json:
        for each in sizes:
            print_json({**each._asdict(), "forecast": each.forecast})
        return
    table = Table(box=None, header_style="bold")
    for name in ("size", "rows", "a day", "in 30 days", "kept"):
        table.add_column(name, justify="right")  # numbers by their ends
    table.add_column("table")
    for each in sizes:
        table.add_row(
            _bytes(each.bytes),
            f"{each.rows:,}",
            f"{each.rows_a_day:,.0f}" if each.rows_a_day else "",
            _bytes(each.forecast),
            "" if each.keep_days is None else f"{each.keep_days} days",
            each.name,
        )
    now, then = (
        sum(it) for it in zip(*((t.bytes, t.forecast) for t in sizes), strict=True)
    )
    console = Console(highlight=False)
    console.print(table)
    console.print(f"{_bytes(now)} now, {_bytes(then)} in 30 days at this pace")
    # An external database may be on any disk.
    if chosen.database.dsn is None:
        free = shutil.disk_usage(chosen.data_dir).free
        console.print(f"{_bytes(free)} free on the disk")


def _bytes(size: float) -> str:
    for unit in ("B", "kB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"
