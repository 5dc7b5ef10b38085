"""Commands that write a backup of all memories, and restore one."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from festinger.cli.application import application
from festinger.cli.lines import counted
from festinger.cli.listing import JSON, print_json
from festinger.cli.options import CONFIG, DATA_DIR, DSN, options, settings
from festinger.cli.progress import StepProgress
from festinger.cli.system.supervising import supervised

FILE = click.argument("file", type=click.Path(path_type=Path, dir_okay=False))


@click.command()
@options(FILE, CONFIG, DATA_DIR, DSN, JSON)
def backup(file: Path, config_file: Path | None, as_json: bool, **values: Any) -> None:
    """Write everything to FILE, while servers write, and read it back.

    The keys of the models are in it as they are in the database, encrypted: keep
    model.keys of the data directory, or FESTINGER_KEYS, apart from it.
    """
    chosen = settings(config_file, **values)
    with StepProgress(silent=as_json) as steps:  # the bar goes to standard error
        manifest = supervised(application("back_up")(chosen, file.absolute(), steps))
    _tell(manifest, f"{file} holds", as_json=as_json)


@click.command()
@options(FILE, CONFIG, DATA_DIR, DSN)
@click.option("--replace", is_flag=True, help="Overwrite memories that are there.")
@options(JSON)
def restore(
    file: Path, config_file: Path | None, replace: bool, as_json: bool, **values: Any
) -> None:
    """Make the memories of the database those of the backup FILE.

    Servers must be stopped. A backup of an older version is brought up to date. If
    anything goes wrong, nothing is changed.
    """
    chosen = settings(config_file, **values)
    with StepProgress(silent=as_json) as steps:
        manifest = supervised(
            application("restore")(chosen, file.absolute(), steps, replace=replace)
        )
    _tell(manifest, "restored", as_json=as_json)


def _tell(manifest: Any, what: str, *, as_json: bool) -> None:
    if as_json:
        print_json(asdict(manifest))
        return
    tenants = len(manifest.tenants)
    click.echo(
        f"{what} {counted(tenants, 'memory', 'memories')}, "
        f"{counted(manifest.rows, 'row')}, of {manifest.made}, schema "
        f"{manifest.schema}"
    )
